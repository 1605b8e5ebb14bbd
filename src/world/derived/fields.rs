//! The fields of what a step derives, object by object, in one fixed order.

use crate::collision::manifold::ManifoldPoint;
use crate::dynamics::collider::{ColliderKey, ContactSurface};
use crate::dynamics::contact::ContactKey;
use crate::dynamics::solver::joints::JointRows;
use crate::dynamics::solver::joints::spherical::SphericalRows;
use crate::dynamics::solver::rows::{Arms, CommonRows, ContactRows, DiscRows, PatchRows, PointRows, TwistRow};
use crate::math::{LdlFactors, Mat3, Scalar, Vec3};
use crate::state::visitor::{
    FieldVisitor, visit_components, visit_scalar, visit_sym_mat3, visit_tag, visit_u32, visit_vec3,
};
use crate::world::derived::{
    BodyForces, ColliderPlacement, Derived, Names, PairGeometry, RowsOfContact, RowsOfJoint, SolvePlace,
};
use crate::world::encode::Section;
use crate::world::encode::table::{EachObject, ObjectName, collider_name, contact_name};

/// Leads over derived data; what a visitor gives back is dropped, for nothing derived is ever read in.
type Visitor<'a> = &'a mut dyn FieldVisitor;

/// Calls `act` with every object of what a step derived.
pub(super) fn for_each_derived<S: Scalar>(derived: &mut Derived<S>, names: &Names, act: EachObject<'_>) {
    let Derived { acting, forces, placements, pairs, geometry, joint_colours, colours, joint_rows, rows } = derived;
    let body = |id: u32| names.bodies.get(&id).map_or("?", String::as_str);
    let named = |section, object| ObjectName { section, object };
    for (number, acting) in (0_u32..).zip(acting) {
        let name = named(Section::ActingForces, format!("{}[{number}]", body(acting.body)));
        act(name, [number, 0, 0, 0, 0], &mut |visitor| {
            visit_vec3(visitor, "force", &mut acting.force);
            visit_vec3(visitor, "torque", &mut acting.torque);
        });
    }
    for forces in forces {
        let name = named(Section::Forces, body(forces.body).to_owned());
        act(name, [forces.body, 0, 0, 0, 0], &mut |visitor| visit_forces(forces, visitor));
    }
    for placement in placements {
        let name = named(Section::Placements, collider_name(Some(body(placement.key.body)), placement.key));
        let ids = [placement.key.body, placement.key.part, 0, 0, 0];
        act(name, ids, &mut |visitor| visit_placement(placement, visitor));
    }
    let of_contact = |section, key: ContactKey| {
        let ContactKey { a, b, piece } = key;
        let name = contact_name(|id| names.bodies.get(&id).map(String::as_str), key);
        (named(section, name), [a.body, a.part, b.body, b.part, piece])
    };
    for keys in pairs {
        let (name, ids) = of_contact(Section::Pairs, ContactKey { a: keys[0], b: keys[1], piece: 0 });
        act(name, ids, &mut |visitor| visit_keys(keys, visitor));
    }
    for geometry in geometry {
        let (name, ids) = of_contact(Section::Geometry, geometry.key);
        act(name, ids, &mut |visitor| visit_geometry(geometry, visitor));
    }
    let of_joint = |section, id: u32| {
        let name = names.joints.get(&id).map_or("?", String::as_str);
        (named(section, name.to_owned()), [id, 0, 0, 0, 0])
    };
    for place in joint_colours {
        let (name, ids) = of_joint(Section::JointColours, place.key);
        act(name, ids, &mut |visitor| visit_place(place, visitor));
    }
    for place in colours {
        let (name, ids) = of_contact(Section::Colours, place.key);
        act(name, ids, &mut |visitor| visit_place(place, visitor));
    }
    for rows in joint_rows {
        let (name, ids) = of_joint(Section::JointRows, rows.joint);
        act(name, ids, &mut |visitor| visit_joint_rows(rows, visitor));
    }
    for rows in rows {
        let (name, ids) = of_contact(Section::Rows, rows.key);
        act(name, ids, &mut |visitor| visit_rows(rows, visitor));
    }
}

fn visit_forces<S: Scalar>(forces: &mut BodyForces<S>, visitor: Visitor<'_>) {
    let BodyForces {
        body: _named_by,
        force,
        torque,
        rotation,
        inverse_inertia,
        linear_acceleration,
        angular_acceleration,
        precession,
        damping_factors: [linear, angular],
        displacement,
        rotation_vector,
    } = forces;
    visit_vec3(visitor, "force", force);
    visit_vec3(visitor, "torque", torque);
    visit_mat3(visitor, "rotation", rotation);
    visit_sym_mat3(visitor, "inverse_inertia", inverse_inertia);
    visit_vec3(visitor, "linear_acceleration", linear_acceleration);
    visit_vec3(visitor, "angular_acceleration", angular_acceleration);
    visit_vec3(visitor, "precession", precession);
    visit_scalar(visitor, "linear_damping_factor", linear);
    visit_scalar(visitor, "angular_damping_factor", angular);
    visit_vec3(visitor, "displacement", displacement);
    visit_vec3(visitor, "rotation_vector", rotation_vector);
}

fn visit_placement<S: Scalar>(placement: &mut ColliderPlacement<S>, visitor: Visitor<'_>) {
    let ColliderPlacement { key: _named_by, offset, rotation } = placement;
    visit_vec3(visitor, "offset", offset);
    visit_mat3(visitor, "rotation", rotation);
}

fn visit_keys(keys: &mut [ColliderKey; 2], visitor: Visitor<'_>) {
    for (side, ColliderKey { body, part }) in ["a", "b"].into_iter().zip(keys) {
        visitor.enter(side, None);
        visit_u32(visitor, "body", body);
        visit_u32(visitor, "part", part);
        visitor.leave();
    }
}

fn visit_geometry<S: Scalar>(geometry: &mut PairGeometry<S>, visitor: Visitor<'_>) {
    let PairGeometry { key: _named_by, shape_offset_a, centre_offset, surface, is_open, manifold } = geometry;
    visit_vec3(visitor, "normal", &mut manifold.normal);
    let mut count = u32::try_from(manifold.points().len()).unwrap_or(u32::MAX);
    visit_u32(visitor, "count", &mut count);
    for (index, point) in (0_u32..).zip(manifold.points()) {
        let ManifoldPoint { mut position, mut separation, mut feature } = *point;
        visitor.enter("points", Some(index));
        visit_vec3(visitor, "position", &mut position);
        visit_scalar(visitor, "separation", &mut separation);
        visit_u32(visitor, "feature", &mut feature.0);
        visitor.leave();
    }
    visit_vec3(visitor, "shape_offset_a", shape_offset_a);
    visit_vec3(visitor, "centre_offset", centre_offset);
    visit_surface(surface, visitor);
    let _ = visit_tag(visitor, "open", u8::from(*is_open));
}

fn visit_place<K>(place: &mut SolvePlace<K>, visitor: Visitor<'_>) {
    let SolvePlace { key: _named_by, colour, place } = place;
    visit_u32(visitor, "colour", colour);
    visit_u32(visitor, "place", place);
}

fn visit_joint_rows<S: Scalar>(rows: &mut RowsOfJoint<S>, visitor: Visitor<'_>) {
    let RowsOfJoint { joint: _named_by, place, rows } = rows;
    let JointRows { joint: _place_in_the_table, kind, inverse_mass: [inverse_mass_a, inverse_mass_b], point } = rows;
    visit_u32(visitor, "place", place);
    let _ = visit_tag(visitor, "kind", *kind as u8);
    visit_scalar(visitor, "inverse_mass_a", inverse_mass_a);
    visit_scalar(visitor, "inverse_mass_b", inverse_mass_b);
    let SphericalRows {
        arms: [arm_a, arm_b],
        response: [response_a, response_b],
        inverse: LdlFactors { inverse_pivots, lower: [lower_1, lower_2, lower_3] },
        separation,
        arc,
        spin,
        impulse,
        total,
    } = point;
    visit_vec3(visitor, "arm_a", arm_a);
    visit_vec3(visitor, "arm_b", arm_b);
    visit_sym_mat3(visitor, "response_a", response_a);
    visit_sym_mat3(visitor, "response_b", response_b);
    visit_vec3(visitor, "inverse_pivots", inverse_pivots);
    for (name, value) in [("lower_1", lower_1), ("lower_2", lower_2), ("lower_3", lower_3)] {
        visit_scalar(visitor, name, value);
    }
    visit_vec3(visitor, "separation", separation);
    visit_vec3(visitor, "arc", arc);
    visit_scalar(visitor, "spin", spin);
    visit_vec3(visitor, "impulse", impulse);
    visit_vec3(visitor, "total_impulse", total);
}

fn visit_rows<S: Scalar>(rows: &mut RowsOfContact<S>, visitor: Visitor<'_>) {
    let RowsOfContact {
        key: _named_by,
        place,
        contact,
        common,
        points,
        struck,
        friction,
        slips,
        arms_of_points,
        patch,
        rolling,
    } = rows;
    let ContactRows {
        contact: _named_by_keys,
        bodies: _of_the_keys,
        is_round: _of_the_shapes,
        may_roll: _of_them_too,
        open: _a_place,
        lane: _place_in_memory,
        count: _number_of_points,
        due,
        rows_since,
        inverse_length: _of_the_length,
        rate,
        true_from,
        made_for,
    } = contact;
    let CommonRows {
        directions,
        inverse_mass: [inverse_mass_a, inverse_mass_b],
        inverse_inertia: [inverse_inertia_a, inverse_inertia_b],
        arms,
        length,
        inverse_length,
        surface,
        twist,
        age,
    } = common;
    visit_u32(visitor, "place", place);
    visit_vectors(visitor, "directions", directions);
    visit_scalar(visitor, "inverse_mass_a", inverse_mass_a);
    visit_scalar(visitor, "inverse_mass_b", inverse_mass_b);
    visit_sym_mat3(visitor, "inverse_inertia_a", inverse_inertia_a);
    visit_sym_mat3(visitor, "inverse_inertia_b", inverse_inertia_b);
    visit_arms(arms, visitor);
    visit_surface(surface, visitor);
    visit_scalar(visitor, "length", length);
    visit_scalar(visitor, "inverse_length", inverse_length);
    visit_scalar(visitor, "age", age);
    visit_u32(visitor, "due", due);
    visit_u32(visitor, "rows_since", rows_since);
    visit_scalar(visitor, "rate", rate);
    visit_scalar(visitor, "true_from", true_from);
    visit_scalar(visitor, "made_for", made_for);
    for (index, (point, struck)) in (0_u32..).zip(points.iter_mut().zip(struck)) {
        visitor.enter("points", Some(index));
        visit_point(point, visitor);
        let _ = visit_tag(visitor, "struck", u8::from(*struck));
        visitor.leave();
    }
    for (index, (disc, slips)) in (0_u32..).zip(friction.iter_mut().zip(slips)) {
        visitor.enter("friction", Some(index));
        visit_disc(disc, visitor);
        let _ = visit_tag(visitor, "slips", u8::from(*slips));
        if let Some(arms) = arms_of_points.get_mut(index as usize) {
            visit_arms(arms, visitor);
        }
        visitor.leave();
    }
    if let Some(patch) = patch {
        visitor.enter("patch", None);
        visit_patch(patch, visitor);
        visitor.leave();
    }
    if let Some(rolling) = rolling {
        visitor.enter("rolling", None);
        visit_disc(rolling, visitor);
        visitor.leave();
    }
    let TwistRow { mass, impulse } = twist;
    visitor.enter("twist", None);
    visit_scalar(visitor, "effective_mass", mass);
    visit_scalar(visitor, "impulse", impulse);
    visitor.leave();
}

fn visit_arms<S: Scalar>([arm_a, arm_b]: &mut Arms<S>, visitor: Visitor<'_>) {
    visit_vec3(visitor, "arm_a", arm_a);
    visit_vec3(visitor, "arm_b", arm_b);
}

fn visit_patch<S: Scalar>(patch: &mut PatchRows<S>, visitor: Visitor<'_>) {
    let PatchRows { slide_by_press: [first, second], twist_by_press, twist_by_slide: [by_first, by_second] } = patch;
    for (of, by) in [("slide_1", first), ("slide_2", second), ("twist", twist_by_press)] {
        visitor.enter(of, None);
        for (name, value) in ["by_push", "by_tilt_1", "by_tilt_2"].into_iter().zip(by) {
            visit_scalar(visitor, name, value);
        }
        visitor.leave();
    }
    visit_scalar(visitor, "twist_by_slide_1", by_first);
    visit_scalar(visitor, "twist_by_slide_2", by_second);
}

fn visit_surface<S: Scalar>(surface: &mut ContactSurface<S>, visitor: Visitor<'_>) {
    let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = surface;
    visit_scalar(visitor, "friction", friction);
    visit_scalar(visitor, "restitution", restitution);
    visit_scalar(visitor, "rolling_friction", rolling_friction);
    visit_scalar(visitor, "spinning_friction", spinning_friction);
}

fn visit_point<S: Scalar>(point: &mut PointRows<S>, visitor: Visitor<'_>) {
    let PointRows { levers: [lever_1, lever_2], radius, mass, by_others, separation, drift, impulse, total } = point;
    let [by_other_1, by_other_2, by_other_3] = by_others;
    for (name, value) in [
        ("lever_1", lever_1),
        ("lever_2", lever_2),
        ("effective_mass", mass),
        ("by_other_1", by_other_1),
        ("by_other_2", by_other_2),
        ("by_other_3", by_other_3),
        ("separation", separation),
        ("drift", drift),
        ("normal_impulse", impulse),
        ("total_impulse", total),
        ("radius", radius),
    ] {
        visit_scalar(visitor, name, value);
    }
}

fn visit_disc<S: Scalar>(disc: &mut DiscRows<S>, visitor: Visitor<'_>) {
    let DiscRows { inverse, slip_inverse, drift: [drift_1, drift_2], impulse } = disc;
    let ([first, second, cross], [impulse_1, impulse_2]) = (inverse, impulse);
    for (name, value) in [
        ("inverse_1", first),
        ("inverse_2", second),
        ("inverse_cross", cross),
        ("slip_inverse", slip_inverse),
        ("drift_1", drift_1),
        ("drift_2", drift_2),
        ("impulse_1", impulse_1),
        ("impulse_2", impulse_2),
    ] {
        visit_scalar(visitor, name, value);
    }
}

fn visit_vectors<S: Scalar>(visitor: Visitor<'_>, group: &'static str, vectors: &mut [Vec3<S>; 3]) {
    for (index, vector) in (0_u32..).zip(vectors) {
        visitor.enter(group, Some(index));
        visit_components(visitor, vector);
        visitor.leave();
    }
}

fn visit_mat3<S: Scalar>(visitor: Visitor<'_>, name: &'static str, matrix: &mut Mat3<S>) {
    let Mat3 { rows } = matrix;
    visit_vectors(visitor, name, rows);
}

//! The fields of what a step derives, object by object, in one fixed order.

use std::collections::BTreeMap;

use crate::collision::manifold::ManifoldPoint;
use crate::dynamics::collider::{ColliderKey, ContactSurface};
use crate::math::{Mat3, Scalar, Vec3};
use crate::world::derived::{
    BodyForces, ColliderPlacement, ContactRows, Derived, PairGeometry, PointRow, SideRow, SolvePlace,
};
use crate::world::encode::Section;
use crate::world::encode::table::{EachObject, ObjectName, collider_name, contact_name};
use crate::world::encode::visitor::{
    FieldVisitor, visit_components, visit_scalar, visit_sym_mat3, visit_tag, visit_u32, visit_vec3,
};

/// Leads over derived data; what a visitor gives back is dropped, for nothing derived is ever read in.
type Visitor<'a> = &'a mut dyn FieldVisitor;

/// Calls `act` with every object of what a step derived.
pub(super) fn for_each_derived<S: Scalar>(
    derived: &mut Derived<S>,
    names: &BTreeMap<u32, String>,
    act: EachObject<'_>,
) {
    let Derived { acting, forces, placements, pairs, geometry, colours, rows } = derived;
    let body = |id: u32| names.get(&id).map_or("?", String::as_str);
    let named = |section, object| ObjectName { section, object };
    for (number, acting) in (0_u32..).zip(acting) {
        let name = named(Section::ActingForces, format!("{}[{number}]", body(acting.body)));
        act(name, [number, 0, 0, 0], &mut |visitor| {
            visit_vec3(visitor, "force", &mut acting.force);
            visit_vec3(visitor, "torque", &mut acting.torque);
        });
    }
    for forces in forces {
        let name = named(Section::Forces, body(forces.body).to_owned());
        act(name, [forces.body, 0, 0, 0], &mut |visitor| visit_forces(forces, visitor));
    }
    for placement in placements {
        let name = named(Section::Placements, collider_name(Some(body(placement.key.body)), placement.key));
        let ids = [placement.key.body, placement.key.part, 0, 0];
        act(name, ids, &mut |visitor| visit_placement(placement, visitor));
    }
    let of_pair = |section, [a, b]: [ColliderKey; 2]| {
        (named(section, contact_name(names, a, b)), [a.body, a.part, b.body, b.part])
    };
    for keys in pairs {
        let (name, ids) = of_pair(Section::Pairs, *keys);
        act(name, ids, &mut |visitor| visit_keys(keys, visitor));
    }
    for geometry in geometry {
        let (name, ids) = of_pair(Section::Geometry, geometry.keys);
        act(name, ids, &mut |visitor| visit_geometry(geometry, visitor));
    }
    for place in colours {
        let (name, ids) = of_pair(Section::Colours, place.keys);
        act(name, ids, &mut |visitor| visit_place(place, visitor));
    }
    for rows in rows {
        let (name, ids) = of_pair(Section::Rows, rows.keys);
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
    let PairGeometry { keys: _named_by, shape_offset_a, centre_offset, surface, manifold } = geometry;
    let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = surface;
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
    visit_scalar(visitor, "friction", friction);
    visit_scalar(visitor, "restitution", restitution);
    visit_scalar(visitor, "rolling_friction", rolling_friction);
    visit_scalar(visitor, "spinning_friction", spinning_friction);
}

fn visit_place(place: &mut SolvePlace, visitor: Visitor<'_>) {
    let SolvePlace { keys: _named_by, colour, place } = place;
    visit_u32(visitor, "colour", colour);
    visit_u32(visitor, "place", place);
}

fn visit_rows<S: Scalar>(rows: &mut ContactRows<S>, visitor: Visitor<'_>) {
    let ContactRows { keys: _named_by, block_and_lane: [block, lane], directions, friction, restitution, points } =
        rows;
    visit_u32(visitor, "block", block);
    visit_u32(visitor, "lane", lane);
    visit_vectors(visitor, "directions", directions);
    visit_scalar(visitor, "friction", friction);
    visit_scalar(visitor, "restitution", restitution);
    for (index, point) in (0_u32..).zip(points) {
        visitor.enter("points", Some(index));
        visit_point(point, visitor);
        visitor.leave();
    }
}

fn visit_point<S: Scalar>(point: &mut PointRow<S>, visitor: Visitor<'_>) {
    let PointRow {
        sides,
        tangent_inverse: [first, second, cross],
        slip_inverse,
        separation,
        bias,
        mass_scale,
        impulse_scale,
        impulses: [normal, tangent_1, tangent_2],
        total_impulse,
        approach,
        slips,
    } = point;
    for (name, SideRow { jacobian, response, inverse_mass }) in ["a", "b"].into_iter().zip(sides) {
        visitor.enter(name, None);
        visit_vectors(visitor, "jacobian", jacobian);
        visit_vectors(visitor, "response", response);
        visit_scalar(visitor, "inverse_mass", inverse_mass);
        visitor.leave();
    }
    for (name, value) in [
        ("tangent_inverse_1", first),
        ("tangent_inverse_2", second),
        ("tangent_inverse_cross", cross),
        ("slip_inverse", slip_inverse),
        ("separation", separation),
        ("bias", bias),
        ("mass_scale", mass_scale),
        ("impulse_scale", impulse_scale),
        ("normal_impulse", normal),
        ("tangent_impulse_1", tangent_1),
        ("tangent_impulse_2", tangent_2),
        ("total_impulse", total_impulse),
        ("approach", approach),
    ] {
        visit_scalar(visitor, name, value);
    }
    let _ = visit_tag(visitor, "slips", u8::from(*slips));
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

//! What surfaces weigh that forces move: thin shells, whose density is a mass by area.

use physim::dynamics::body::Body;
use physim::math::Scalar;

use crate::physics::shells::{BOX, both_sides, mesh_of};
use crate::physics::support::{Run, assert_near, rounding};

on_every_scalar!(
    a_plate_is_a_thin_rectangle,
    a_hollow_cube_is_six_plates,
    a_hollow_solid_is_less_than_the_shell_of_its_ball,
    a_height_field_weighs_as_its_slope_is_long,
    a_sheet_with_two_fronts_weighs_twice,
    a_formula_is_added_up_over_the_surface,
    a_formula_with_kinks_is_added_up_too,
    a_shell_beside_a_solid_adds_to_it,
    a_given_mass_is_spread_over_the_surface,
);

/// Sums over a surface are rounded to 2^-45 of its size; a body of about a metre keeps its numbers to some roundings near one.
fn bound<S: Scalar>() -> f64 {
    64.0 * rounding::<S>(1.0) + 1e-11
}

fn body<S: Scalar>(materials: &str, keys: &str) -> Body<S> {
    Run::<S>::of(&format!("materials: {{{materials}}}, bodies: [(name: \"body\", {keys})]")).body("body")
}

/// Mass in kg, centre in m, and inertia per mass in m^2 as `[xx, yy, zz, xy, xz, yz]`.
#[track_caller]
fn assert_weight<S: Scalar>(body: &Body<S>, mass: f64, centre: [f64; 3], inertia: [f64; 6]) {
    assert_weight_on_grid(body, mass, centre, inertia, 0.0);
}

/// The same of a body whose corners were rounded to a grid with steps of so many metres.
#[track_caller]
fn assert_weight_on_grid<S: Scalar>(body: &Body<S>, mass: f64, centre: [f64; 3], inertia: [f64; 6], step: f64) {
    let found = 1.0 / body.inverse_mass.to_f64();
    assert_near("mass", found, mass, (bound::<S>() + step) * mass);
    for (found, expected) in body.centre.to_f64().into_iter().zip(centre) {
        assert_near("centre", found, expected, 2.0 * bound::<S>() + step);
    }
    let scale = libm::scalbn(1.0, 2 * body.inertia.length_exponent);
    for (found, expected) in body.inertia.tensor.to_array().into_iter().zip(inertia) {
        assert_near("inertia per mass", found.to_f64() * scale, expected, 4.0 * (bound::<S>() + step));
    }
}

/// A rectangle of a by b: `m b^2 / 12` and `m a^2 / 12` about its middle lines, their sum about its normal.
fn a_plate_is_a_thin_rectangle<S: Scalar>() {
    let (a, b) = (1.5, 0.5);
    let plate = body::<S>(
        "\"tin\": (density: 7.5)",
        "shape: HeightField(heights: [[0.25, 0.25], [0.25, 0.25]], spacing: (1.5, 0.5)), material: \"tin\"",
    );
    let (long, short) = (a * a / 12.0, b * b / 12.0);
    assert_weight(&plate, 7.5 * a * b, [0.0, 0.25, 0.0], [short, short + long, long, 0.0, 0.0, 0.0]);
}

/// Six squares of side s, each a sixth of the mass: about an axis two turn in their planes, `s^2 / 6` each, and four are `s / 2` away,
/// `s^2 / 12 + s^2 / 4` each: together `m s^2 (2/36 + 4/18) = 5/18 m s^2`.
fn a_hollow_cube_is_six_plates<S: Scalar>() {
    let cube = body::<S>("\"tin\": (density: 3)", &format!("shape: {BOX}, material: \"tin\""));
    let (side, moment) = (1.0_f64, 5.0 / 18.0);
    assert_weight(&cube, 3.0 * 6.0 * side * side, [0.0; 3], [moment, moment, moment, 0.0, 0.0, 0.0]);
}

/// The mean of `|x|^2` over a triangle with its corners at distance R from a point, and its plane at distance d with the centre of the
/// triangle below it, is `(3 R^2 + (3 d)^2) / 12`. A regular solid of such triangles has two thirds of that about every axis: less than
/// the `2/3 R^2` of a spherical shell, more than two thirds of `d^2`.
fn a_hollow_solid_is_less_than_the_shell_of_its_ball<S: Scalar>() {
    // An octahedron with R = 1: d = 1 / sqrt(3), eight triangles of side sqrt(2).
    let octahedron = mesh_of(
        &[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]],
        &[[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
    );
    let regular = |radius: f64, distance: f64| 2.0 / 3.0 * (3.0 * radius * radius + 9.0 * distance * distance) / 12.0;
    let moment = regular(1.0, 3.0_f64.sqrt().recip());
    let inertia = [moment, moment, moment, 0.0, 0.0, 0.0];
    let hollow = body::<S>("\"tin\": (density: 2)", &format!("shape: {octahedron}, material: \"tin\""));
    assert_weight(&hollow, 2.0 * 8.0 * 3.0_f64.sqrt() / 4.0 * 2.0, [0.0; 3], inertia);
    // An icosahedron of edge 2 about the origin: its corners are (0, 1, g), (1, g, 0), (g, 0, 1) with both signs and the golden ratio g.
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let corners: Vec<[f64; 3]> = (0..12)
        .map(|number| {
            let (small, large) = ([-1.0, 1.0][number % 2], [-golden, golden][number / 2 % 2]);
            let mut corner = [0.0, small, large];
            corner.rotate_right(number / 4);
            corner
        })
        .collect();
    let edge = |a: usize, b: usize| {
        let apart: f64 = (0..3).map(|axis| (corners[a][axis] - corners[b][axis]).powi(2)).sum();
        (apart - 4.0).abs() < 1e-9
    };
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if edge(a, b) && edge(b, c) && edge(c, a) {
                    triangles.push([a, b, c]);
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    let radius = (1.0 + golden * golden).sqrt();
    // Of an equilateral triangle of edge 2 the corners are 2 / sqrt(3) from the centre.
    let distance = (radius * radius - 4.0 / 3.0).sqrt();
    let moment = regular(radius, distance);
    let of_sphere = 2.0 / 3.0 * radius * radius;
    assert!(moment < of_sphere && moment > 2.0 / 3.0 * distance * distance && moment > 0.7 * of_sphere, "{moment}");
    let hollow =
        body::<S>("\"tin\": (density: 2)", &format!("shape: {}, material: \"tin\"", mesh_of(&corners, &triangles)));
    // It spans 3.2 m, at most 2^30 steps: of 2^-28 m.
    let inertia = [moment, moment, moment, 0.0, 0.0, 0.0];
    assert_weight_on_grid(&hollow, 2.0 * 20.0 * 3.0_f64.sqrt(), [0.0; 3], inertia, 0.5_f64.powi(28));
}

/// A slope that rises 3 m on 4: five quarters of the rectangle below it, and along it its half length is 2.5 m.
fn a_height_field_weighs_as_its_slope_is_long<S: Scalar>() {
    let slope = body::<S>(
        "\"tin\": (density: 2)",
        "shape: HeightField(heights: [[0, 1.5, 3], [0, 1.5, 3]], spacing: (2, 1)), material: \"tin\"",
    );
    let (xx, yy, zz) = (16.0 / 12.0, 9.0 / 12.0, 1.0 / 12.0);
    assert_weight(&slope, 2.0 * 5.0, [0.0, 1.5, 0.0], [yy + zz, xx + zz, xx + yy, -1.0, 0.0, 0.0]);
}

/// What stands in a list twice with its front on the same side counts once, what is there from both sides counts twice.
fn a_sheet_with_two_fronts_weighs_twice<S: Scalar>() {
    let points = [[0.0, 0.0, 0.0], [0.0, 0.0, 3.0], [3.0, 0.0, 0.0]];
    // A right triangle with legs l: `l^2 / 18` about each, its centre a third along, and `-l^2 / 36` between them.
    let (moment, product) = (0.5, 9.0 / 36.0);
    let inertia = [moment, 2.0 * moment, moment, 0.0, product, 0.0];
    let once = mesh_of(&points, &[[0, 1, 2], [1, 2, 0]]);
    let twice = mesh_of(&points, &both_sides(&[[0, 1, 2]]));
    for (shape, mass) in [(once, 4.5), (twice, 9.0)] {
        let sheet = body::<S>("\"tin\": (density: 1)", &format!("shape: {shape}, material: \"tin\""));
        assert_weight(&sheet, mass, [1.0, 0.0, 1.0], inertia);
    }
}

/// `3 x` over 0 < x < 2, 0 < z < 1: a mass of 6, its centre at 4/3, `<x^2> = 2`; in the frame of the points.
fn a_formula_is_added_up_over_the_surface<S: Scalar>() {
    let rectangle =
        mesh_of(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0], [2.0, 0.0, 1.0]], &[[0, 1, 2], [2, 1, 3]]);
    let plate = body::<S>("\"m\": (density: \"3 x\")", &format!("shape: {rectangle}, material: \"m\""));
    let (along, across) = (2.0 - 16.0 / 9.0, 1.0 / 12.0);
    assert_weight(&plate, 6.0, [4.0 / 3.0, 0.0, 0.5], [across, along + across, along, 0.0, 0.0, 0.0]);
}

/// `1 + abs(x - 0.3)` over the same, whose kink crosses both triangles: the integral of a power over each side of it.
fn a_formula_with_kinks_is_added_up_too<S: Scalar>() {
    let rectangle =
        mesh_of(&[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0], [2.0, 0.0, 1.0]], &[[0, 1, 2], [2, 1, 3]]);
    let plate = body::<S>("\"m\": (density: \"1 + abs(x - 0.3)\")", &format!("shape: {rectangle}, material: \"m\""));
    // The integral of (1 + |x - k|) x^n from 0 to 2, in closed form.
    let kink = 0.3_f64;
    let moment = |power: i32| {
        let [n1, n2] = [f64::from(power + 1), f64::from(power + 2)];
        let antiderivative = |x: f64| x.powi(power + 2) / n2 - kink * x.powi(power + 1) / n1;
        2.0_f64.powi(power + 1) / n1 + antiderivative(2.0) - 2.0 * antiderivative(kink)
    };
    let (mass, centre) = (moment(0), moment(1) / moment(0));
    let along = moment(2) / mass - centre * centre;
    let is = 1.0 / plate.inverse_mass.to_f64();
    // What a kink leaves after all samples.
    assert_near("mass", is, mass, 1e-6 * mass);
    assert_near("centre", plate.centre.x.to_f64(), centre, 1e-6);
    let scale = libm::scalbn(1.0, 2 * plate.inertia.length_exponent);
    assert_near("inertia", plate.inertia.tensor.zz.to_f64() * scale, along, 2e-6);
}

/// A plate of 2 by 2 m of 3 kg/m^2 above a cube of 1 m of 12 kg: 12 kg each, their centres 2 m apart.
fn a_shell_beside_a_solid_adds_to_it<S: Scalar>() {
    let both = body::<S>(
        "\"tin\": (density: 3), \"foam\": (density: 12)",
        "colliders: [
            (shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), material: \"foam\"),
            (shape: HeightField(heights: [[0, 0], [0, 0]], spacing: (2, 2)), offset: (0, 2, 0), material: \"tin\"),
        ]",
    );
    let (cube, plate) = (1.0 / 6.0, 4.0 / 12.0);
    // A metre from the common centre each.
    let across = (cube + plate) / 2.0 + 1.0;
    let inertia = [across, (cube + 2.0 * plate) / 2.0, across, 0.0, 0.0, 0.0];
    assert_weight(&both, 24.0, [0.0, 1.0, 0.0], inertia);
}

/// `Total` scales the density, `Given` needs none.
fn a_given_mass_is_spread_over_the_surface<S: Scalar>() {
    let moment = 5.0 / 18.0;
    let total = body::<S>("", &format!("shape: {BOX}, mass: Total(4)"));
    assert_weight(&total, 4.0, [0.0; 3], [moment, moment, moment, 0.0, 0.0, 0.0]);
    let given = body::<S>(
        "",
        &format!("shape: {BOX}, mass: Given(mass: 4, centre: (0, 0.25, 0), inertia: (4, 4, 4, 0, 0, 0))"),
    );
    assert_weight(&given, 4.0, [0.0, 0.25, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
}

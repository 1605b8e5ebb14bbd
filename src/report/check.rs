//! The report of `physim check`.

use std::sync::Arc;

use crate::analysis::joint_gaps::joints_apart;
use crate::analysis::part_overlaps::parts_in_each_other;
use crate::analysis::passing_surfaces::passing_surfaces;
use crate::analysis::start_overlaps::bodies_in_each_other;
use crate::analysis::stiffness::{contact_hertz, too_stiff};
use crate::dynamics::body::BodyKind;
use crate::math::{Scalar, ScalarKind};
use crate::scene::Scene;
use crate::scene::decomposed::Parts;
use crate::scene::model::{Correction, ImpulseSolver, Solver};
use crate::scene::substeps::substeps;
use crate::scene::write_out_parts::DecomposedSolid;
use crate::world::World;

use crate::report::number::{counted, short};
use crate::report::style::{GOOD, TITLE, WARNING, printable};
use crate::report::table::Table;

/// How many bodies, colliders and joints a world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyCounts {
    dynamic: u64,
    fixed: u64,
    kinematic: u64,
    colliders: u64,
    sensors: u64,
    joints: u64,
}

impl BodyCounts {
    /// All bodies.
    pub const fn bodies(&self) -> u64 {
        self.dynamic + self.fixed + self.kinematic
    }

    /// Those of this world.
    pub fn of<S: Scalar>(world: &World<S>) -> Self {
        let kinds = &world.bodies().kind;
        let number = |kind| u64::try_from(kinds.iter().filter(|of| **of == kind).count()).unwrap_or(u64::MAX);
        Self {
            dynamic: number(BodyKind::Dynamic),
            fixed: number(BodyKind::Static),
            kinematic: number(BodyKind::Kinematic),
            colliders: u64::try_from(world.colliders().len()).unwrap_or(u64::MAX),
            sensors: world.colliders().is_sensor.iter().map(|is_sensor| u64::from(*is_sensor)).sum(),
            joints: u64::try_from(world.joints().len()).unwrap_or(u64::MAX),
        }
    }
}

/// A scene that makes a world.
pub struct CheckedScene {
    /// What its file is called.
    pub name: String,
    /// The scene.
    pub scene: Arc<Scene>,
    /// What is in its world at step 0.
    pub counts: BodyCounts,
    /// Why no replay can hold a run of it, if none can.
    pub not_recordable: Option<String>,
    /// The solids that were cut into hulls.
    pub solids: Vec<DecomposedSolid>,
    /// The other scalars in which it makes no world, and why.
    pub refusals: Vec<(ScalarKind, String)>,
}

/// The report for people.
pub fn text(checked: &CheckedScene) -> String {
    let CheckedScene { name, scene, counts, not_recordable, solids, refusals } = checked;
    let mut table = Table::indented(2);
    table.labelled("scene", printable(&scene.name));
    table.labelled("bodies", bodies_text(counts));
    let of_sensors = match counts.sensors {
        0 => String::new(),
        sensors => format!(" ({})", counted(sensors, "sensor", "sensors")),
    };
    table.labelled("colliders", crate::report::number::count(counts.colliders) + &of_sensors);
    for solid in solids {
        table.labelled("solid", solid_text(solid));
    }
    if counts.joints > 0 {
        table.labelled("joints", crate::report::number::count(counts.joints));
    }
    table
        .labelled("steps", format!("{} of {} s, {} s in all", scene.steps, scene.dt, seconds_text(scene, scene.steps)));
    let gravity = &scene.gravity;
    let component = |decimal: &crate::scene::decimal::Decimal| decimal.as_str().to_owned();
    table.labelled(
        "gravity",
        format!("({}, {}, {}) m/s^2", component(&gravity.0), component(&gravity.1), component(&gravity.2)),
    );
    table.labelled("solver", solver_text(scene));
    table.labelled("contacts", contacts_text(scene));
    table.labelled("scalar", scalar_text(scene.scalar, refusals));
    if !scene.inputs.is_empty() {
        let number = u64::try_from(scene.inputs.len()).unwrap_or(u64::MAX);
        let last = scene.inputs.iter().map(|input| input.through.unwrap_or(input.step)).max().unwrap_or(0);
        table.labelled("inputs", format!("{number}, the last in step {last}"));
    }
    let mut text = format!("{} {}\n{}", TITLE.paint(format!("{}:", printable(name))), GOOD.paint("ok"), table.render());
    let of_parts = solids.iter().filter_map(parts_in_each_other);
    let of_scene = [too_stiff(scene), joints_apart(scene), bodies_in_each_other(scene), passing_surfaces(scene)];
    for note in of_scene.into_iter().flatten().chain(of_parts) {
        text.push_str(&format!("  {}: {}\n", WARNING.paint("note"), printable(&note)));
    }
    if let Some(why) = not_recordable {
        text.push_str(&format!("  {}: a run of it cannot be recorded: {why}\n", WARNING.paint("note")));
    }
    for (scalar, why) in refusals {
        text.push_str(&format!("  {}: with --scalar {scalar} it cannot run: {why}\n", WARNING.paint("note")));
    }
    text
}

fn bodies_text(counts: &BodyCounts) -> String {
    let total = counts.bodies();
    let parts = [(counts.dynamic, "dynamic"), (counts.fixed, "static"), (counts.kinematic, "kinematic")];
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, kind)| counted(*number, kind, kind)).collect();
    let total = crate::report::number::count(total);
    if parts.is_empty() { total } else { format!("{total} ({})", parts.join(", ")) }
}

/// Into how many parts a solid was cut: `shapes.bowl: 32 parts, 412 corners, 0.057 m^3, 1.9 % more than the solid`.
fn solid_text(solid: &DecomposedSolid) -> String {
    let Parts { hulls, solid_volume, parts_volume, corners } = &solid.parts;
    let counts = [
        counted(hulls.len() as u64, "part", "parts"),
        counted(*corners as u64, "corner", "corners"),
        format!("{} m^3", short(*parts_volume)),
    ];
    let more = (parts_volume / solid_volume - 1.0) * 100.0;
    let difference = match more {
        _ if more.abs() < 0.05 => "as large as the solid".to_owned(),
        _ if more < 0.0 => format!("{:.1} % less than the solid", -more),
        _ => format!("{more:.1} % more than the solid"),
    };
    format!("{}: {}, {difference}", printable(&solid.place), counts.join(", "))
}

/// Simulated seconds of so many steps.
pub fn seconds_text(scene: &Scene, steps: u32) -> String {
    short(simulated_seconds(scene, steps))
}

/// Simulated seconds of so many steps.
pub fn simulated_seconds(scene: &Scene, steps: u32) -> f64 {
    let (numerator, denominator) = (scene.dt.numerator(), scene.dt.denominator());
    #[expect(clippy::cast_precision_loss, reason = "both fit 32 bits")]
    let dt = numerator as f64 / denominator as f64;
    f64::from(steps) * dt
}

fn solver_text(scene: &Scene) -> String {
    let Solver::Impulse(solver) = &scene.solver;
    let correction = match &solver.correction {
        Correction::Soft { hertz, damping_ratio, push_speed } => {
            let hertz = hertz.as_ref().map(|hertz| hertz.as_str().to_owned());
            format!(
                "soft contacts ({} Hz, damping ratio {}, push {} m/s)",
                hertz.unwrap_or_else(|| contact_hertz(scene).map(short).unwrap_or_default()),
                damping_ratio.as_str(),
                push_speed.as_str()
            )
        }
        Correction::Baumgarte { beta, slop } => format!("Baumgarte ({}, slop {} m)", beta.as_str(), slop.as_str()),
        Correction::Projection { beta, slop } => format!("projection ({}, slop {} m)", beta.as_str(), slop.as_str()),
    };
    let parts = [
        counted(u64::from(substeps(scene)), "substep", "substeps"),
        counted(u64::from(solver.iterations), "iteration", "iterations"),
        relax_text(solver),
        (if solver.warm_starting { "warm starting" } else { "no warm starting" }).to_owned(),
        correction,
    ];
    format!("impulse: {}", parts.join(", "))
}

/// How often a substep relaxes: `1 to 8 relax`.
fn relax_text(solver: &ImpulseSolver) -> String {
    let ImpulseSolver { relax_iterations: least, relax_limit: most, .. } = solver;
    if most > least { format!("{least} to {most} relax") } else { format!("{least} relax") }
}

/// How contacts are found and solved, in the words of the scene.
fn contacts_text(scene: &Scene) -> String {
    let Solver::Impulse(ImpulseSolver { clamping, normals, friction, .. }) = &scene.solver;
    let continuous = scene.continuous;
    format!("normals {normals:?}, friction {friction:?}, clamping {clamping:?}, continuous {continuous:?}")
}

fn scalar_text(own: ScalarKind, refusals: &[(ScalarKind, String)]) -> String {
    let fits = |kind: &ScalarKind| *kind != own && !refusals.iter().any(|(refused, _)| refused == kind);
    let others: Vec<&str> = ScalarKind::ALL.into_iter().filter(fits).map(ScalarKind::name).collect();
    if others.is_empty() { own.name().to_owned() } else { format!("{own} (also fits {})", others.join(" and ")) }
}

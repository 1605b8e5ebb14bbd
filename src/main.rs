//! A first run.
use std::sync::Arc;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let scene = Arc::new(physim::scene::load(std::path::Path::new(&path)).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    }));
    let scalar = std::env::args().nth(2).and_then(|n| physim::math::ScalarKind::from_name(&n)).unwrap_or(scene.scalar);
    let plan = physim::session::record::RunPlan {
        steps: scene.steps,
        scalar,
        scene,
        threads: 1,
        extra_inputs: vec![],
        perturbations: vec![],
        overrides: vec![],
        scene_file: None,
        reason: None,
    };
    let t = std::time::Instant::now();
    let (summary, _) = physim::session::record::record::<Vec<u8>>(&plan, &mut |_, _| Ok(None), &mut |_| {}).unwrap();
    println!(
        "{:?}\n{} {:#?} {:?} -> {:?} {:?}",
        summary.stopped,
        summary.hash.hex(),
        summary.counts.by_name(),
        summary.energy_at_start,
        summary.energy_at_end,
        t.elapsed()
    );
}

use physim::math::Scalar;
use physim::session::Session;
use physim::world::schedule::Schedule;
use std::sync::Arc;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut scene = physim::scene::parse("x", &text).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    });

    let scene = Arc::new(scene);
    let mut s = Session::<physim::math::Fixed>::new(&scene, Schedule::new(scene.inputs.clone()), vec![], 1).unwrap();
    let mut energies: Vec<f64> = vec![];
    let every = scene.steps / 10;
    for k in 0..scene.steps {
        if let Err(e) = s.advance(&mut ()) {
            println!("{e}");
            break;
        }
        if (k + 1) % every == 0 {
            let w = s.world();
            let b = w.bodies();
            let top = b.len() - 2;
            let mut worst: f64 = 0.0;
            for g in w.contact_geometry() {
                for p in g.manifold.points() {
                    worst = worst.min(p.separation.to_f64());
                }
            }
            let vmax = b.linear_velocity.iter().map(|v| v.to_f64()[1].abs()).fold(0.0, f64::max);
            println!(
                "{} top {:?} ke {:.3e} vmax {:.2e} pen {:.2e} contacts {} e {:.4}",
                k + 1,
                b.position[top],
                w.energy().kinetic,
                vmax,
                worst,
                w.contacts().len(),
                w.energy().total()
            );
        }
    }
}

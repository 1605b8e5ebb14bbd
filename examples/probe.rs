use physim::math::{Scalar, ScalarKind, ScalarTask};
use physim::replay::{Header, ReplayError, ReplayWriter};
use physim::session::Session;
use physim::session::record::{RunPlan, record};
use physim::world::schedule::Schedule;
use std::sync::Arc;
struct Watch<'a> {
    scene: Arc<physim::scene::Scene>,
    every: u32,
    names: &'a [String],
}
impl ScalarTask for Watch<'_> {
    type Output = ();
    fn run<S: Scalar>(self) {
        let scene = self.scene;
        let mut s = Session::<S>::new(&scene, Schedule::new(scene.inputs.clone()), vec![], 1).unwrap();
        println!("== {} {}", scene.name, S::KIND.name());
        let mut maxpen: f64 = 0.0;
        let mut maxup: f64 = 0.0;
        let mut last = s.world().energy().total();
        for k in 0..=scene.steps {
            if k > 0
                && let Err(e) = s.advance(&mut ())
            {
                println!("STOP {e}");
                break;
            }
            let w = s.world();
            let b = w.bodies();
            let mut worst: f64 = 0.0;
            for g in w.contact_geometry() {
                for p in g.manifold.points() {
                    worst = worst.min(p.separation.to_f64());
                }
            }
            maxpen = maxpen.min(worst);
            let e = w.energy();
            if e.total() - last > maxup {
                maxup = e.total() - last;
                if self.every < 1000 {
                    println!("   step {k} energy up by {maxup:.4e}");
                }
            }
            last = e.total();
            if k % self.every == 0 || k == scene.steps {
                println!(
                    "{k} E {:.5} K {:.5} pen {:.2e} contacts {} bodies {} P {:.4?} L {:.4?}",
                    e.total(),
                    e.kinetic,
                    worst,
                    w.contacts().len(),
                    b.len(),
                    e.linear_momentum,
                    e.angular_momentum
                );
                for i in 0..b.len() {
                    if self.names.iter().any(|n| n == "all" || b.name[i].starts_with(n.as_str())) {
                        let q: Vec<f64> = b.orientation[i].to_array().iter().map(|c| c.to_f64()).collect();
                        println!(
                            "     {:14} x {:.4?} q {:.3?} v {:.4?} w {:.4?}",
                            b.name[i],
                            b.position[i].to_f64(),
                            q,
                            b.linear_velocity[i].to_f64(),
                            b.angular_velocity[i].to_f64()
                        );
                    }
                }
            }
        }
        println!("max pen {maxpen:.3e} max energy rise in a step {maxup:.3e}\n{:?}", s.totals().by_name());
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut scene = physim::scene::parse(&a[1], &text).unwrap_or_else(|e| {
        eprintln!("{}", e.render(false));
        std::process::exit(2)
    });
    let every = a[3].parse().unwrap();
    let mut names = a[4..].to_vec();
    names.retain(|n| {
        if n.contains('=') {
            physim::scene::overrides::apply_override(&mut scene, n).unwrap_or_else(|e| panic!("{}", e.render(false)));
            false
        } else {
            true
        }
    });
    let scene = Arc::new(scene);
    for kind in a[2].split(',').filter_map(ScalarKind::from_name) {
        kind.dispatch(Watch { scene: Arc::clone(&scene), every, names: &names });
        let plan = RunPlan {
            scene: Arc::clone(&scene),
            scalar: kind,
            steps: scene.steps,
            threads: 1,
            extra_inputs: vec![],
            perturbations: vec![],
            overrides: vec![],
            scene_file: None,
            reason: None,
        };
        let t = std::time::Instant::now();
        let mut open =
            |h: &Header, s: &str| -> Result<_, ReplayError> { ReplayWriter::new("probe", Vec::new(), h, s).map(Some) };
        let (_, sink) = record(&plan, &mut open, &mut |_| ()).unwrap();
        println!("replay {} bytes, {:?}", sink.unwrap().len(), t.elapsed());
    }
}

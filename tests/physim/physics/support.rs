//! A running scene, and the sizes of errors: what every physics test stands on.

use std::path::Path;
use std::sync::Arc;

use physim::dynamics::body::Body;
use physim::math::{Scalar, ScalarKind, Vec3};
use physim::scene::{Scene, load, parse};
use physim::session::Session;
use physim::world::World;
use physim::world::energy::Energy;
use physim::world::error::StepError;
use physim::world::schedule::Schedule;

/// Seconds in a step of every scene here that does not say otherwise.
pub const DT: f64 = 1.0 / 60.0;

/// A scene that runs.
pub struct Run<S: Scalar> {
    session: Session<S>,
}

impl<S: Scalar> Run<S> {
    /// The scene with these keys; version and name are added.
    pub fn of(keys: &str) -> Self {
        let text = format!("(version: 1, name: \"test\",\n{keys}\n)");
        Self::start(parse("test", &text).unwrap_or_else(|error| panic!("{error}")))
    }

    /// A scene of the folder `scenes`.
    pub fn of_file(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
        Self::start(load(&path).unwrap_or_else(|error| panic!("{error}")))
    }

    fn start(scene: Scene) -> Self {
        let schedule = Schedule::new(scene.inputs.clone());
        let session = Session::new(&Arc::new(scene), schedule, Vec::new(), 1);
        Self { session: session.unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Takes one step.
    pub fn step(&mut self) {
        if let Err(error) = self.session.advance(&mut ()) {
            panic!("{error}");
        }
    }

    /// Takes a step that has to fail.
    pub fn failing_step(&mut self) -> StepError {
        match self.session.advance(&mut ()) {
            Err(error) => error,
            Ok(_) => panic!("the step should have failed"),
        }
    }

    /// Takes steps.
    pub fn steps(&mut self, count: u32) {
        for _ in 0..count {
            self.step();
        }
    }

    /// Goes on from the state of another run of the same scene, whatever it was at before.
    pub fn restore_from(&mut self, other: &Self, seed: u64) {
        self.session.scramble(seed);
        self.session.restore(&other.session.encoded().to_bytes()).unwrap_or_else(|error| panic!("{error}"));
    }

    /// The hash of the state.
    pub fn root(&self) -> [u8; 32] {
        self.session.hash().root
    }

    /// The world as it is now.
    pub fn world(&self) -> &World<S> {
        self.session.world()
    }

    /// A body as it is now.
    pub fn body(&self, name: &str) -> Body<S> {
        let bodies = self.world().bodies();
        bodies.row(bodies.index_of_name(name).unwrap_or_else(|| panic!("no body {name}")))
    }

    /// Where a body's centre of mass is.
    pub fn position(&self, name: &str) -> Vec3<f64> {
        wide(self.body(name).position)
    }

    /// How fast a body's centre of mass is.
    pub fn velocity(&self, name: &str) -> Vec3<f64> {
        wide(self.body(name).linear_velocity)
    }

    /// How fast a body turns.
    pub fn spin(&self, name: &str) -> Vec3<f64> {
        wide(self.body(name).angular_velocity)
    }

    /// Energy and momentum.
    pub fn energy(&self) -> Energy {
        self.world().energy()
    }

    /// The overlaps of all contact points that overlap, in metres.
    pub fn overlaps(&self) -> impl Iterator<Item = f64> {
        let points = self.world().contact_geometry().iter().flat_map(|contact| contact.manifold.points());
        points.map(|point| -point.separation.to_f64()).filter(|overlap| *overlap > 0.0)
    }
}

/// An upright prism with so many sides, as a shape of a scene; metres.
pub fn upright_prism(sides: u32, radius: f64, half_height: f64) -> String {
    let corners = (0..sides).map(|side| {
        let turn = f64::from(side) * std::f64::consts::TAU / f64::from(sides);
        (radius * libm::cos(turn), radius * libm::sin(turn))
    });
    let points = corners.map(|(x, z)| format!("({x:.6}, -{half_height}, {z:.6}), ({x:.6}, {half_height}, {z:.6})"));
    format!("Hull(points: [{}])", points.collect::<Vec<_>>().join(", "))
}

/// The vector in `f64`.
pub fn wide<S: Scalar>(v: Vec3<S>) -> Vec3<f64> {
    Vec3::from_array(v.to_f64())
}

/// The bits of a vector.
pub fn bits<S: Scalar>(v: Vec3<S>) -> [u64; 3] {
    v.to_array().map(S::to_bits)
}

/// The error of one rounding to nearest of a result of at most this magnitude: absolute in fixed point, relative in floats.
pub fn rounding<S: Scalar>(magnitude: f64) -> f64 {
    match S::KIND {
        ScalarKind::Fixed => S::EPSILON.to_f64() / 2.0,
        ScalarKind::F32 | ScalarKind::F64 => magnitude * S::EPSILON.to_f64() / 2.0,
    }
}

/// The relative error of a chain of so many roundings through numbers of this magnitude and above.
///
/// In fixed point it is the small numbers of a chain that cost: `rounding / smallest` each. A float does not mind.
pub fn chain<S: Scalar>(roundings: f64, smallest: f64) -> f64 {
    match S::KIND {
        ScalarKind::Fixed => roundings * rounding::<S>(1.0) / smallest,
        ScalarKind::F32 | ScalarKind::F64 => roundings * rounding::<S>(1.0),
    }
}

/// Fails unless a number is as near to what it should be as the bound says.
#[track_caller]
pub fn assert_near(what: &str, is: f64, should_be: f64, bound: f64) {
    let distance = (is - should_be).abs();
    assert!(distance <= bound, "{what}: {is:e} should be {should_be:e}, and is off by {distance:e} > {bound:e}");
}

/// Fails unless every component is as near to what it should be as the bound says.
#[track_caller]
pub fn assert_near_vector(what: &str, is: Vec3<f64>, should_be: Vec3<f64>, bound: f64) {
    for (is, should_be) in is.to_array().into_iter().zip(should_be.to_array()) {
        assert_near(what, is, should_be, bound);
    }
}

//! What stands before the numbers of a page: names, shapes, quanta, curves.

use serde::Serialize;

use crate::view::shape::PlacedShape;

/// The version of the data in a page.
pub const FILM_SCHEMA: u32 = 1;

/// The head of a film, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct FilmHeader {
    /// [`FILM_SCHEMA`].
    pub schema: u32,
    /// What the page calls the run.
    pub label: String,
    /// The name of the scene.
    pub scene: String,
    /// The number type.
    pub scalar: &'static str,
    /// Seconds of a step.
    pub dt: f64,
    /// The root hash of the last step in hexadecimal.
    pub hash: String,
    /// The first step that was gathered.
    pub first_step: u32,
    /// The last step that was gathered.
    pub last_step: u32,
    /// Steps from one frame to the next.
    pub stride: u32,
    /// How many frames there are.
    pub frames: usize,
    /// Gravity at step 0, m/s^2.
    pub gravity: [f64; 3],
    /// What numbers are multiples of.
    pub quantum: Quantum,
    /// The bodies, in the order of their columns.
    pub bodies: Vec<BodyHeader>,
    /// The contact points, where there are any.
    pub contacts: Option<ContactsHeader>,
    /// What sums up the states over time.
    pub energy: Curves,
    /// What was thinned out.
    pub notes: Vec<String>,
}

/// What numbers are multiples of: powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantum {
    /// Metres.
    pub position: f64,
    /// Of a component of a unit quaternion.
    pub orientation: f64,
    /// Metres per second; nothing where velocities are left out.
    pub linear_velocity: Option<f64>,
    /// Radians per second; nothing where velocities are left out.
    pub angular_velocity: Option<f64>,
}

/// A body.
#[derive(Clone, Debug, Serialize)]
pub struct BodyHeader {
    /// Its name.
    pub name: String,
    /// `dynamic`, `static` or `kinematic`.
    pub kind: &'static str,
    /// In kg, where it has one.
    pub mass: Option<f64>,
    /// In the frame of the centre of mass.
    pub shapes: Vec<PlacedShape>,
    /// The first frame in which it is.
    pub start: usize,
    /// In how many frames it is.
    pub frames: usize,
}

/// The contact points.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ContactsHeader {
    /// Frames from one that is stored to the next.
    pub stride: u32,
    /// How many tracks follow the bodies.
    pub tracks: usize,
    /// What numbers are multiples of.
    pub quantum: ContactQuantum,
}

/// What the numbers of contact points are multiples of.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ContactQuantum {
    /// Metres.
    pub position: f64,
    /// Of a component of a unit vector.
    pub normal: f64,
    /// N s.
    pub impulse: f64,
    /// Metres.
    pub depth: f64,
}

/// What sums up the states, sample by sample.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Curves {
    /// The steps.
    pub step: Vec<u32>,
    /// Joules.
    pub kinetic: Vec<f64>,
    /// Joules.
    pub potential: Vec<f64>,
    /// Joules.
    pub total: Vec<f64>,
    /// Contacts.
    pub contacts: Vec<usize>,
    /// The largest overlap, metres.
    pub overlap: Vec<f64>,
}

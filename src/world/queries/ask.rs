//! A question of a scene, put to its world; the answer in plain numbers, for people and other programs.

use crate::collision::query::Ray;
use crate::geometry::Shape;
use crate::geometry::ShapeStore;
use crate::math::{Pose, Scalar, Vec3};
use crate::scene::filter::ResolvedQueryFilter;
use crate::scene::model::{self, Orientation, Query, QueryFilter as SeenBy, Vector};
use crate::scene::resolve::resolve_query_shape;
use crate::world::World;
use crate::world::build::body::build_shape;
use crate::world::build::numbers::{to_quat, to_scalar, to_vec3};
use crate::world::error::BuildError;
use crate::world::queries::{Nearest, Probe, Queries, QueryFilter};
use crate::world::sensors::NamedCollider;

/// How near two shapes are that meet, a power of two of a metre: 0.015 mm.
const MEETING_GAP: i32 = -16;

/// One thing that a question found; what does not belong to the question is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The shape that was found: `ball#0`.
    pub shape: String,
    /// The other one, of questions about two bodies.
    pub other: Option<String>,
    /// Metres: along a ray or a way, or between shapes, then negative where they overlap.
    pub distance: Option<f64>,
    /// Seconds from now.
    pub time: Option<f64>,
    /// The place on the shape, world frame, metres.
    pub point: Option<[f64; 3]>,
    /// The nearest place on what was asked with, or on the other one.
    pub other_point: Option<[f64; 3]>,
    /// The unit normal: of a surface that a ray meets, else from what was asked with to the shape, or from the shape to the other one.
    pub normal: Option<[f64; 3]>,
}

impl Found {
    fn of(collider: &NamedCollider) -> Self {
        Self {
            shape: collider.to_string(),
            other: None,
            distance: None,
            time: None,
            point: None,
            other_point: None,
            normal: None,
        }
    }
}

/// Why a world has no answer to a question.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError {
    /// A number of the question does not fit.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Two bodies turn so fast that it was not found out whether they meet.
    #[error(
        "{bodies} turn so fast that the search for their meeting was given up {seconds:.6} s from now, where they are {distance:.6} m apart: \
         ask for fewer `seconds`, or with fewer and simpler shapes"
    )]
    GivenUp {
        /// The names of the two.
        bodies: String,
        /// Until when they do not meet, seconds from now.
        seconds: f64,
        /// How far apart they are then, metres.
        distance: f64,
    },
    /// A body is not in the world at this step.
    #[error("there is no body {0:?} in this step: it is spawned later, or was removed")]
    NotThen(String),
}

/// What a question found; or why it has no answer: a number that does not fit the scalar of the run, a body that is not there now.
pub type Answer = Result<Vec<Found>, AskError>;

impl<S: Scalar> World<S> {
    /// The answers to some questions, each in the order in which it tells things: the nearest first, or in the order of the state. One
    /// that has none leaves those of the others alone.
    pub fn ask<'a>(&self, queries: impl IntoIterator<Item = &'a Query>) -> Vec<Answer> {
        let asked = self.queries();
        queries.into_iter().map(|query| asked.answer(query)).collect()
    }
}

impl<S: Scalar> Queries<'_, S> {
    fn answer(&self, query: &Query) -> Answer {
        match query {
            Query::Ray { from, to, all, filter } => self.answer_ray([from, to], *all, filter),
            Query::Cast { shape, from, to, orientation, filter } => {
                self.with_probe(Some(shape), from, orientation, filter, |probe, filter| {
                    let displacement = vector(to)? - vector(from)?;
                    let near = S::ONE.scale_by_power_of_two(MEETING_GAP);
                    let met = self.cast_shape(probe, displacement, near, filter);
                    let found = met.map(|met| Found {
                        distance: Some((displacement.length() * met.part).to_f64()),
                        point: Some(plain(met.point)),
                        normal: Some(plain(met.normal)),
                        ..Found::of(&met.collider)
                    });
                    Ok(found.into_iter().collect())
                })
            }
            Query::Overlap { shape, at, orientation, filter } => {
                self.with_probe(Some(shape), at, orientation, filter, |probe, filter| {
                    Ok(self.overlapping(probe, filter).iter().map(near).collect())
                })
            }
            Query::Nearest { at, within, shape, orientation, filter } => {
                self.with_probe(shape.as_ref(), at, orientation, filter, |probe, filter| {
                    let within = to_scalar(ASKER, "within", within)?;
                    Ok(self.nearest(probe, within, filter).iter().map(near).collect())
                })
            }
            Query::Contains { point, filter } => {
                let point = vector(point)?;
                self.with_filter(filter, |filter| Ok(self.containing(point, filter).iter().map(Found::of).collect()))
            }
            Query::Between { bodies } => {
                let found = self.between_bodies(self.ids_of(bodies)?);
                Ok(found
                    .map(|found| pair(&found.colliders, found.distance, found.normal, Some(found.points)))
                    .into_iter()
                    .collect())
            }
            Query::Meet { bodies, seconds } => {
                let near = S::ONE.scale_by_power_of_two(MEETING_GAP);
                let met = self.meeting_of_bodies(self.ids_of(bodies)?, to_scalar(ASKER, "seconds", seconds)?, near);
                if let Some(met) = met.as_ref().filter(|met| met.distance > near) {
                    let bodies = format!("{} and {}", bodies.0, bodies.1);
                    let [seconds, distance] = [met.time, met.distance].map(Scalar::to_f64);
                    return Err(AskError::GivenUp { bodies, seconds, distance });
                }
                let found = met.map(|met| Found {
                    time: Some(met.time.to_f64()),
                    point: Some(plain(met.point)),
                    distance: None,
                    ..pair(&met.colliders, met.distance, met.normal, None)
                });
                Ok(found.into_iter().collect())
            }
        }
    }

    fn answer_ray(&self, [from, to]: [&Vector; 2], all: bool, filter: &SeenBy) -> Result<Vec<Found>, AskError> {
        let (origin, end) = (vector(from)?, vector(to)?);
        // What is too short for the scalar still starts somewhere.
        let (direction, length) = (end - origin).normalise().unwrap_or((Vec3::Y, S::ZERO));
        let ray = Ray { origin, direction, length };
        self.with_filter(filter, |filter| {
            let answers = match all {
                true => self.cast_ray_through(&ray, filter),
                false => self.cast_ray(&ray, filter).into_iter().collect(),
            };
            let found = answers.into_iter().map(|answer| Found {
                distance: Some(answer.distance.to_f64()),
                point: Some(plain(answer.point)),
                normal: Some(plain(answer.normal)),
                ..Found::of(&answer.collider)
            });
            Ok(found.collect())
        })
    }

    /// Asks with a shape, or with a point.
    fn with_probe(
        &self,
        shape: Option<&model::Shape>,
        at: &Vector,
        orientation: &Orientation,
        filter: &SeenBy,
        ask: impl FnOnce(&Probe<'_, S>, &QueryFilter<'_>) -> Result<Vec<Found>, AskError>,
    ) -> Result<Vec<Found>, AskError> {
        let frame = Pose::new(vector(at)?, to_quat(ASKER, orientation)?);
        let (shape, local) = match shape {
            None => (Shape::Sphere { radius: S::ZERO }, Pose::IDENTITY),
            Some(shape) => {
                let resolved = resolve_query_shape(&self.world.scene, shape)
                    .map_err(|error| BuildError::Scene(error.to_string()))?;
                build_shape(ASKER, &resolved, &mut ShapeStore::default())?
            }
        };
        let pose = frame.transform_pose(local);
        self.with_filter(filter, |filter| ask(&Probe { shape: &shape, pose }, filter))
    }

    fn with_filter<T>(
        &self,
        filter: &SeenBy,
        ask: impl FnOnce(&QueryFilter<'_>) -> Result<T, AskError>,
    ) -> Result<T, AskError> {
        let ResolvedQueryFilter { sees, except, sensors } =
            ResolvedQueryFilter::of(&self.world.scene, filter).map_err(|error| BuildError::Scene(error.to_string()))?;
        // One that is not there now is not seen anyway.
        let ids: Vec<u32> = except.iter().filter_map(|name| self.id_of(name)).collect();
        ask(&QueryFilter { sees, except: &ids, sensors })
    }

    fn id_of(&self, name: &str) -> Option<u32> {
        let bodies = &self.world.bodies;
        bodies.index_of_name(name).map(|index| bodies.id[index])
    }

    fn ids_of(&self, (first, second): &(String, String)) -> Result<[u32; 2], AskError> {
        let id = |name: &String| self.id_of(name).ok_or_else(|| AskError::NotThen(name.clone()));
        Ok([id(first)?, id(second)?])
    }
}

/// A vector for people, without minus zero.
fn plain<S: Scalar>(vector: Vec3<S>) -> [f64; 3] {
    vector.to_f64().map(|component| component + 0.0)
}

/// What errors call the question.
const ASKER: &str = "the query";

fn vector<S: Scalar>(vector: &Vector) -> Result<Vec3<S>, BuildError> {
    to_vec3(ASKER, "place", vector)
}

fn near<S: Scalar>(near: &Nearest<S>) -> Found {
    let [of_asker, of_found] = near.points;
    Found {
        distance: Some(near.distance.to_f64()),
        point: Some(plain(of_found)),
        other_point: Some(plain(of_asker)),
        normal: Some(plain(near.normal)),
        ..Found::of(&near.collider)
    }
}

fn pair<S: Scalar>(
    [first, second]: &[NamedCollider; 2],
    distance: S,
    normal: Vec3<S>,
    points: Option<[Vec3<S>; 2]>,
) -> Found {
    let [point, other_point] = points.map_or([None; 2], |points| points.map(|point| Some(plain(point))));
    Found {
        other: Some(second.to_string()),
        distance: Some(distance.to_f64()),
        point,
        other_point,
        normal: Some(plain(normal)),
        ..Found::of(first)
    }
}

//! What is taken out of shapes: points of hulls, triangles of meshes, rows and columns of height fields.

use std::collections::BTreeMap;

use crate::analysis::minimize::Search;
use crate::analysis::minimize::ddmin::ddmin;
use crate::scene::decimal::Decimal;
use crate::scene::hull::HullPoints;
use crate::scene::mesh::{Heights, MeshPoints, Triangles};
use crate::scene::model::{Scene, Shape, Vector};

impl Search<'_> {
    /// Leaves out what shapes are made of.
    pub(super) fn simpler_shapes(&mut self) -> Option<()> {
        for number in 0..self.best.scene.clone().shapes_mut().len() {
            match self.shape(number) {
                Some(Shape::Hull { points, .. }) => self.fewer_points(number, points.points())?,
                Some(Shape::Mesh { points, triangles, .. }) => {
                    self.fewer_triangles(number, &points, triangles.listed())?;
                }
                Some(Shape::HeightField { heights, .. }) => {
                    self.fewer_rows(number, heights.rows())?;
                    self.fewer_columns(number)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// The shape of this number in the best scene.
    fn shape(&self, number: usize) -> Option<Shape> {
        self.best.scene.clone().shapes_mut().get(number).map(|shape| (**shape).clone())
    }

    /// Whether the best scene still shows it with another shape in place of that of this number.
    fn shows_with(&mut self, number: usize, change: impl FnOnce(&mut Shape)) -> Option<bool> {
        let mut scene: Scene = self.best.scene.clone();
        if let Some(shape) = scene.shapes_mut().get_mut(number) {
            change(shape);
        }
        self.shows_from_here(scene)
    }

    fn fewer_points(&mut self, number: usize, all: &[Vector]) -> Option<()> {
        ddmin(all, &mut |kept| {
            self.shows_with(number, |shape| {
                if let Shape::Hull { points, .. } = shape {
                    *points = HullPoints::from(kept.to_vec());
                }
            })
        });
        self.unless_ended()
    }

    fn fewer_triangles(&mut self, number: usize, all: &MeshPoints, triangles: &[(u32, u32, u32)]) -> Option<()> {
        let mut shows = |kept: &[(u32, u32, u32)]| {
            let (used, renumbered) = used_points(all.points(), kept);
            self.shows_with(number, |shape| {
                if let Shape::Mesh { points, triangles, .. } = shape {
                    (*points, *triangles) = (MeshPoints::from(used), Triangles::from(renumbered));
                }
            })
        };
        shows(triangles)?; // without the points that none of them has
        ddmin(triangles, &mut shows);
        self.unless_ended()
    }

    /// A field stays about its middle: what the oracle says of that decides.
    fn fewer_rows(&mut self, number: usize, rows: &[Vec<Decimal>]) -> Option<()> {
        ddmin(rows, &mut |kept| self.shows_with_heights(number, kept.to_vec()));
        self.unless_ended()
    }

    fn fewer_columns(&mut self, number: usize) -> Option<()> {
        let Some(Shape::HeightField { heights, .. }) = self.shape(number) else { return Some(()) };
        let rows = heights.rows();
        let columns: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).collect();
        ddmin(&columns, &mut |kept| {
            let narrower = |row: &Vec<Decimal>| kept.iter().filter_map(|&column| row.get(column).cloned()).collect();
            self.shows_with_heights(number, rows.iter().map(narrower).collect())
        });
        self.unless_ended()
    }

    fn shows_with_heights(&mut self, number: usize, rows: Vec<Vec<Decimal>>) -> Option<bool> {
        self.shows_with(number, |shape| {
            if let Shape::HeightField { heights, .. } = shape {
                *heights = Heights::from(rows);
            }
        })
    }
}

/// The points that some triangles use, in their order, and the triangles by the numbers that these then have.
fn used_points(points: &[Vector], triangles: &[(u32, u32, u32)]) -> (Vec<Vector>, Vec<(u32, u32, u32)>) {
    let corners = triangles.iter().flat_map(|&(a, b, c)| [a, b, c]);
    let mut numbers: BTreeMap<u32, u32> = corners.map(|corner| (corner, 0)).collect();
    for (new, number) in (0..).zip(numbers.values_mut()) {
        *number = new;
    }
    let used = numbers.keys().filter_map(|&corner| points.get(corner as usize).cloned()).collect();
    let renumbered = triangles.iter().map(|(a, b, c)| (numbers[a], numbers[b], numbers[c])).collect();
    (used, renumbered)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use crate::analysis::minimize::repeated::tests::Patient;
    use crate::analysis::minimize::{Answer, Candidate, Oracle, minimise, plain_run};
    use crate::scene;
    use crate::scene::model::{Scene, Shape};
    use crate::session::Session;
    use crate::session::record::RunPlan;
    use crate::world::schedule::Schedule;

    /// Shows it as long as "thing" has not fallen below the ground in half a second.
    struct Held;

    impl Oracle for Held {
        fn ask(&mut self, candidate: &Candidate, _: &mut dyn FnMut() -> bool) -> Answer {
            let scene = Arc::new(candidate.scene.clone());
            let session = Session::<f64>::new(&scene, Schedule::new(scene.inputs.clone()), Vec::new(), 1);
            let Ok(mut session) = session else { return Answer::Hides };
            let is_held = (0..30).all(|_| session.advance(&mut ()).is_ok());
            let bodies = session.world().bodies();
            let thing = bodies.index_of_name("thing").map(|index| bodies.position[index].y);
            let shows = is_held && scene.steps >= 30 && thing.is_some_and(|height| height > 0.0);
            if shows { Answer::Shows { step: None } } else { Answer::Hides }
        }

        fn knows_step(&self) -> bool {
            false
        }

        fn run_of(&self, candidate: &Candidate) -> RunPlan {
            plain_run(&candidate.scene)
        }
    }

    /// What is left of a scene in which a thing of some shape lies on a ground of another one.
    fn smallest(ground: &str, thing: &str) -> Scene {
        let text = format!(
            "(version: 1, name: \"held\", scalar: F64, steps: 40, bodies: [
                (name: \"ground\", kind: Static, shape: {ground}),
                (name: \"thing\", position: Origin(0.2, 0.3, 0.3), shape: {thing})])"
        );
        let scene = scene::parse("test scene", &text).unwrap_or_else(|error| panic!("{error}"));
        minimise(Candidate { scene, start: 0 }, BTreeSet::new(), &mut Held, &mut Patient).best.scene
    }

    fn shape_of(scene: &Scene, name: &str) -> Shape {
        let body = scene.bodies.iter().find(|body| body.name == name);
        body.and_then(|body| body.shape.clone()).unwrap_or_else(|| panic!("{name} is needed"))
    }

    const BALL: &str = "Sphere(radius: 0.25)";

    #[test]
    fn of_a_mesh_the_triangle_is_left_that_holds_something_and_its_points() {
        let scene = smallest(
            "Mesh(points: [(-2, 0, -2), (-2, 0, 2), (0, 0, -2), (0, 0, 2), (2, 0, -2), (2, 0, 2)],
                triangles: [(0, 1, 2), (2, 1, 3), (2, 3, 4), (4, 3, 5)])",
            BALL,
        );
        let Shape::Mesh { points, triangles, .. } = shape_of(&scene, "ground") else { panic!("a mesh") };
        assert_eq!((points.points().len(), triangles.listed()), (3, &[(0, 1, 2)][..]));
    }

    #[test]
    fn of_a_field_two_rows_and_columns_are_left() {
        let row = "[0, 0, 0, 0, 0, 0]";
        let scene = smallest(&format!("HeightField(heights: [{row}, {row}, {row}, {row}], spacing: (1, 1))"), BALL);
        let Shape::HeightField { heights, .. } = shape_of(&scene, "ground") else { panic!("a field") };
        assert_eq!(heights.rows().iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn of_a_hull_four_points_are_left() {
        let scene = smallest(
            "HalfSpace(normal: (0, 1, 0))",
            "Hull(points: [(0.1, 0.1, 0.1), (0.1, -0.1, 0.1), (-0.1, 0.1, 0.1), (-0.1, -0.1, 0.1),
                (0.1, 0.1, -0.1), (0.1, -0.1, -0.1), (-0.1, 0.1, -0.1), (-0.1, -0.1, -0.1)])",
        );
        let Shape::Hull { points, .. } = shape_of(&scene, "thing") else { panic!("a hull") };
        assert_eq!(points.points().len(), 4);
    }
}

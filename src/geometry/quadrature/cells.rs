//! The cells that a solid is cut into, what each adds, and which is cut next.

use crate::geometry::quadrature::chart::Chart;
use crate::geometry::quadrature::gauss::Rule;
use crate::geometry::quadrature::{QuadratureError, Region};

/// How many integrals are found at once: the density times ten monomials, and the volume.
pub(super) const SUMS: usize = 11;
type Sums = [f64; SUMS];

/// A box of coordinates of a chart.
struct Cell {
    chart: usize,
    bounds: [[f64; 2]; 3],
    /// The integrals by the higher order.
    sums: Sums,
    /// What the lower order differs by in the integral where it differs most, in units of the integrals' natural sizes but for the mass.
    error: f64,
}

/// A solid in cells.
pub(super) struct Cells<'a> {
    density: &'a dyn Fn([f64; 3]) -> f64,
    origin: [f64; 3],
    /// What each integral is measured by, but for the mass.
    sizes: Sums,
    charts: Vec<Chart>,
    /// The rules of each chart, the lower order first.
    rules: Vec<(Rule, Rule)>,
    cells: Vec<Cell>,
    /// Of all cells.
    mass: f64,
    error: f64,
    /// Beyond those of the first cells.
    samples: usize,
}

impl<'a> Cells<'a> {
    /// The first cells of a region.
    pub(super) fn new(region: &Region, density: &'a dyn Fn([f64; 3]) -> f64) -> Result<Self, QuadratureError> {
        let charts = region.charts();
        let rules = charts.iter().map(|chart| (Rule::new(chart.orders[0]), Rule::new(chart.orders[1]))).collect();
        let sizes = monomials(region.half_extents());
        let mut all = Self {
            density,
            origin: region.origin(),
            sizes,
            charts,
            rules,
            cells: Vec::new(),
            mass: 0.0,
            error: 0.0,
            samples: 0,
        };
        for chart in 0..all.charts.len() {
            for bounds in first_boxes(&all.charts[chart]) {
                let cell = all.cell(chart, bounds)?;
                all.cells.push(cell);
            }
        }
        all.samples = 0;
        all.add_up();
        Ok(all)
    }

    /// What the orders differ by in all, relative to the mass.
    pub(super) fn error(&self) -> f64 {
        if self.mass > 0.0 { self.error / self.mass } else { 0.0 }
    }

    /// How often the density was asked for since the first cells.
    pub(super) const fn samples(&self) -> usize {
        self.samples
    }

    /// The integrals over all cells.
    pub(super) fn sums(&self) -> Sums {
        self.cells.iter().fold([0.0; SUMS], |all, cell| added(all, cell.sums))
    }

    /// Halves the cell with the largest error along the coordinate where its integrand is roughest.
    pub(super) fn refine(&mut self) -> Result<(), QuadratureError> {
        let mut worst = 0;
        for (number, cell) in self.cells.iter().enumerate() {
            if cell.error > self.cells[worst].error {
                worst = number;
            }
        }
        let Cell { chart, bounds, .. } = self.cells[worst];
        let axis = self.roughest_axis(chart, bounds)?;
        let [low, high] = bounds[axis];
        let middle = (low + high) / 2.0;
        let (mut lower, mut upper) = (bounds, bounds);
        lower[axis] = [low, middle];
        upper[axis] = [middle, high];
        self.cells[worst] = self.cell(chart, lower)?;
        let second = self.cell(chart, upper)?;
        self.cells.push(second);
        self.add_up();
        Ok(())
    }

    fn add_up(&mut self) {
        self.mass = self.cells.iter().map(|cell| cell.sums[0]).sum();
        self.error = self.cells.iter().map(|cell| cell.error).sum();
    }

    fn cell(&mut self, chart: usize, bounds: [[f64; 2]; 3]) -> Result<Cell, QuadratureError> {
        let (low, high) = &self.rules[chart];
        let rough = self.integrate(chart, bounds, low)?;
        let sums = self.integrate(chart, bounds, high)?;
        let mut error = 0.0;
        for ((fine, rough), size) in sums.iter().zip(rough).zip(self.sizes).take(SUMS - 1) {
            let difference = (fine - rough).abs() / size;
            if difference > error {
                error = difference;
            }
        }
        let places = |rule: &Rule| rule.nodes.len() * rule.nodes.len() * rule.nodes.len();
        self.samples += places(low) + places(high);
        Ok(Cell { chart, bounds, sums, error })
    }

    /// The integrals over a box by a rule. Sums are nested like the coordinates, so that each adds up few numbers of one size.
    fn integrate(&self, chart: usize, bounds: [[f64; 2]; 3], rule: &Rule) -> Result<Sums, QuadratureError> {
        let mut all = [0.0; SUMS];
        for (i, first) in rule.weights.iter().enumerate() {
            let mut plane = [0.0; SUMS];
            for (j, second) in rule.weights.iter().enumerate() {
                let mut line = [0.0; SUMS];
                for (k, third) in rule.weights.iter().enumerate() {
                    line = added(line, times(self.sample(chart, bounds, rule, [i, j, k])?, *third));
                }
                plane = added(plane, times(line, *second));
            }
            all = added(all, times(plane, *first));
        }
        Ok(all)
    }

    /// What is integrated, at a place of a rule.
    fn sample(
        &self,
        chart: usize,
        bounds: [[f64; 2]; 3],
        rule: &Rule,
        at: [usize; 3],
    ) -> Result<Sums, QuadratureError> {
        let (mut coordinates, mut scale) = ([0.0; 3], 1.0);
        for axis in 0..3 {
            let [low, high] = bounds[axis];
            let half = (high - low) / 2.0;
            coordinates[axis] = (low + high) / 2.0 + half * rule.nodes[at[axis]];
            scale *= half;
        }
        let place = self.charts[chart].place(coordinates);
        let [x, y, z] = place.point;
        let point = [x + self.origin[0], y + self.origin[1], z + self.origin[2]];
        let value = (self.density)(point);
        if !(value >= 0.0 && value.is_finite()) {
            return Err(QuadratureError::Value { point, value });
        }
        let volume = scale * place.scale;
        let mut sums = times(monomials(place.point), value * volume);
        sums[SUMS - 1] = volume;
        Ok(sums)
    }

    /// The coordinate along which the highest Legendre polynomials take the largest part in what is integrated.
    fn roughest_axis(&self, chart: usize, bounds: [[f64; 2]; 3]) -> Result<usize, QuadratureError> {
        let rule = &self.rules[chart].0;
        let order = rule.nodes.len();
        let mut samples = Vec::with_capacity(order * order * order);
        for place in 0..order * order * order {
            let at = [place / (order * order), place / order % order, place % order];
            samples.push(self.sample(chart, bounds, rule, at)?);
        }
        let strides = [order * order, order, 1];
        let mut roughest = (0, 0.0);
        for axis in 0..3 {
            let (stride, others) = (strides[axis], [strides[(axis + 1) % 3], strides[(axis + 2) % 3]]);
            let mut roughness = 0.0;
            for (j, k) in (0..order).flat_map(|j| (0..order).map(move |k| (j, k))) {
                let start = j * others[0] + k * others[1];
                let line = (0..order).map(|i| &samples[start + i * stride]);
                roughness += rule.weights[j] * rule.weights[k] * self.roughness(rule, line);
            }
            if roughness > roughest.1 {
                roughest = (axis, roughness);
            }
        }
        Ok(roughest.0)
    }

    /// The parts of the two highest Legendre polynomials in what is integrated along a line.
    fn roughness<'b>(&self, rule: &Rule, line: impl Iterator<Item = &'b Sums>) -> f64 {
        let mut parts = [[0.0; SUMS]; 2];
        for ((sample, weight), highest) in line.zip(&rule.weights).zip(&rule.highest) {
            for (part, polynomial) in parts.iter_mut().zip(highest) {
                *part = added(*part, times(*sample, weight * polynomial));
            }
        }
        let measured = |part: Sums| part.into_iter().zip(self.sizes).take(SUMS - 1).map(|(sum, size)| sum.abs() / size);
        parts.into_iter().flat_map(measured).sum()
    }
}

/// The boxes of a chart's first cells.
fn first_boxes(chart: &Chart) -> Vec<[[f64; 2]; 3]> {
    let part = |axis: usize, number: usize| {
        let ([low, high], cuts) = (chart.bounds[axis], chart.cuts[axis]);
        [number, number + 1].map(|cut| if cut == cuts { high } else { low + (high - low) * cut as f64 / cuts as f64 })
    };
    let [first, second, third] = chart.cuts;
    let places = (0..first).flat_map(|i| (0..second).flat_map(move |j| (0..third).map(move |k| [i, j, k])));
    places.map(|[i, j, k]| [part(0, i), part(1, j), part(2, k)]).collect()
}

/// `1, x, y, z, x^2, y^2, z^2, x y, x z, y z`, and a place for the volume.
const fn monomials([x, y, z]: [f64; 3]) -> Sums {
    [1.0, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z, 1.0]
}

fn added(mut all: Sums, more: Sums) -> Sums {
    all.iter_mut().zip(more).for_each(|(sum, part)| *sum += part);
    all
}

fn times(sums: Sums, factor: f64) -> Sums {
    sums.map(|sum| sum * factor)
}

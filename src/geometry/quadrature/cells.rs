//! The cells that a solid is cut into, what each adds, and which is cut next.

use crate::geometry::quadrature::chart::Chart;
use crate::geometry::quadrature::gauss::Rule;
use crate::geometry::quadrature::{QuadratureError, Region};

/// How many integrals are found at once: the density times ten monomials, and the volume or area.
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

/// A solid or a surface in cells.
pub(super) struct Cells<'a> {
    density: &'a dyn Fn([f64; 3]) -> f64,
    unit: &'static str,
    origin: [f64; 3],
    /// What each integral is measured by, but for the mass.
    sizes: Sums,
    charts: Vec<Chart>,
    /// The rules by their orders, the lower first.
    rules: Vec<([usize; 2], [Rule; 2])>,
    /// The rule of the third coordinate of what is flat.
    middle: Rule,
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
        let mut rules: Vec<([usize; 2], [Rule; 2])> = Vec::new();
        for chart in &charts {
            if rules.iter().all(|(orders, _)| *orders != chart.orders) {
                rules.push((chart.orders, chart.orders.map(Rule::new)));
            }
        }
        let sizes = monomials(region.half_extents());
        let mut all = Self {
            density,
            unit: region.unit_of_density(),
            origin: region.origin(),
            sizes,
            charts,
            rules,
            middle: Rule::middle(),
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
        let rough = self.integrate(chart, bounds, self.rules_of(chart, 0))?;
        let sums = self.integrate(chart, bounds, self.rules_of(chart, 1))?;
        let mut error = 0.0;
        for ((fine, rough), size) in sums.iter().zip(rough).zip(self.sizes).take(SUMS - 1) {
            let difference = (fine - rough).abs() / size;
            if difference > error {
                error = difference;
            }
        }
        let places =
            |which: usize| self.rules_of(chart, which).map(|rule| rule.nodes.len()).into_iter().product::<usize>();
        self.samples += places(0) + places(1);
        Ok(Cell { chart, bounds, sums, error })
    }

    /// The rules of the three coordinates of a chart: those of the lower order (0), or of the higher (1).
    fn rules_of(&self, chart: usize, which: usize) -> [&Rule; 3] {
        let Chart { orders, is_flat, .. } = &self.charts[chart];
        let known = self.rules.iter().find(|(known, _)| known == orders);
        let rule = known.map_or(&self.middle, |(_, rules)| &rules[which]);
        [rule, rule, if *is_flat { &self.middle } else { rule }]
    }

    /// The integrals over a box by rules. Sums are nested like the coordinates, so that each adds up few numbers of one size.
    fn integrate(&self, chart: usize, bounds: [[f64; 2]; 3], rules: [&Rule; 3]) -> Result<Sums, QuadratureError> {
        let mut all = [0.0; SUMS];
        for (i, first) in rules[0].weights.iter().enumerate() {
            let mut plane = [0.0; SUMS];
            for (j, second) in rules[1].weights.iter().enumerate() {
                let mut line = [0.0; SUMS];
                for (k, third) in rules[2].weights.iter().enumerate() {
                    line = added(line, times(self.sample(chart, bounds, rules, [i, j, k])?, *third));
                }
                plane = added(plane, times(line, *second));
            }
            all = added(all, times(plane, *first));
        }
        Ok(all)
    }

    /// What is integrated, at a place of the rules.
    fn sample(
        &self,
        chart: usize,
        bounds: [[f64; 2]; 3],
        rules: [&Rule; 3],
        at: [usize; 3],
    ) -> Result<Sums, QuadratureError> {
        let (mut coordinates, mut scale) = ([0.0; 3], 1.0);
        for axis in 0..3 {
            let [low, high] = bounds[axis];
            let half = (high - low) / 2.0;
            coordinates[axis] = (low + high) / 2.0 + half * rules[axis].nodes[at[axis]];
            scale *= half;
        }
        let place = self.charts[chart].place(coordinates);
        let [x, y, z] = place.point;
        let point = [x + self.origin[0], y + self.origin[1], z + self.origin[2]];
        let value = (self.density)(point);
        if !(value >= 0.0 && value.is_finite()) {
            return Err(QuadratureError::Value { point, value, unit: self.unit });
        }
        let volume = scale * place.scale;
        let mut sums = times(monomials(place.point), value * volume);
        sums[SUMS - 1] = volume;
        Ok(sums)
    }

    /// The coordinate along which the highest Legendre polynomials take the largest part in what is integrated.
    fn roughest_axis(&self, chart: usize, bounds: [[f64; 2]; 3]) -> Result<usize, QuadratureError> {
        let rules = self.rules_of(chart, 0);
        let [first, second, third] = rules.map(|rule| rule.nodes.len());
        let mut samples = Vec::with_capacity(first * second * third);
        for place in 0..first * second * third {
            let at = [place / (second * third), place / third % second, place % third];
            samples.push(self.sample(chart, bounds, rules, at)?);
        }
        let strides = [second * third, third, 1];
        let mut roughest = (0, 0.0);
        for axis in 0..3 {
            let [along, next, last] = [axis, (axis + 1) % 3, (axis + 2) % 3];
            let mut roughness = 0.0;
            for (j, by_next) in rules[next].weights.iter().enumerate() {
                for (k, by_last) in rules[last].weights.iter().enumerate() {
                    let start = j * strides[next] + k * strides[last];
                    let line = (0..rules[along].nodes.len()).map(|i| &samples[start + i * strides[along]]);
                    roughness += by_next * by_last * self.roughness(rules[along], line);
                }
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

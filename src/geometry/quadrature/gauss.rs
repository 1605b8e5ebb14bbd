//! Gauss-Legendre rules on the interval from -1 to 1.

/// A rule: where a function is looked at, how much each place counts, and the Legendre polynomials that tell how rough it is.
pub(super) struct Rule {
    /// The places, ascending.
    pub(super) nodes: Vec<f64>,
    /// What each counts; together 2.
    pub(super) weights: Vec<f64>,
    /// At each place the two highest Legendre polynomials that the rule can tell apart: of degree `n - 2` and `n - 1`.
    pub(super) highest: Vec<[f64; 2]>,
}

impl Rule {
    /// The middle alone, for a coordinate that means nothing: what is there counts once.
    pub(super) fn middle() -> Self {
        Self { nodes: vec![0.0], weights: vec![1.0], highest: vec![[0.0; 2]] }
    }

    /// The rule of `order` places, at least two: exact for polynomials up to degree `2 order - 1`.
    ///
    /// The places are the zeros of the Legendre polynomial of this degree, by Newton's method from the usual guess
    /// (P. Davis and P. Rabinowitz 1984, "Methods of Numerical Integration", 2.7).
    pub(super) fn new(order: usize) -> Self {
        let mut rule = Self { nodes: Vec::new(), weights: Vec::new(), highest: Vec::new() };
        for number in (1..=order).rev() {
            let angle = std::f64::consts::PI * (number as f64 - 0.25) / (order as f64 + 0.5);
            let mut place = libm::cos(angle);
            for _ in 0..10 {
                let [_, below, value] = legendre(order, place);
                place -= value / slope(order, place, below, value);
            }
            let [two_below, below, value] = legendre(order, place);
            let slope = slope(order, place, below, value);
            rule.nodes.push(place);
            rule.weights.push(2.0 / ((1.0 - place * place) * slope * slope));
            rule.highest.push([two_below, below]);
        }
        rule
    }
}

/// The Legendre polynomials of the degrees `degree - 2`, `degree - 1` and `degree` at a place, by their recurrence.
fn legendre(degree: usize, place: f64) -> [f64; 3] {
    let mut last = [0.0, 1.0, place];
    for n in 2..=degree {
        let n = n as f64;
        let next = ((2.0 * n - 1.0) * place * last[2] - (n - 1.0) * last[1]) / n;
        last = [last[1], last[2], next];
    }
    last
}

/// The slope of a Legendre polynomial from its value and that of the one below it.
fn slope(degree: usize, place: f64, below: f64, value: f64) -> f64 {
    degree as f64 * (place * value - below) / (place * place - 1.0)
}

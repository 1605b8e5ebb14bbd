//! What can be drawn over time: each quantity is made of columns of the exported tables.

/// A number that a run, or each of its bodies, has at every step.
#[derive(Debug, PartialEq, Eq)]
pub struct Quantity {
    /// What it goes by.
    pub name: &'static str,
    /// Other names of it.
    pub aliases: &'static [&'static str],
    /// What it is, for the name of an axis.
    pub label: &'static str,
    /// The unit; empty for counts.
    pub unit: &'static str,
    /// Whether each body has it, rather than the run.
    pub is_of_body: bool,
    /// The columns it is made of: one, or the components of a vector whose length it is.
    pub columns: &'static [&'static str],
}

impl Quantity {
    /// The value that these columns give.
    #[must_use]
    pub fn value(&self, cell: &dyn Fn(&str) -> f64) -> f64 {
        match self.columns {
            [column] => cell(column),
            columns => libm::sqrt(columns.iter().map(|column| cell(column)).map(|number| number * number).sum()),
        }
    }

    /// Whether it is a count.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.unit.is_empty()
    }

    /// The quantities that a name means: one, or the components of a vector that has no length of interest.
    #[must_use]
    pub fn named(name: &str) -> Vec<&'static Self> {
        if name == "position" {
            return ALL.iter().filter(|quantity| quantity.name.starts_with("position.")).collect();
        }
        ALL.iter().filter(|quantity| quantity.name == name || quantity.aliases.contains(&name)).collect()
    }
}

/// A quantity of the run.
const fn of_run(
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    columns: &'static [&'static str],
) -> Quantity {
    Quantity { name, aliases: &[], label, unit, is_of_body: false, columns }
}

/// A quantity of each body.
const fn of_body(
    name: &'static str,
    aliases: &'static [&'static str],
    label: &'static str,
    unit: &'static str,
    columns: &'static [&'static str],
) -> Quantity {
    Quantity { name, aliases, label, unit, is_of_body: true, columns }
}

const MOMENTUM: [&str; 3] = ["linear_momentum_x", "linear_momentum_y", "linear_momentum_z"];
const ANGULAR_MOMENTUM: [&str; 3] = ["angular_momentum_x", "angular_momentum_y", "angular_momentum_z"];

/// Every quantity.
pub const ALL: &[Quantity] = &[
    of_run("kinetic", "kinetic energy", "J", &["kinetic"]),
    of_run("potential", "potential energy", "J", &["potential"]),
    of_run("total", "total energy", "J", &["total"]),
    of_run("momentum", "momentum", "kg m/s", &MOMENTUM),
    of_run("momentum.x", "momentum x", "kg m/s", &["linear_momentum_x"]),
    of_run("momentum.y", "momentum y", "kg m/s", &["linear_momentum_y"]),
    of_run("momentum.z", "momentum z", "kg m/s", &["linear_momentum_z"]),
    of_run("angular_momentum", "angular momentum", "kg m²/s", &ANGULAR_MOMENTUM),
    of_run("angular_momentum.x", "angular momentum x", "kg m²/s", &["angular_momentum_x"]),
    of_run("angular_momentum.y", "angular momentum y", "kg m²/s", &["angular_momentum_y"]),
    of_run("angular_momentum.z", "angular momentum z", "kg m²/s", &["angular_momentum_z"]),
    of_run("overlap", "largest overlap", "m", &["largest_overlap"]),
    of_run("contacts", "contacts", "", &["contacts"]),
    of_run("contact_points", "contact points", "", &["contact_points"]),
    of_run("bodies", "bodies", "", &["bodies"]),
    of_body("position.x", &["px", "x"], "position x", "m", &["px"]),
    of_body("position.y", &["py", "y"], "position y", "m", &["py"]),
    of_body("position.z", &["pz", "z"], "position z", "m", &["pz"]),
    of_body("speed", &[], "speed", "m/s", &["vx", "vy", "vz"]),
    of_body("velocity.x", &["vx"], "velocity x", "m/s", &["vx"]),
    of_body("velocity.y", &["vy"], "velocity y", "m/s", &["vy"]),
    of_body("velocity.z", &["vz"], "velocity z", "m/s", &["vz"]),
    of_body("angular_speed", &[], "angular speed", "rad/s", &["wx", "wy", "wz"]),
    of_body("angular_velocity.x", &["wx"], "angular velocity x", "rad/s", &["wx"]),
    of_body("angular_velocity.y", &["wy"], "angular velocity y", "rad/s", &["wy"]),
    of_body("angular_velocity.z", &["wz"], "angular velocity z", "rad/s", &["wz"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ALL, Quantity};
    use crate::export::body_table::columns;
    use crate::export::energy::COLUMNS;

    #[test]
    fn quantities_are_made_of_columns_that_tables_have() {
        let of_bodies: Vec<&str> = columns().collect();
        for quantity in ALL {
            let known: &[&str] = if quantity.is_of_body { &of_bodies } else { &COLUMNS };
            assert!(quantity.columns.iter().all(|column| known.contains(column)), "{quantity:?}");
        }
        let used: BTreeSet<&str> = ALL.iter().flat_map(|quantity| quantity.columns.iter().copied()).collect();
        assert!(COLUMNS.iter().all(|column| used.contains(column)), "what is written can be drawn");
    }

    #[test]
    fn a_name_means_one_quantity() {
        let names: Vec<&str> = ALL.iter().flat_map(|one| one.aliases.iter().copied().chain([one.name])).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert_eq!(Quantity::named("px"), Quantity::named("position.x"));
        assert_eq!(Quantity::named("position").len(), 3);
        assert!(Quantity::named("energy").is_empty());
    }

    #[test]
    fn lengths_of_vectors_are_made_of_their_components() {
        let cell = |name: &str| if name == "vx" { 3.0 } else { -4.0 };
        assert_eq!(Quantity::named("velocity.x")[0].value(&cell), 3.0);
        let flat = |name: &str| if name == "vz" { 0.0 } else { cell(name) };
        assert_eq!(Quantity::named("speed")[0].value(&flat), 5.0);
    }
}

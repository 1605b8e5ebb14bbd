//! Faults as text: `KIND@STEP,stage=..,section=..,object=..,field=..,ulps=..,only=..`.

use std::fmt::Display;
use std::str::FromStr;

use crate::world::encode::Section;
use crate::world::fault::{Circumstance, Fault, FaultKind};
use crate::world::stage::Stage;

/// How a fault is written.
pub const FORM: &str = "KIND@STEP[,stage=STAGE][,section=SECTION][,object=NAME][,field=FIELD][,ulps=N][,only=WHEN]";

/// The keys of a fault's text.
const KEYS: [&str; 6] = ["stage", "section", "object", "field", "ulps", "only"];

/// A text that is not a fault; says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; expected {FORM}")]
pub struct FaultError {
    what: String,
}

fn wrong<T>(what: impl Into<String>) -> Result<T, FaultError> {
    Err(FaultError { what: what.into() })
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let Some((kind, rest)) = text.split_once('@') else { return wrong("no `@` behind the kind") };
        if kind == FaultKind::SleepTimer.name() {
            return wrong("sleep_timer: bodies do not sleep yet, so there is no timer to be off");
        }
        let possible = FaultKind::ALL.into_iter().filter(|&kind| kind != FaultKind::SleepTimer);
        let kind = named("kind", kind, &possible.collect::<Vec<_>>(), FaultKind::name)?;
        let (step, rest) = rest.split_once(',').map_or((rest, None), |(step, rest)| (step, Some(rest)));
        let Ok(step) = step.parse() else { return wrong(format!("`{step}` is not a step")) };
        let mut fault = Self::of_kind(kind, step);
        for (key, value) in rest.map_or(Ok(Vec::new()), assignments)? {
            fault.set(key, value)?;
        }
        fault.check()?;
        Ok(fault)
    }
}

impl Fault {
    /// A fault of this kind as it is unless more is said.
    #[must_use]
    pub fn of_kind(kind: FaultKind, step: u32) -> Self {
        let section = kind.section().unwrap_or(Section::World);
        let ulps = i64::from(kind == FaultKind::Ulp);
        Self { kind, step, stage: kind.stage().0, section, object: None, field: None, ulps, only: Vec::new() }
    }

    fn set(&mut self, key: &str, value: String) -> Result<(), FaultError> {
        let name = self.kind.name();
        let refused = |what: &str| wrong(format!("{name} takes no `{what}=`"));
        match key {
            "stage" if !self.kind.stage().1 => return refused("stage"),
            "section" | "field" | "ulps" if !self.kind.names_a_field() => return refused(key),
            "ulps" if self.kind != FaultKind::Ulp => return refused("ulps"),
            "object" if self.kind.section().is_none() => return refused("object"),
            "stage" => self.stage = named("stage", &value, &Stage::ALL, Stage::name)?,
            "section" => self.section = named("section", &value, &Section::ALL, Section::name)?,
            "object" => self.object = Some(value),
            "field" => self.field = Some(value),
            "ulps" => match value.parse() {
                Ok(0) => return wrong("0 ulps change nothing"),
                Ok(ulps) => self.ulps = ulps,
                Err(_) => return wrong(format!("`{value}` is not a number of ulps")),
            },
            _ => {
                for part in value.split('+') {
                    self.only.push(named("circumstance", part, &Circumstance::ALL, Circumstance::name)?);
                }
            }
        }
        Ok(())
    }

    /// What the keys must be together.
    fn check(&self) -> Result<(), FaultError> {
        let name = self.kind.name();
        let is_empty = |text: &Option<String>| text.as_ref().is_none_or(String::is_empty);
        if self.kind.names_a_field() && (is_empty(&self.object) || is_empty(&self.field)) {
            return wrong(format!("{name}: object and field must be named"));
        }
        if self.step == 0 && (self.stage != Stage::Finish || !self.kind.names_a_field()) {
            return wrong(format!("{name}: state 0 comes of no step, so nothing but a field of it can be changed"));
        }
        if self.kind == FaultKind::StaleFeature && self.stage < Stage::NarrowPhase {
            return wrong(format!("{name}: features are found in the narrow phase; before it none can be stale"));
        }
        let field = self.field.as_deref().unwrap_or_default();
        if self.section == Section::World && field == "step" {
            return wrong("the number of the step is what hashes are recorded by: it cannot be off");
        }
        if self.kind == FaultKind::Nan && is_whole_number(field) {
            return wrong(format!("nan: `{field}` is a whole number, and every one of those is a number"));
        }
        if self.stage != Stage::Finish && is_identity(self.section, field) {
            return wrong(format!("`{field}` says which object it is: it can be changed only after the last stage"));
        }
        Ok(())
    }
}

/// Whether a field says which object, or which sort of object, this is: the middle of a step relies on it.
pub(super) fn is_identity(section: Section, field: &str) -> bool {
    let names: &[&str] = match section {
        Section::World => &["step", "next_body_id"],
        Section::Bodies => &["id", "kind"],
        Section::Colliders => &["key.body", "key.part", "shape.kind", "fat_box.kind"],
        Section::Joints => &["id", "kind", "a", "b"],
        Section::Contacts => &["a.body", "a.part", "b.body", "b.part", "count"],
        // No fault names what is derived.
        _derived => &[],
    };
    names.contains(&field)
}

/// Whether a field holds a whole number.
fn is_whole_number(field: &str) -> bool {
    let name = field.rsplit('.').next().unwrap_or(field);
    let whole = [
        "step",
        "next_body_id",
        "id",
        "kind",
        "exponent",
        "length_exponent",
        "a",
        "b",
        "collides",
        "body",
        "part",
        "count",
        "feature",
    ];
    whole.contains(&name)
}

/// What has this name among some.
fn named<T: Copy>(what: &str, name: &str, all: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, FaultError> {
    match all.iter().find(|candidate| name_of(**candidate) == name) {
        Some(found) => Ok(*found),
        None => {
            let names: Vec<&str> = all.iter().map(|candidate| name_of(*candidate)).collect();
            wrong(format!("there is no {what} `{name}`, only {}", names.join(", ")))
        }
    }
}

/// Splits `KEY=VALUE,KEY=VALUE`, where a part that does not begin with a known key belongs to the value before it.
fn assignments(text: &str) -> Result<Vec<(&str, String)>, FaultError> {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for part in text.split(',') {
        let Some((key, value)) = part.split_once('=').filter(|(key, _)| KEYS.contains(key)) else {
            let Some((_, value)) = pairs.last_mut() else { return wrong(format!("no `KEY=` before `{part}`")) };
            value.push(',');
            value.push_str(part);
            continue;
        };
        if pairs.iter().any(|(taken, _)| *taken == key) {
            return wrong(format!("`{key}=` stands twice"));
        }
        pairs.push((key, value.to_owned()));
    }
    Ok(pairs)
}

impl Display for Fault {
    /// The shortest text that reads as this fault.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = Self::of_kind(self.kind, self.step);
        write!(formatter, "{}@{}", self.kind.name(), self.step)?;
        if self.stage != plain.stage {
            write!(formatter, ",stage={}", self.stage.name())?;
        }
        if self.section != plain.section {
            write!(formatter, ",section={}", self.section.name())?;
        }
        for (key, value) in [("object", &self.object), ("field", &self.field)] {
            if let Some(value) = value {
                write!(formatter, ",{key}={value}")?;
            }
        }
        if self.ulps != plain.ulps {
            write!(formatter, ",ulps={}", self.ulps)?;
        }
        if !self.only.is_empty() {
            let names: Vec<&str> = self.only.iter().map(|circumstance| circumstance.name()).collect();
            write!(formatter, ",only={}", names.join("+"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::world::encode::Section;
    use crate::world::fault::{Circumstance, Fault, FaultKind};
    use crate::world::stage::Stage;

    fn read(text: &str) -> Fault {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn names_may_have_commas_and_defaults_hold() {
        let fault = read("ulp@7,object=wall[3,4],field=position.x");
        assert_eq!((fault.step, fault.section, fault.stage, fault.ulps), (7, Section::Bodies, Stage::Finish, 1));
        assert_eq!((fault.object.as_deref(), fault.field.as_deref()), (Some("wall[3,4]"), Some("position.x")));
        let fault = read("ulp@3,ulps=-3,section=contacts,object=a#0 | b#1,field=points[0].feature,stage=narrow_phase");
        assert_eq!((fault.section, fault.stage, fault.ulps), (Section::Contacts, Stage::NarrowPhase, -3));
        assert_eq!(fault.object.as_deref(), Some("a#0 | b#1"));
        let fault = read("gather@5,only=threads+restored");
        assert_eq!((fault.kind, fault.stage), (FaultKind::Gather, Stage::NarrowPhase));
        assert_eq!(fault.only, [Circumstance::Threads, Circumstance::Restored]);
    }

    #[test]
    fn a_fault_reads_as_it_was_written() {
        for text in [
            "ulp@7,object=wall[3,4],field=position.x",
            "ulp@7,stage=forces,section=contacts,object=a#0 | b#1,field=points[0].normal_impulse,ulps=-9",
            "fma@1",
            "fma@1,object=b",
            "swap@2",
            "lost_impulse@3,stage=narrow_phase",
            "stale_feature@3,object=a#0 | b#0",
            "nan@4,object=b,field=linear_velocity.y",
            "order@5",
            "gather@6,only=threads",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_fault_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "no `@`"),
            ("ulp@1", "must be named"),
            ("bit@1,object=a,field=b", "no kind `bit`"),
            ("ulp@x,object=a,field=b", "is not a step"),
            ("ulp@1,a", "no `KEY=`"),
            ("ulp@1,object=a", "must be named"),
            ("ulp@1,field=b", "must be named"),
            ("ulp@1,object=,field=b", "must be named"),
            ("ulp@1,object=a,field=b,ulps=0", "change nothing"),
            ("ulp@1,object=a,field=b,ulps=many", "is not a number of ulps"),
            ("ulp@1,object=a,object=c,field=b", "stands twice"),
            ("ulp@1,object=a,field=b,stage=sleep", "no stage"),
            ("ulp@1,object=a,field=id,stage=forces", "which object it is"),
            ("ulp@0,object=a,field=b,stage=forces", "state 0"),
            ("ulp@3,section=world,object=world,field=step", "recorded by"),
            ("nan@3,section=contacts,object=a#0 | b#0,field=points[0].feature", "is a whole number"),
            ("order@0", "state 0"),
            ("order@4,object=a", "takes no `object=`"),
            ("stale_feature@4,stage=forces", "before it none"),
            ("swap@4,stage=solve", "takes no `stage=`"),
            ("nan@4,object=a,field=b,ulps=2", "takes no `ulps=`"),
            ("gather@4,only=sundays", "no circumstance"),
            ("sleep_timer@4", "do not sleep yet"),
        ] {
            let error = text.parse::<Fault>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}

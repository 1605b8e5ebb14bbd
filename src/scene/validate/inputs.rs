//! Inputs: when they act, with what values, and on bodies that exist at that step.

use std::collections::BTreeMap;

use crate::scene::error::{Problem, listed, quoted};
use crate::scene::generate::has_copy;
use crate::scene::model::{Action, BodyKind, Group, Input, Layout, Point, Scene, Vector};
use crate::scene::nearest::nearest_hint;
use crate::scene::path::Path;
use crate::scene::validate::body::check_body;
use crate::scene::validate::checker::{Checker, Item};
use crate::scene::validate::limits::{self, Limits, MAX_STEPS};

/// When something happens: the step, and the place in the list of inputs, which orders the inputs of one step.
pub(super) type Moment = (u32, usize);

/// Checks all inputs, in the order in which they act.
pub(super) fn check_inputs(checker: &mut Checker<'_>) {
    let lives = Lives::of(checker.scene());
    for (place, input) in checker.scene().inputs.iter().enumerate() {
        if checker.is_full() {
            return;
        }
        let path = Path::root().key("inputs").index(place);
        check_values(checker, input, &path);
        check_target(checker, &lives, input, place, &path);
    }
}

/// Checks what can be said of an input by itself.
pub(super) fn check_values(checker: &mut Checker<'_>, input: &Input, path: &Path) {
    let owner = format!("the input at step {}", input.step);
    let item = Item::new(path.clone(), &owner);
    checker.count(&item.part("step"), input.step, 1..=MAX_STEPS);
    if let Some(through) = input.through {
        checker.count(&item.part("through"), through, input.step.max(1)..=MAX_STEPS.max(input.step));
        if matches!(input.action, Action::Spawn(_) | Action::Remove(_)) && through != input.step {
            checker.add(
                Problem::new(path.key("through"), "a body appears or leaves only once")
                    .expected("`Spawn` and `Remove` act in one step"),
            );
        }
    }
    check_action(checker, &input.action, &Item::new(path.key("action"), &owner));
}

fn check_action(checker: &mut Checker<'_>, action: &Action, item: &Item<'_>) {
    let bounds = &checker.scene().bounds;
    let speed = Limits::around_zero(bounds.speed.exact(), "m/s", "`bounds.speed` says how fast a body may be");
    let spin_hint = "`bounds.angular_speed` says how fast a body may turn";
    let spin = Limits::around_zero(bounds.angular_speed.exact(), "rad/s", spin_hint);
    let point = |checker: &mut Checker<'_>, at: &Option<Point>| {
        if let Some(Point::World(point) | Point::Local(point)) = at {
            checker.vector(&item.part("at"), point, &limits::POINT);
        }
    };
    let optional = |checker: &mut Checker<'_>, key, value: &Option<Vector>, limits: &Limits| {
        if let Some(value) = value {
            checker.vector(&item.part(key), value, limits);
        }
    };
    match action {
        Action::Impulse { impulse, at, body: _ } => {
            checker.vector(&item.part("impulse"), impulse, &limits::INPUT);
            point(checker, at);
        }
        Action::Force { force, at, body: _ } => {
            checker.vector(&item.part("force"), force, &limits::INPUT);
            point(checker, at);
        }
        Action::AngularImpulse { impulse, body: _ } => checker.vector(&item.part("impulse"), impulse, &limits::INPUT),
        Action::Torque { torque, body: _ } => checker.vector(&item.part("torque"), torque, &limits::INPUT),
        Action::SetVelocity { linear, angular, body: _ } => {
            optional(checker, "linear", linear, &speed);
            optional(checker, "angular", angular, &spin);
        }
        Action::AddVelocity { linear, angular, body: _ } => {
            checker.vector(&item.part("linear"), linear, &speed);
            checker.vector(&item.part("angular"), angular, &spin);
        }
        Action::SetGravity(gravity) => checker.vector(item, gravity, &limits::ACCELERATION),
        Action::Spawn(body) => check_body(checker, body, &item.path),
        Action::Remove(_) => {}
    }
}

/// From when to when each body exists.
pub(super) struct Lives<'a> {
    /// Bodies of the scene and spawned ones, with the moment of their spawning and their kinds.
    bodies: BTreeMap<&'a str, (Option<Moment>, BodyKind)>,
    /// Generators.
    groups: BTreeMap<&'a str, &'a Group>,
    /// The first removal of each body.
    removed: BTreeMap<&'a str, Moment>,
}

impl<'a> Lives<'a> {
    pub(super) fn of(scene: &'a Scene) -> Self {
        let mut bodies: BTreeMap<&str, (Option<Moment>, BodyKind)> = BTreeMap::new();
        let mut removed: BTreeMap<&str, Moment> = BTreeMap::new();
        for body in &scene.bodies {
            bodies.insert(&body.name, (None, body.kind));
        }
        for (place, input) in scene.inputs.iter().enumerate() {
            let moment = (input.step, place);
            match &input.action {
                Action::Spawn(body) => {
                    bodies.entry(&body.name).or_insert((Some(moment), body.kind));
                }
                Action::Remove(name) => {
                    let first = removed.entry(name).or_insert(moment);
                    *first = moment.min(*first);
                }
                _ => {}
            }
        }
        let groups = scene.groups.iter().map(|group| (group.name.as_str(), group)).collect();
        Self { bodies, groups, removed }
    }

    /// When a body starts to exist (`None` inside for step 0), or what is wrong with the name.
    pub(super) fn birth(&self, name: &str, path: &Path) -> Result<Option<Moment>, Problem> {
        if let Some((birth, _)) = self.bodies.get(name) {
            return Ok(*birth);
        }
        let unknown = Problem::new(path.clone(), format!("unknown body {}", quoted(name)));
        let unknown = unknown.expected("there is no body of this name in the run");
        let Some((base, indices)) = split_indices(name) else {
            if self.groups.contains_key(name) {
                let hint = "this is a group; name one of its bodies, such as";
                return Err(unknown.hint(format!("{hint} {}", quoted(&self.example(name)))));
            }
            let known = || self.bodies.keys().copied().chain(self.groups.keys().copied());
            return Err(unknown
                .hint(nearest_hint(name, known()))
                .hint(format!("bodies and groups are {}", listed(known()))));
        };
        match self.groups.get(base) {
            Some(group) if has_copy(&group.layout, &indices) => Ok(None),
            Some(_) => Err(unknown.hint(format!("the first body of the group is {}", quoted(&self.example(base))))),
            None if self.groups.is_empty() => Err(unknown.hint("there is no group in this scene".to_owned())),
            None => Err(unknown
                .hint(nearest_hint(base, self.groups.keys().copied()))
                .hint(format!("the groups are {}", listed(self.groups.keys().copied())))),
        }
    }

    /// The kind of a body that is there at some time, or would be if its group had that copy.
    fn kind(&self, name: &str) -> Option<BodyKind> {
        let of_group = || self.groups.get(split_indices(name)?.0).map(|group| group.body.kind);
        self.bodies.get(name).map(|(_, kind)| *kind).or_else(of_group)
    }

    /// The name of the first body of a group.
    fn example(&self, group: &str) -> String {
        let indices = match self.groups.get(group).map(|group| &group.layout) {
            Some(Layout::Stack { .. } | Layout::Chain { .. }) => "0",
            Some(Layout::Wall { .. }) => "0,0",
            _ => "0,0,0",
        };
        format!("{group}[{indices}]")
    }
}

/// The base and the indices of a name such as `wall[3,4]`, when the indices are written as a generator writes them.
pub(super) fn split_indices(name: &str) -> Option<(&str, Vec<u32>)> {
    let (base, rest) = name.split_once('[')?;
    let inner = rest.strip_suffix(']')?;
    let indices: Option<Vec<u32>> =
        inner.split(',').map(|index| index.parse::<u32>().ok().filter(|number| number.to_string() == index)).collect();
    Some((base, indices.unwrap_or_default()))
}

/// The body an input acts on and the key of its name; `Spawn` and `SetGravity` need none.
fn target<'a>(action: &'a Action, path: &Path) -> Option<(&'a str, Path)> {
    let path = path.key("action");
    let name = action.target()?;
    Some((name, if matches!(action, Action::Remove(_)) { path.index(0) } else { path.key("body") }))
}

fn check_target(checker: &mut Checker<'_>, lives: &Lives<'_>, input: &Input, place: usize, path: &Path) {
    let Some((name, path)) = target(&input.action, path) else { return };
    let birth = match lives.birth(name, &path) {
        Ok(birth) => birth,
        Err(problem) => return checker.add(problem),
    };
    if let Some(birth) = birth
        && birth > (input.step, place)
    {
        let title = format!("the body {} does not exist yet at step {}", quoted(name), input.step);
        checker.add(Problem::new(path.clone(), title).expected(format!("it is spawned at step {}", birth.0)));
    }
    if matches!(input.action, Action::SetVelocity { .. } | Action::AddVelocity { .. })
        && lives.kind(name) == Some(BodyKind::Static)
    {
        let title = format!("the body {} is static and never moves", quoted(name));
        checker.add(Problem::new(path.clone(), title).expected("a body of another kind, for a velocity"));
    }
    let last = (input.through.unwrap_or(input.step), place);
    if let Some(removed) = lives.removed.get(name)
        && *removed < last
    {
        let title = format!("the body {} no longer exists at step {}", quoted(name), last.0);
        checker.add(Problem::new(path, title).expected(format!("it is removed at step {}", removed.0)));
    }
}

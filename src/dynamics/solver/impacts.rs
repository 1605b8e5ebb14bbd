//! Impacts within a substep, in the order in which they happen.
//!
//! Between two moments of semi-implicit Euler a body flies a parabola that meets both: a substep of length `h` that begins at
//! `x` and ends with velocity `v` has `x(t) = x + (v - a h/2) t + a t^2/2`. So the time of an impact and the speed there are
//! known exactly. A body that is struck at `t` gets the velocity that makes it end where, and as fast as, it would end after
//! bouncing at `t`; and it is shifted back by what that velocity would have moved it before `t`. Later impacts of the same
//! substep see it on its new path.
//!
//! An impact happens when it is the earliest of both its bodies. All such impacts share no body, so they happen at once; then
//! the paths of their bodies are looked at anew, until nothing meets any more.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::friction::solve_friction;
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::open::{FirstTouch, first_touch};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::poses::Scenery;
use crate::dynamics::solver::refresh::small_turn;
use crate::dynamics::solver::rows::{ContactRows, NONE, PointRows};
use crate::math::Scalar;

/// Rounds of impacts in a substep, at most: a chain of this many links passes on a blow in one substep.
const MOST_ROUNDS: u32 = 2048;
/// Impacts of one contact in a substep that may bounce. What strikes more often comes to rest (inelastic collapse: S. McNamara,
/// W. R. Young, "Inelastic collapse in two dimensions", 1994).
const MOST_BOUNCES: u8 = 64;
/// Sweeps over the points of one impact.
const SWEEPS: u32 = 16;
/// Passes over normals and friction of one impact.
const PASSES: u32 = 2;

/// What the impacts of a step need beside rows and bodies.
#[derive(Clone, Debug)]
pub struct Impacts<S> {
    /// Seconds since the start of the substep at which each body was last struck.
    struck_at: Vec<S>,
    /// The bodies that were struck in this substep.
    struck: Vec<u32>,
    /// The links of each body: from `first_link[body]` to the next.
    first_link: Vec<u32>,
    /// Links by body. A link is a place of the rows made at the start of the step, or behind all those an open pair.
    links: Vec<u32>,
    /// Links that came about within the step: bodies and their link.
    late: Vec<(u32, u32)>,
    /// How often each link has struck in this substep.
    count: Vec<u8>,
    /// What is about to happen.
    pending: Vec<Event<S>>,
    /// The earliest event of each body, by its place among the pending ones.
    earliest: Vec<u32>,
}

impl<S> Default for Impacts<S> {
    fn default() -> Self {
        Self {
            struck_at: Vec::new(),
            struck: Vec::new(),
            first_link: Vec::new(),
            links: Vec::new(),
            late: Vec::new(),
            count: Vec::new(),
            pending: Vec::new(),
            earliest: Vec::new(),
        }
    }
}

/// Two shapes that are about to meet.
#[derive(Clone, Debug)]
struct Event<S> {
    link: u32,
    bodies: [u32; 2],
    /// Seconds since the start of the substep.
    time: S,
    what: Happening<S>,
}

/// What happens between two shapes.
#[derive(Clone, Debug)]
enum Happening<S> {
    /// They meet, and had no rows.
    Touch(FirstTouch<S>),
    /// Points of their contact strike.
    Strike,
    /// They have turned so far that their contact must be looked at again.
    Turn,
}

impl<S: Scalar> Impacts<S> {
    /// Makes room for the bodies and links of a step.
    pub(super) fn begin_step(&mut self, bodies: usize, rows: &[ContactRows<S>], open: &[super::open::OpenPair<S>]) {
        self.struck_at.clear();
        self.struck_at.resize(bodies, S::ZERO);
        self.struck.clear();
        self.earliest.clear();
        self.earliest.resize(bodies, NONE);
        self.late.clear();
        self.count.clear();
        self.count.resize(rows.len() + open.len(), 0);
        let pairs = rows.iter().map(|rows| rows.bodies).chain(open.iter().map(|open| open.bodies));
        self.first_link.clear();
        self.first_link.resize(bodies + 1, 0);
        for body in pairs.clone().flatten() {
            self.first_link[body as usize + 1] += 1;
        }
        for body in 0..bodies {
            self.first_link[body + 1] += self.first_link[body];
        }
        self.links.clear();
        self.links.resize(self.first_link.last().map_or(0, |&last| last as usize), NONE);
        let mut next = self.first_link.clone();
        for (link, bodies) in (0_u32..).zip(pairs) {
            for body in bodies {
                let place = &mut next[body as usize];
                self.links[*place as usize] = link;
                *place += 1;
            }
        }
    }

    /// Forgets the impacts of the substep before.
    fn begin_substep(&mut self) {
        for body in self.struck.drain(..) {
            self.struck_at[body as usize] = S::ZERO;
        }
        self.count.fill(0);
        self.pending.clear();
    }

    /// The links of a body.
    pub(super) fn links_of(&self, body: u32) -> impl Iterator<Item = u32> {
        let [from, to] = [body, body + 1].map(|place| self.first_link[place as usize] as usize);
        let late = self.late.iter().filter(move |(of, _)| *of == body).map(|(_, link)| *link);
        self.links[from..to].iter().copied().chain(late)
    }

    /// Adds a link behind all others.
    pub(super) fn add_link(&mut self, bodies: [u32; 2]) {
        let link = u32::try_from(self.count.len()).unwrap_or(NONE);
        self.count.push(0);
        self.late.extend(bodies.map(|body| (body, link)));
    }

    /// When a path of both bodies begins that nothing has broken yet.
    fn free_since(&self, bodies: [u32; 2]) -> S {
        let [a, b] = bodies.map(|body| self.struck_at[body as usize]);
        a.max(b)
    }
}

/// An impact of one point.
#[derive(Clone, Copy, Debug)]
struct Hit<S> {
    time: S,
    /// Speed along the normal just before, negative.
    speed: S,
}

impl<S: Scalar> Solve<'_, S> {
    /// Lets everything strike that meets within this substep.
    ///
    /// `left` is the time in seconds until the end of the step.
    pub(super) fn strike_impacts(&mut self, left: S) {
        self.impacts.begin_substep();
        self.find_events();
        for _ in 0..MOST_ROUNDS {
            if self.impacts.pending.is_empty() {
                return;
            }
            let happening = self.take_earliest();
            let mut changed = Vec::new();
            for event in &happening {
                if self.happen(event) {
                    changed.extend(event.bodies.iter().filter(|&&body| self.can_be_pushed(body)));
                }
            }
            self.add_strays(&changed, left);
            self.look_again(&changed);
        }
    }

    /// Looks at every link for the first time in this substep.
    fn find_events(&mut self) {
        let rows = self.links_of_rows();
        for link in 0..rows {
            self.find_event(link);
        }
        for (index, link) in (rows..).enumerate().take(self.open.len()) {
            let open = &self.open[index];
            if open.rows != NONE || !open.is_out_of_reach(self.bodies, self.motion, self.settings.substep_seconds) {
                self.find_event(link);
            }
        }
    }

    /// The number of links that are rows made at the start of the step.
    pub(super) fn links_of_rows(&self) -> u32 {
        u32::try_from(self.impacts.count.len() - self.open.len()).unwrap_or(u32::MAX)
    }

    /// Adds what is about to happen on a link.
    fn find_event(&mut self, link: u32) {
        let rows = self.links_of_rows();
        let place = if link < rows { link } else { self.open[(link - rows) as usize].rows };
        if place != NONE {
            self.find_strike(link, place as usize);
            return;
        }
        let open = &self.open[(link - rows) as usize];
        let bodies = open.bodies;
        let from = self.impacts.free_since(bodies);
        let (touch, gap) = first_touch(open, self.scenery(), (from, self.settings.substep_seconds));
        if from == S::ZERO {
            self.open[(link - rows) as usize].remember(gap, self.motion);
        }
        if let Some(touch) = touch {
            self.impacts.pending.push(Event { link, bodies, time: touch.time, what: Happening::Touch(touch) });
        }
    }

    /// Adds the next strike of a contact with rows, or the moment at which its rows are no longer true.
    fn find_strike(&mut self, link: u32, place: usize) {
        let contact = &self.rows.contacts[place];
        if contact.is_over(self.rows, place) {
            return;
        }
        let bodies = contact.bodies;
        let until = self.true_until(contact);
        let strike = earliest(&self.hits(contact)).filter(|&time| until.is_none_or(|until| time <= until));
        if let Some(time) = strike {
            self.impacts.pending.push(Event { link, bodies, time, what: Happening::Strike });
        } else if let Some(time) = until {
            self.impacts.pending.push(Event { link, bodies, time, what: Happening::Turn });
        }
    }

    /// Until when the rows of a contact are true, where its bodies turn so fast that this ends within the substep.
    fn true_until(&self, contact: &ContactRows<S>) -> Option<S> {
        let rate = self.shape_spin(contact);
        let h = self.settings.substep_seconds;
        if rate * h <= small_turn() {
            return None;
        }
        let since = contact.seen_at.max(self.impacts.free_since(contact.bodies));
        Some(since + small_turn::<S>() / rate).filter(|&time| time < h)
    }

    /// Takes out the events that are the earliest of all bodies that they can change.
    fn take_earliest(&mut self) -> Vec<Event<S>> {
        for number in 0..self.impacts.pending.len() {
            for body in self.impacts.pending[number].bodies {
                if self.can_be_pushed(body) {
                    let best = self.impacts.earliest[body as usize];
                    if best == NONE || self.comes_before(number, best as usize) {
                        self.impacts.earliest[body as usize] = u32::try_from(number).unwrap_or(NONE);
                    }
                }
            }
        }
        let is_first: Vec<bool> = (0..self.impacts.pending.len())
            .map(|number| {
                let event = &self.impacts.pending[number];
                let first = |body: u32| self.impacts.earliest[body as usize] as usize == number;
                event.bodies.iter().all(|&body| !self.can_be_pushed(body) || first(body))
            })
            .collect();
        for event in &self.impacts.pending {
            for body in event.bodies {
                self.impacts.earliest[body as usize] = NONE;
            }
        }
        let mut happening = Vec::new();
        let mut waiting = Vec::new();
        for (event, first) in self.impacts.pending.drain(..).zip(is_first) {
            if first { happening.push(event) } else { waiting.push(event) }
        }
        self.impacts.pending = waiting;
        happening
    }

    /// Whether one pending event comes before another.
    fn comes_before(&self, number: usize, other: usize) -> bool {
        let [first, second] = [number, other].map(|number| &self.impacts.pending[number]);
        first.time < second.time || (first.time == second.time && first.link < second.link)
    }

    /// Looks anew at every link of these bodies.
    fn look_again(&mut self, changed: &[u32]) {
        if changed.is_empty() {
            return;
        }
        let is_changed = |body: &u32| changed.contains(body);
        self.impacts.pending.retain(|event| !event.bodies.iter().any(is_changed));
        let mut links: Vec<u32> = Vec::new();
        for &body in changed {
            links.extend(self.impacts.links_of(body));
        }
        links.sort_unstable();
        links.dedup();
        for link in links {
            self.find_event(link);
        }
    }

    /// Lets one event happen; whether it changed a velocity.
    fn happen(&mut self, event: &Event<S>) -> bool {
        let rows = self.links_of_rows();
        let mut has_turned = false;
        for body in event.bodies.map(|body| body as usize) {
            let follows =
                !matches!(event.what, Happening::Turn) || self.motion.turns_far(self.bodies, body, event.time);
            has_turned |= follows && self.motion.follow_turn(self.bodies, body, event.time, self.settings);
        }
        let place = match &event.what {
            Happening::Touch(touch) => self.close(event.link - rows, touch),
            _ if event.link < rows => event.link,
            _ => self.open[(event.link - rows) as usize].rows,
        };
        if place == NONE {
            return has_turned;
        }
        if matches!(event.what, Happening::Strike) && (has_turned || self.is_first_blow(place as usize)) {
            self.look_at(place as usize, event.time);
        }
        if matches!(event.what, Happening::Turn) {
            self.look_at(place as usize, event.time);
            self.find_strike(event.link, place as usize);
            return has_turned;
        }
        let hits = self.hits(&self.rows.contacts[place as usize]);
        let now = event.time + self.moment();
        let Some(time) = earliest(&hits).filter(|&time| time <= now) else {
            self.find_strike(event.link, place as usize);
            return has_turned;
        };
        let count = &mut self.impacts.count[event.link as usize];
        *count = count.saturating_add(1);
        let bounces = self.impacts.count[event.link as usize] <= MOST_BOUNCES;
        self.strike(place, time, &hits, bounces);
        true
    }

    /// When, and how fast, the points of a contact strike on the present paths.
    fn hits(&self, contact: &ContactRows<S>) -> [Option<Hit<S>>; MAX_POINTS] {
        let normal = contact.directions[0];
        let motion = PairMotion::load(contact.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let mut hits = [None; MAX_POINTS];
        let points = &self.rows.points[contact.points.start..contact.points.start + contact.count];
        for (hit, point) in hits.iter_mut().zip(points) {
            let speed = motion.along(normal, &point.normal);
            if speed < S::ZERO {
                *hit = self.hit(contact, point, speed);
            }
        }
        hits
    }

    /// The impact of a point that approaches with `speed` at the end of the substep, if there is one worth the name.
    fn hit(&self, contact: &ContactRows<S>, point: &PointRows<S>, speed: S) -> Option<Hit<S>> {
        let (normal, row) = (contact.directions[0], &point.normal);
        let h = self.settings.substep_seconds;
        let accelerations =
            PairMotion::load(contact.bodies, &self.motion.linear_acceleration, &self.motion.angular_acceleration);
        let acceleration = accelerations.along(normal, row);
        let least = self.least_impact(acceleration);
        if acceleration.abs() * h * S::HALF - speed <= least {
            return None;
        }
        let moved = PairMotion::load(contact.bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let separation = point.separation + moved.along(normal, row);
        let mut from = self.impacts.free_since(contact.bodies);
        if self.shape_spin(contact) * h > small_turn() {
            from = from.max(contact.seen_at);
        }
        let path = Path { separation, speed, acceleration };
        path.impact(from, h).filter(|hit| -hit.speed > least)
    }

    /// The speed up to which a contact closes without an impact. What would bounce for less than two substeps is at rest.
    fn least_impact(&self, acceleration: S) -> S {
        let slow = self.settings.solver.restitution_threshold.min(S::HALF * S::HALF);
        slow.max(acceleration.abs() * self.settings.substep_seconds)
    }

    /// How near in time, in seconds, strikes are to each other that happen at once.
    fn moment(&self) -> S {
        self.settings.substep_seconds.scale_by_power_of_two(-6)
    }

    /// Strikes the points of a contact that meet at `time`.
    fn strike(&mut self, place: u32, time: S, hits: &[Option<Hit<S>>; MAX_POINTS], bounces: bool) {
        let together = time + self.moment();
        let threshold = self.settings.solver.restitution_threshold;
        let mut view = self.rows.view(place as usize);
        let (bodies, push) = (view.contact.bodies, view.contact.push);
        let normal = view.contact.directions[0];
        let before = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let mut targets = [Target::IDLE; MAX_POINTS];
        for (index, point) in view.points.iter_mut().enumerate() {
            let Some(hit) = hits[index].filter(|hit| hit.time <= together) else { continue };
            let restitution =
                if bounces && -hit.speed > threshold { view.contact.surface.restitution } else { S::ZERO };
            let speed = before.along(normal, &point.normal);
            targets[index] = Target::rigid((S::ONE + restitution) * hit.speed - speed);
            point.struck |= point.separation + moved.along(normal, &point.normal) > S::ZERO;
            self.counts.bounced += u64::from(restitution > S::ZERO);
        }
        let kept = KeptImpulses::take(&mut view);
        let mut now = before;
        for _ in 0..PASSES {
            let how = NormalSolve { sweeps: SWEEPS, accumulates: true };
            solve_normals(&mut now, view.contact, view.points, &targets, how);
            solve_friction(&mut now, &mut view, |point| point.impulse);
        }
        for point in view.points.iter_mut() {
            point.total += point.impulse;
        }
        kept.put_back(&mut view);
        now.store(view.contact, &mut self.bodies.linear_velocity, &mut self.bodies.angular_velocity);
        for side in 0..2 {
            if push[side] != S::ZERO {
                let index = bodies[side] as usize;
                let old = [before.linear[side], before.angular[side]];
                self.motion.begin_anew(self.bodies, index, old, time, self.settings);
                self.impacts.struck_at[index] = time;
                self.impacts.struck.push(bodies[side]);
            }
        }
    }

    /// Whether impulses change this body.
    fn can_be_pushed(&self, body: u32) -> bool {
        !self.bodies.inverse_mass[body as usize].is_zero()
    }

    /// The bodies and their shapes as they are now.
    pub(super) fn scenery(&self) -> Scenery<'_, S> {
        let (precession, rotation) = (&self.motion.precession, self.settings.rotation);
        Scenery { bodies: self.bodies, colliders: self.colliders, precession, rotation }
    }
}

fn earliest<S: Scalar>(hits: &[Option<Hit<S>>; MAX_POINTS]) -> Option<S> {
    hits.iter().flatten().map(|hit| hit.time).reduce(S::min)
}

/// The gap of a point over the time of a substep of length `h`: `separation + (speed - a h/2) t + a t^2/2`.
struct Path<S> {
    separation: S,
    /// At the end of the substep.
    speed: S,
    acceleration: S,
}

impl<S: Scalar> Path<S> {
    /// Where the gap closes between `from` and `h`.
    fn impact(&self, from: S, h: S) -> Option<Hit<S>> {
        let Self { separation, speed, acceleration } = *self;
        let at_start = speed - acceleration * h * S::HALF;
        let gap = separation + at_start * from + acceleration * from * from * S::HALF;
        let now = at_start + acceleration * from;
        if gap <= S::ZERO {
            return (now < S::ZERO).then_some(Hit { time: from, speed: now });
        }
        let end = separation + speed * h;
        let nearly = S::ONE.scale_by_power_of_two(-20);
        if end >= nearly || (now >= S::ZERO && (acceleration >= S::ZERO || end >= S::ZERO)) {
            return None;
        }
        let struck = -(now * now - (acceleration * gap) * S::TWO).max(S::ZERO).sqrt();
        let wait = if now <= S::ZERO {
            let sum = -struck - now;
            if sum > S::ZERO { S::TWO * gap / sum } else { h }
        } else {
            (now - struck) / -acceleration
        };
        Some(Hit { time: (from + wait).min(h), speed: struck })
    }
}

/// The impulses that a contact keeps, put aside while an impact uses its rows.
struct KeptImpulses<S> {
    points: [S; MAX_POINTS],
    friction: [[S; 2]; MAX_POINTS],
    twist: S,
    rolling: [S; 2],
}

impl<S: Scalar> KeptImpulses<S> {
    fn take(view: &mut super::rows::ContactView<'_, S>) -> Self {
        let mut kept = Self {
            points: [S::ZERO; MAX_POINTS],
            friction: [[S::ZERO; 2]; MAX_POINTS],
            twist: std::mem::take(&mut view.contact.twist.impulse),
            rolling: view.rolling.as_mut().map_or([S::ZERO; 2], |rolling| std::mem::take(&mut rolling.impulse)),
        };
        for (kept, point) in kept.points.iter_mut().zip(view.points.iter_mut()) {
            *kept = std::mem::take(&mut point.impulse);
        }
        for (kept, disc) in kept.friction.iter_mut().zip(view.friction.iter_mut()) {
            *kept = std::mem::take(&mut disc.impulse);
        }
        kept
    }

    fn put_back(self, view: &mut super::rows::ContactView<'_, S>) {
        view.contact.twist.impulse = self.twist;
        if let Some(rolling) = &mut view.rolling {
            rolling.impulse = self.rolling;
        }
        for (kept, point) in self.points.into_iter().zip(view.points.iter_mut()) {
            point.impulse = kept;
        }
        for (kept, disc) in self.friction.into_iter().zip(view.friction.iter_mut()) {
            disc.impulse = kept;
        }
    }
}

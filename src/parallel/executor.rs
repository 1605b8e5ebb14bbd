//! Hands parallel work out to the threads of a run.

use crate::math::SplitMix64;
use crate::parallel::shared::columns::{Columns, Parts};
use crate::parallel::team::{Attendance, Team};
use crate::parallel::{Exercised, Parallelism, Scheduling};

/// Items in a part of a scrambled run, at most.
const SMALL_GRAIN: u64 = 4;
/// Items for which a scrambled run wakes its threads, where the work on each is short, and one in how many such calls does: all of
/// them would take longer than the step.
const LEAST_DEALT: usize = 8;
const DEALT_ONE_IN: u64 = 8;
/// Such calls of a step in which a scrambled run wakes its threads, in the mean and at most: large scenes have thousands, and each costs
/// every thread a turn on a processor that others may want.
const MOST_DEALT: u64 = 16;
/// Parts for which threads that sleep are woken, at some ten microseconds each: before they have come, half of fewer is done.
const WORTH_WAKING: usize = 16;

/// Items for which a scrambled run wakes its threads, where a plain run hands out so many at a time: two, where the work on each is
/// a part in itself.
const fn least_dealt(grain: usize) -> usize {
    if grain == 1 { 2 } else { LEAST_DEALT }
}

/// Does the part of a number, or the next one; false where there is none, or none left. Behind it stands the work of one call,
/// which would otherwise be compiled once for each way in which parts come to threads.
type DoPart<'a> = dyn Fn(Option<usize>) -> bool + Sync + 'a;

/// Runs independent work on one or more threads.
#[derive(Debug)]
pub struct Executor {
    /// The threads of each number in turn, made once; `None` where the calling thread works alone.
    teams: Vec<Option<Team>>,
    /// Which of them works in this step.
    turn: usize,
    scheduling: Scheduling,
    /// What cuts and permutes the parts of this step.
    random: SplitMix64,
    exercised: Exercised,
    /// In how many short calls of this step, of a scrambled run, one is dealt out.
    dealt_one_in: u64,
    /// Short calls of this step so far.
    short_calls: u64,
    /// Whether threads were woken in this step: so they are likely to be needed in the next.
    has_woken: bool,
    /// Room for the order of parts.
    order: Vec<u32>,
}

impl Default for Executor {
    fn default() -> Self {
        Self {
            teams: Vec::new(),
            turn: 0,
            scheduling: Scheduling::Plain,
            random: SplitMix64::new(0),
            exercised: Exercised::default(),
            dealt_one_in: DEALT_ONE_IN,
            short_calls: 0,
            has_woken: false,
            order: Vec::new(),
        }
    }
}

impl Executor {
    /// Work on this many threads; on one where the machine cannot give more.
    #[must_use]
    pub fn new(parallelism: Parallelism) -> Self {
        let teams = parallelism.thread_counts().into_iter().map(Team::new).collect();
        Self { teams, scheduling: parallelism.scheduling, ..Self::default() }
    }

    /// Gets ready for a step: which threads work in it, and in which order, follows from its number and the seed alone.
    pub fn begin_step(&mut self, step: u32) {
        let seed = match self.scheduling {
            Scheduling::Plain => 0,
            Scheduling::Scrambled { seed } | Scheduling::ScrambledInTurn { seed } => seed,
        };
        self.turn = (u64::from(step).wrapping_add(seed) % self.teams.len().max(1) as u64) as usize;
        self.random = SplitMix64::new(seed.wrapping_mul(0x0001_0000_0001).wrapping_add(u64::from(step)));
        self.dealt_one_in = DEALT_ONE_IN.max(std::mem::take(&mut self.short_calls) / MOST_DEALT);
        let team = self.teams.get(self.turn).and_then(Option::as_ref);
        let threads = team.map_or(1, |team| u32::try_from(team.members()).unwrap_or(u32::MAX));
        if let Err(place) = self.exercised.threads.binary_search(&threads) {
            self.exercised.threads.insert(place, threads);
        }
        if let Some(team) = team {
            // A scrambled run waits for everyone: who sleeps is up sooner than who only yields to others.
            match self.scheduling {
                Scheduling::Plain if std::mem::take(&mut self.has_woken) => team.wake(),
                Scheduling::Plain => {}
                Scheduling::Scrambled { .. } | Scheduling::ScrambledInTurn { .. } => team.rest(),
            }
        }
    }

    /// Lets the threads sleep until there is work again.
    pub fn end_step(&mut self) {
        if let Some(team) = self.team() {
            team.rest();
        }
    }

    /// Wakes the threads where so many parts in all are worth that: for calls of few parts that are about to follow each other
    /// closely, none of which would wake them.
    pub fn wake_for(&mut self, parts: usize) {
        if let Some(team) = self.team()
            && parts >= WORTH_WAKING
        {
            team.wake();
        }
    }

    /// What threads really did so far.
    #[must_use]
    pub const fn exercised(&self) -> &Exercised {
        &self.exercised
    }

    /// How many things to put in one piece that is handed out whole: `most`, but one in a scrambled run, so that small scenes come in
    /// several pieces too.
    #[must_use]
    pub fn piece(&self, most: usize) -> usize {
        if self.scheduling == Scheduling::Plain { most } else { 1 }
    }

    /// Writes `work(item)` to the slot of each item; both slices have one length. `grain` as for [`Self::for_each_part`].
    pub fn map<T: Sync, R: Send>(&mut self, grain: usize, items: &[T], slots: &mut [R], work: impl Fn(&T) -> R + Sync) {
        let work_on = |(items, slots): (&[T], &mut [R])| {
            items.iter().zip(slots).for_each(|(item, slot)| *slot = work(item));
        };
        self.share(grain, 2, (items, slots), |_, part| work_on(part));
    }

    /// Does work on each part of some columns, which is told the number of its first item.
    ///
    /// `grain` is the number of items in a part of a plain run. It is a constant of the work, large enough that a part takes some
    /// ten microseconds, whatever the number of threads: what fits into one part stays on the calling thread. A call costs the
    /// calling thread 0.3 microseconds where the others are awake, and 14 where they have to be woken.
    pub fn for_each_part<C: Columns>(&mut self, grain: usize, columns: C, work: impl Fn(usize, C::Part) + Sync) {
        self.short_calls += 1;
        let is_dealt = self.scheduling == Scheduling::Plain || self.random.below(self.dealt_one_in) == 0;
        self.share(grain, if is_dealt { least_dealt(grain) } else { usize::MAX }, columns, work);
    }

    /// Shares work out, in a scrambled run from so many items on.
    fn share<C: Columns>(&mut self, grain: usize, least: usize, columns: C, work: impl Fn(usize, C::Part) + Sync) {
        let length = columns.length();
        let parts = match self.scheduling {
            Scheduling::Plain => Parts::in_order(columns, if self.team().is_some() { grain } else { usize::MAX }),
            Scheduling::Scrambled { .. } | Scheduling::ScrambledInTurn { .. } => {
                Parts::by_number(columns, self.small_grain(length))
            }
        };
        let do_part = |number: Option<usize>| {
            let part = number.map_or_else(|| parts.next(), |number| parts.take(number));
            part.map(|(first, part)| work(first, part)).is_some()
        };
        match self.scheduling {
            Scheduling::Plain => self.hand_out(parts.count(), &do_part),
            Scheduling::Scrambled { .. } | Scheduling::ScrambledInTurn { .. } => {
                self.deal_out(parts.count(), length >= least, &do_part);
            }
        }
    }

    /// Lets whoever is there take one part after the other.
    fn hand_out(&mut self, parts: usize, do_part: &DoPart<'_>) {
        let do_all = |_: usize| while do_part(None) {};
        match self.teams.get_mut(self.turn).and_then(Option::as_mut).filter(|_| parts > 1) {
            Some(team) => {
                self.exercised.parallel_calls += 1;
                let is_worth_waking = parts >= WORTH_WAKING;
                self.has_woken |= is_worth_waking;
                team.call(if is_worth_waking { Attendance::Woken } else { Attendance::Awake }, &do_all);
            }
            None => do_all(0),
        }
    }

    /// Deals parts out in a random order, to the threads in turn from some thread on. Left to themselves, the first thread would
    /// have done a few small parts before another woke up.
    fn deal_out(&mut self, parts: usize, is_dealt: bool, do_part: &DoPart<'_>) {
        self.permute(parts);
        let (order, first) = (&self.order, self.random.bits() as usize);
        let do_hand = |member: usize, members: usize| {
            let hand = order.iter().skip((first % members + member) % members).step_by(members);
            for &number in hand {
                do_part(Some(number as usize));
            }
        };
        match self.teams.get_mut(self.turn).and_then(Option::as_mut).filter(|_| is_dealt) {
            Some(team) => {
                self.exercised.parallel_calls += u64::from(parts > 1);
                let members = team.members();
                team.call(Attendance::Full, &|member| do_hand(member, members));
            }
            None => do_hand(0, 1),
        }
    }

    /// Items in a part of a scrambled run: two items are two parts at least, for fewer would share nothing out.
    fn small_grain(&mut self, items: usize) -> usize {
        let most = SMALL_GRAIN.min(items as u64 / 2).max(1);
        1 + self.random.below(most) as usize
    }

    /// Who works in this step; nobody where the calling thread works alone.
    fn team(&self) -> Option<&Team> {
        self.teams.get(self.turn).and_then(Option::as_ref)
    }

    /// Whether work on so many items would be shared out among threads, cut into parts of `grain`: where it would not, there may
    /// be a quicker way to the same result.
    #[must_use]
    pub fn would_share(&self, items: usize, grain: usize) -> bool {
        match self.scheduling {
            Scheduling::Plain => items > grain && self.teams.get(self.turn).is_some_and(Option::is_some),
            Scheduling::Scrambled { .. } | Scheduling::ScrambledInTurn { .. } => items >= least_dealt(grain),
        }
    }

    /// Puts the numbers of so many parts in a random order, each as likely as any other (Fisher and Yates).
    fn permute(&mut self, count: usize) {
        self.order.clear();
        self.order.extend(0..u32::try_from(count).unwrap_or(u32::MAX));
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, self.random.index(last + 1));
        }
    }
}

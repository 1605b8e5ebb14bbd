//! Questions whose answer is not the same each time: they are asked several times, and one yes is enough.

use crate::analysis::minimize::{Answer, Candidate, Oracle};
use crate::session::record::RunPlan;

/// How often something was shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many runs were made.
    pub runs: u32,
    /// How many of them showed it.
    pub shown: u32,
}

impl Tally {
    /// Counts a run.
    pub fn count(&mut self, shows: bool) {
        self.runs += 1;
        self.shown += u32::from(shows);
    }
}

/// An oracle that says yes when at least one of so many runs shows it. It stops at the first that does.
pub struct Repeated<'a> {
    oracle: &'a mut dyn Oracle,
    runs: u32,
}

impl<'a> Repeated<'a> {
    /// The oracle that asks another one up to `runs` times; 0 means 1.
    pub fn new(oracle: &'a mut dyn Oracle, runs: u32) -> Self {
        Self { oracle, runs: runs.max(1) }
    }
}

impl Oracle for Repeated<'_> {
    fn ask(&mut self, candidate: &Candidate, go_on: &mut dyn FnMut() -> bool) -> Answer {
        for run in 0..self.runs {
            if run > 0 && !go_on() {
                return Answer::Interrupted;
            }
            match self.oracle.ask(candidate, go_on) {
                // Another run may show it later: that fewer steps are enough has to be tried.
                Answer::Shows { .. } if self.runs > 1 => return Answer::Shows { step: None },
                Answer::Hides => {}
                other => return other,
            }
        }
        Answer::Hides
    }

    fn knows_step(&self) -> bool {
        self.runs == 1 && self.oracle.knows_step()
    }

    fn run_of(&self, candidate: &Candidate) -> RunPlan {
        self.oracle.run_of(candidate)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use super::Repeated;
    use crate::analysis::minimize::{Answer, Candidate, Oracle, Status, Watcher, minimise, plain_run};
    use crate::scene;
    use crate::session::record::RunPlan;

    /// Shows it in every `every`th run, as long as the ball is there and there are five steps.
    struct Sometimes {
        every: u32,
        asked: u32,
    }

    impl Oracle for Sometimes {
        fn ask(&mut self, candidate: &Candidate, _: &mut dyn FnMut() -> bool) -> Answer {
            self.asked += 1;
            let has_ball = candidate.scene.bodies.iter().any(|body| body.name == "ball");
            let shows = has_ball && candidate.scene.steps >= 5 && self.asked.is_multiple_of(self.every);
            if shows { Answer::Shows { step: Some(5) } } else { Answer::Hides }
        }

        fn knows_step(&self) -> bool {
            true
        }

        fn run_of(&self, candidate: &Candidate) -> RunPlan {
            plain_run(&candidate.scene)
        }
    }

    /// Lets a search go on to its end.
    pub(in crate::analysis::minimize) struct Patient;

    impl Watcher for Patient {
        fn go_on(&mut self, _: &Status) -> bool {
            true
        }

        fn improved(&mut self, _: &Candidate, _: &Status) {}
    }

    fn candidate() -> Candidate {
        let text = "(version: 1, name: \"some\", steps: 40, bodies: [
            (name: \"ball\", shape: Sphere(radius: 0.5)),
            (name: \"box\", position: Origin(0, 9, 0), shape: Cuboid(half_extents: (1, 1, 1))),
            (name: \"rod\", position: Origin(0, 19, 0), shape: Sphere(radius: 0.25))])";
        Candidate { scene: scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}")), start: 0 }
    }

    /// How small it gets what every `every`th run shows, asked this often: bodies and steps.
    fn smallest(every: u32, runs: u32) -> (usize, u32) {
        let mut oracle = Sometimes { every, asked: 0 };
        let best = minimise(candidate(), BTreeSet::new(), &mut Repeated::new(&mut oracle, runs), &mut Patient).best;
        (best.bodies(), best.scene.steps)
    }

    #[test]
    fn what_is_shown_in_some_runs_only_gets_as_small_as_what_is_shown_in_all() {
        for every in 2..=6 {
            assert_eq!(smallest(every, every), (1, 5), "asked until it must show");
        }
        // Asked once, it says no of most that show it now and then; by luck some still get there.
        let lucky = (2..=6).filter(|every| smallest(*every, 1) == (1, 5)).count();
        assert!(lucky < 5, "asking once is as good as asking again");
    }

    #[test]
    fn the_first_run_that_shows_it_is_the_last() {
        for (runs, verdict, asked) in
            [(2, Answer::Hides, 2), (3, Answer::Shows { step: None }, 3), (9, Answer::Shows { step: None }, 3)]
        {
            let mut oracle = Sometimes { every: 3, asked: 0 };
            assert_eq!(Repeated::new(&mut oracle, runs).ask(&candidate(), &mut || true), verdict);
            assert_eq!(oracle.asked, asked, "{runs} runs");
        }
        let mut oracle = Sometimes { every: 3, asked: 0 };
        let ended = Repeated::new(&mut oracle, 9).ask(&candidate(), &mut || false);
        assert_eq!((ended, oracle.asked), (Answer::Interrupted, 1), "no further run is made when time is up");
        let mut sure = Sometimes { every: 1, asked: 0 };
        let once = Repeated::new(&mut sure, 1).ask(&candidate(), &mut || true);
        assert_eq!(once, Answer::Shows { step: Some(5) }, "a single run is believed as it was");
    }
}

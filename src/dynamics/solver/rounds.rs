//! The contacts behind all colours, in rounds: those that found no colour, or began within the step.
//!
//! They are solved in the order in which they came. Each stands in the first round behind all in which a body that it pushes has a
//! contact already: those of a round share no such body, so they are solved at once, and round after round gives the bits of one
//! contact after the other.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::chunk::Room;

/// Where a batch is: its chunk, and its number there.
pub(super) type BatchPlace = (usize, usize);

/// The batches that are being filled, by whether their contacts resist rolling and by their room for points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filling([[Option<BatchPlace>; MAX_POINTS + 1]; 2]);

impl Filling {
    /// The one for contacts that take so much room.
    pub(super) const fn of(&mut self, room: Room) -> &mut Option<BatchPlace> {
        &mut self.0[room.resists_rolling as usize][room.points]
    }
}

/// Contacts that share no body that they can push.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// The chunks that hold them.
    pub(super) chunks: Vec<usize>,
    /// The batches of these that are being filled.
    pub(super) filling: Filling,
}

/// All rounds of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    rounds: Vec<Round>,
    /// How many of these are in use.
    used: usize,
    /// The first round behind all contacts of a body so far, by body; zero for the bodies behind.
    next: Vec<u32>,
}

impl Rounds {
    /// Takes out all contacts.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.next.clear();
    }

    /// How many rounds there are.
    pub(super) const fn len(&self) -> usize {
        self.used
    }

    /// A round.
    pub(super) fn round(&mut self, number: usize) -> &mut Round {
        &mut self.rounds[number]
    }

    /// Finds the round of a contact that pushes these bodies, and adds it where there is none yet; its number.
    pub(super) fn take(&mut self, pushed: impl Iterator<Item = u32> + Clone) -> usize {
        let bodies = pushed.clone().map(|body| body as usize + 1).max().unwrap_or(0);
        self.next.resize(self.next.len().max(bodies), 0);
        let number = pushed.clone().map(|body| self.next[body as usize]).max().unwrap_or(0);
        pushed.for_each(|body| self.next[body as usize] = number + 1);
        let number = number as usize;
        if number == self.used {
            self.used += 1;
            self.rounds.resize_with(self.rounds.len().max(self.used), Round::default);
            self.rounds[number].chunks.clear();
            self.rounds[number].filling = Filling::default();
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::Rounds;
    use crate::math::SplitMix64;

    #[test]
    fn contacts_of_a_round_share_no_body_and_those_of_a_body_keep_their_order() {
        let mut random = SplitMix64::new(7);
        let mut rounds = Rounds::default();
        for contacts in 0..60 {
            rounds.clear();
            let mut taken: Vec<([u32; 2], usize)> = Vec::new();
            for _ in 0..contacts {
                let bodies = [random.index(12) as u32, 12 + random.index(12) as u32];
                let pushed = bodies.into_iter().filter(|body| *body < 20); // four cannot be pushed
                let round = rounds.take(pushed);
                assert!(round < rounds.len());
                let mut behind = 0;
                for (others, of_others) in &taken {
                    if bodies.iter().any(|body| *body < 20 && others.contains(body)) {
                        assert!(*of_others < round, "{others:?} in {of_others}, then {bodies:?} in {round}");
                        behind = behind.max(of_others + 1);
                    }
                }
                assert_eq!(round, behind, "a contact stands in the first round that it can");
                taken.push((bodies, round));
            }
        }
    }
}

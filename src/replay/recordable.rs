//! Whether a run can be recorded at all, which is asked before its file is made.

use crate::replay::error::ReplayError;
use crate::replay::format::{MAX_MESSAGE_BYTES, MAX_SCENE_BYTES};

/// Why a run cannot be recorded whose scene takes so many bytes as canonical text, and whose first state, of so many bodies, takes
/// so many; `None` where it can.
#[must_use]
pub fn why_not_recordable(scene_bytes: u64, bodies: u64, state_bytes: u64) -> Option<String> {
    if scene_bytes > MAX_SCENE_BYTES {
        return Some(format!(
            "its scene takes {scene_bytes} bytes as canonical text, in which every key is written out, and a replay holds scenes of up \
             to {MAX_SCENE_BYTES}; write bodies that are alike as `groups`, and meshes with fewer points"
        ));
    }
    if state_bytes > MAX_MESSAGE_BYTES {
        let enough = u128::from(bodies) * u128::from(MAX_MESSAGE_BYTES) / u128::from(state_bytes.max(1));
        return Some(format!(
            "a whole state of its {bodies} bodies takes {state_bytes} bytes, and a replay holds states of up to {MAX_MESSAGE_BYTES}; \
             some {} such bodies fit, and a run that is not recorded has no such limit",
            rounded_down(enough)
        ));
    }
    None
}

/// Refuses to record such a run into the replay `name`.
///
/// # Errors
/// As [`why_not_recordable`] says.
pub fn check_recordable(name: &str, scene: &str, bodies: u32, state_bytes: u64) -> Result<(), ReplayError> {
    match why_not_recordable(scene.len() as u64, u64::from(bodies), state_bytes) {
        None => Ok(()),
        Some(what) => Err(ReplayError::CannotHold { name: name.to_owned(), what }),
    }
}

/// The number to two digits, rounded down.
fn rounded_down(number: u128) -> u128 {
    let unit = 10_u128.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    number / unit * unit
}

#[cfg(test)]
mod tests {
    use super::{rounded_down, why_not_recordable};
    use crate::replay::format::{MAX_MESSAGE_BYTES, MAX_SCENE_BYTES};

    #[test]
    fn what_is_within_the_limits_can_be_recorded_and_what_is_beyond_says_what_to_do() {
        assert_eq!(why_not_recordable(MAX_SCENE_BYTES, 10, MAX_MESSAGE_BYTES), None);
        let scene = why_not_recordable(MAX_SCENE_BYTES + 1, 10, 10).expect("too large");
        assert!(scene.contains("67108865 bytes as canonical text") && scene.contains("`groups`"), "{scene}");
        let state = why_not_recordable(10, 300_000, 135_740_048).expect("too large");
        assert!(state.contains("some 290000 such bodies fit"), "{state}");
        assert_eq!([0, 7, 99, 101, 296_634].map(rounded_down), [0, 7, 99, 100, 290_000]);
    }
}

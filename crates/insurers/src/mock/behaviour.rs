//! Scripted behaviour of the mock insurer. A pseudo-random number decides the action for each request.

use std::time::Duration;

use super::malformed::Malformed;

/// Percentages of requests that fail, hang or get a malformed answer. All other requests get a good answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// Delay of every answer.
    pub latency: Duration,
    /// Percentage of requests that get status 503.
    pub fail_percent: u8,
    /// Percentage of requests that get no answer.
    pub hang_percent: u8,
    /// Percentage of requests that get a malformed answer.
    pub malformed_percent: u8,
    /// Kinds of malformed answers that are used. Empty: all kinds.
    pub malformed: Vec<Malformed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Answer,
    Fail,
    Hang,
    Corrupt(Malformed),
}

impl Behaviour {
    /// Action for a request with this pseudo-random number.
    pub(super) fn action(&self, number: u64) -> Action {
        let percent = number % 100;
        let fail = u64::from(self.fail_percent);
        let hang = fail + u64::from(self.hang_percent);
        let malformed = hang + u64::from(self.malformed_percent);
        let kinds = if self.malformed.is_empty() { Malformed::ALL } else { &self.malformed };
        match percent {
            percent if percent < fail => Action::Fail,
            percent if percent < hang => Action::Hang,
            percent if percent < malformed => {
                Action::Corrupt(kinds[((number / 100) % kinds.len() as u64) as usize])
            }
            _ => Action::Answer,
        }
    }
}

/// The number at an index of a fixed pseudo-random sequence (SplitMix64). The numbers are evenly distributed.
pub(super) fn pseudo_random(index: u64) -> u64 {
    let mixed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mock_insurer_chooses_actions_in_the_configured_percentages() {
        let behaviour =
            Behaviour { fail_percent: 10, hang_percent: 20, malformed_percent: 30, ..Behaviour::default() };
        let actions: Vec<Action> = (7..10_007).map(|index| behaviour.action(pseudo_random(index))).collect();
        let share = |wanted: fn(&Action) -> bool| actions.iter().filter(|got| wanted(got)).count() / 100;
        let shares = [
            share(|got| *got == Action::Fail),
            share(|got| *got == Action::Hang),
            share(|got| matches!(got, Action::Corrupt(_))),
        ];
        assert!(
            shares.iter().zip([10, 20, 30]).all(|(share, wanted)| share.abs_diff(wanted) <= 2),
            "{shares:?}"
        );
        for kind in Malformed::ALL {
            assert!(actions.contains(&Action::Corrupt(*kind)), "{kind:?}");
        }
        assert_eq!(Behaviour { hang_percent: 100, ..Behaviour::default() }.action(u64::MAX), Action::Hang);
    }
}

//! How the mock insurer treats requests, as its dice fall.

use std::time::Duration;

use super::rubbish::Rubbish;

/// How requests are treated. Of a hundred, so many fail, hang or get rubbish; the rest are answered well.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mood {
    /// How long every answer is held back.
    pub latency: Duration,
    /// Answered 503.
    pub fail_percent: u8,
    /// Never answered.
    pub hang_percent: u8,
    /// Answered wrongly.
    pub rubbish_percent: u8,
    /// The kinds of wrong answers; all of them where it is empty.
    pub rubbish: Vec<Rubbish>,
}

/// What becomes of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    Answer,
    Fail,
    Hang,
    Spoil(Rubbish),
}

impl Mood {
    /// What a throw of the dice means.
    pub(super) fn treatment(&self, throw: u64) -> Treatment {
        let of_hundred = throw % 100;
        let fail = u64::from(self.fail_percent);
        let hang = fail + u64::from(self.hang_percent);
        let rubbish = hang + u64::from(self.rubbish_percent);
        let kinds = if self.rubbish.is_empty() { Rubbish::ALL } else { &self.rubbish };
        match of_hundred {
            number if number < fail => Treatment::Fail,
            number if number < hang => Treatment::Hang,
            number if number < rubbish => {
                Treatment::Spoil(kinds[((throw / 100) % kinds.len() as u64) as usize])
            }
            _ => Treatment::Answer,
        }
    }
}

/// The number that dice show at a place of their sequence (SplitMix64): evenly spread, and the same every time.
pub(super) fn throw(place: u64) -> u64 {
    let mixed = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_requests_about_so_many_are_treated_so() {
        let mood = Mood { fail_percent: 10, hang_percent: 20, rubbish_percent: 30, ..Mood::default() };
        let treatments: Vec<Treatment> = (7..10_007).map(|place| mood.treatment(throw(place))).collect();
        let share =
            |wanted: fn(&Treatment) -> bool| treatments.iter().filter(|got| wanted(got)).count() / 100;
        let shares = [
            share(|got| *got == Treatment::Fail),
            share(|got| *got == Treatment::Hang),
            share(|got| matches!(got, Treatment::Spoil(_))),
        ];
        assert!(
            shares.iter().zip([10, 20, 30]).all(|(share, wanted)| share.abs_diff(wanted) <= 2),
            "{shares:?}"
        );
        for kind in Rubbish::ALL {
            assert!(treatments.contains(&Treatment::Spoil(*kind)), "{kind:?}");
        }
        assert_eq!(Mood { hang_percent: 100, ..Mood::default() }.treatment(u64::MAX), Treatment::Hang);
    }
}

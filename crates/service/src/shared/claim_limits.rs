//! Limits of claims and their papers, which the operator sets (D112).

use domain::claim::LARGEST_PAPER;
use domain::date::{Date, Timestamp, day_of, start_of_day};

use crate::acting::{self, Allowance};
use crate::error::{ConflictReason, Error, Result};
use crate::storage::claims::PaperUsage;

const MEBIBYTE: u64 = 1024 * 1024;

/// How much may be claimed and uploaded. Days are those of Asia/Kolkata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimLimits {
    pub claims_of_policy: u32,
    /// Claims of a partner on a day.
    pub claims_of_day: u32,
    pub papers_of_claim: u32,
    /// Papers of a partner on a day.
    pub papers_of_day: u32,
    /// Mebibytes of a claim's papers together.
    pub mebibytes_of_claim: u32,
    /// Mebibytes of the papers of all claims on a policy.
    pub mebibytes_of_policy: u32,
    /// Mebibytes of the papers that a partner uploads on a day.
    pub mebibytes_of_day: u32,
}

impl ClaimLimits {
    /// Most bytes of a claim's papers together.
    pub(crate) fn bytes_of_claim(&self) -> u64 {
        u64::from(self.mebibytes_of_claim) * MEBIBYTE
    }

    /// Judges how many claims a policy has, before one more.
    pub(crate) fn judge_claims_of_policy(&self, there: usize) -> Result<()> {
        match there < self.claims_of_policy as usize {
            true => Ok(()),
            false => Err(Error::conflict_of(
                ConflictReason::LimitReached,
                format!("A policy has at most {} claims, and this one has as many.", self.claims_of_policy),
            )),
        }
    }

    /// Judges how many claims a partner made on a day, before one more. `until_tomorrow`: seconds to the end of the day.
    pub(crate) fn judge_claims_of_day(&self, there: u64, until_tomorrow: u64) -> Result<()> {
        allow_a_day("claims", self.claims_of_day, there + 1, until_tomorrow);
        match there < u64::from(self.claims_of_day) {
            true => Ok(()),
            false => Err(Error::LimitReached {
                limit: format!("A partner makes at most {} claims a day.", self.claims_of_day),
                retry_after: until_tomorrow,
            }),
        }
    }

    /// Judges what there is of papers with the one that arrives, of which so many bytes are known that the usage does not have.
    pub(crate) fn judge_papers(&self, with_it: &PaperUsage, more: u64, until_tomorrow: u64) -> Result<()> {
        let is_over = |bytes: u64, mebibytes: u32| bytes > u64::from(mebibytes) * MEBIBYTE;
        let today = |limit: String| Err(Error::LimitReached { limit, retry_after: until_tomorrow });
        if with_it.papers_of_claim > self.papers_of_claim.into() {
            return Err(Error::conflict_of(
                ConflictReason::LimitReached,
                format!("A claim has at most {} papers, and this one has as many.", self.papers_of_claim),
            ));
        }
        if is_over(with_it.bytes_of_policy + more, self.mebibytes_of_policy) {
            return Err(Error::TooLarge(format!(
                "The papers of all claims on a policy together have at most {} MiB.",
                self.mebibytes_of_policy
            )));
        }
        allow_a_day("papers", self.papers_of_day, with_it.papers_of_day, until_tomorrow);
        if with_it.papers_of_day > self.papers_of_day.into() {
            return today(format!("A partner uploads at most {} papers a day.", self.papers_of_day));
        }
        if is_over(with_it.bytes_of_day + more, self.mebibytes_of_day) {
            return today(format!(
                "A partner uploads papers of at most {} MiB a day.",
                self.mebibytes_of_day
            ));
        }
        Ok(())
    }

    pub(crate) fn claim_too_large(&self) -> Error {
        Error::TooLarge(format!(
            "All papers of a claim together have at most {} MiB.",
            self.mebibytes_of_claim
        ))
    }
}

/// Notes what is left of a limit of a day, if so many are counted with this one.
fn allow_a_day(name: &'static str, most: u32, with_it: u64, until_tomorrow: u64) {
    let left = u64::from(most).saturating_sub(with_it);
    acting::allow(Allowance { name, most: most.into(), window: 24 * 3600, left, resets_in: until_tomorrow });
}

/// When the day of an instant began in Asia/Kolkata, and how many seconds it still has.
pub(crate) fn bounds_of_day(at: Timestamp) -> (Timestamp, u64) {
    let day = day_of(at);
    let starts = |day: Date| start_of_day(day).unwrap_or(at);
    let ends = day.tomorrow().map_or(at, starts);
    (starts(day), ends.duration_since(at).as_secs().max(0).unsigned_abs() + 1)
}

/// A paper is larger than any may be.
pub(crate) fn paper_too_large() -> Error {
    Error::TooLarge(format!("A paper has at most {} MiB.", LARGEST_PAPER / MEBIBYTE))
}

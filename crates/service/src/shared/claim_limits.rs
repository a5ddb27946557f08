//! Limits of claims and their documents, which the operator sets (D112).

use domain::claim::LARGEST_PAPER;
use domain::date::{Date, Timestamp, day_of, start_of_day};

use crate::acting::{self, Allowance};
use crate::error::{ConflictReason, Error, Result};
use crate::storage::claims::PaperUsage;

const MEBIBYTE: u64 = 1024 * 1024;

/// Limits of claims and uploads. A day begins at midnight in Asia/Kolkata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimLimits {
    pub claims_of_policy: u32,
    /// Most claims that a partner may report in a day.
    pub claims_of_day: u32,
    pub papers_of_claim: u32,
    /// Most documents of claims that a partner may upload in a day.
    pub papers_of_day: u32,
    /// Most mebibytes of all documents of one claim.
    pub mebibytes_of_claim: u32,
    /// Most mebibytes of the documents of all claims on one policy.
    pub mebibytes_of_policy: u32,
    /// Most mebibytes of claim documents that a partner may upload in a day.
    pub mebibytes_of_day: u32,
}

impl ClaimLimits {
    /// Most bytes of all documents of one claim.
    pub(crate) fn bytes_of_claim(&self) -> u64 {
        u64::from(self.mebibytes_of_claim) * MEBIBYTE
    }

    /// Checks that a policy may have one more claim. `there` is the number of its claims.
    pub(crate) fn judge_claims_of_policy(&self, there: usize) -> Result<()> {
        match there < self.claims_of_policy as usize {
            true => Ok(()),
            false => Err(Error::conflict_of(
                ConflictReason::LimitReached,
                format!("The policy already has the maximum of {} claims.", self.claims_of_policy),
            )),
        }
    }

    /// Checks that a partner may make one more claim today. `there` is the number of its claims today,
    /// `until_tomorrow` the seconds until the day ends.
    pub(crate) fn judge_claims_of_day(&self, there: u64, until_tomorrow: u64) -> Result<()> {
        allow_a_day("claims", self.claims_of_day, there + 1, until_tomorrow);
        match there < u64::from(self.claims_of_day) {
            true => Ok(()),
            false => Err(Error::LimitReached {
                limit: format!("A partner may report at most {} claims a day.", self.claims_of_day),
                retry_after: until_tomorrow,
            }),
        }
    }

    /// Checks the limits on claim documents for a new document. `with_it` is the usage including the new
    /// document. `more` is the number of its bytes that `with_it` does not include yet.
    pub(crate) fn judge_papers(&self, with_it: &PaperUsage, more: u64, until_tomorrow: u64) -> Result<()> {
        let is_over = |bytes: u64, mebibytes: u32| bytes > u64::from(mebibytes) * MEBIBYTE;
        let today = |limit: String| Err(Error::LimitReached { limit, retry_after: until_tomorrow });
        if with_it.papers_of_claim > self.papers_of_claim.into() {
            return Err(Error::conflict_of(
                ConflictReason::LimitReached,
                format!("The claim already has the maximum of {} documents.", self.papers_of_claim),
            ));
        }
        if is_over(with_it.bytes_of_policy + more, self.mebibytes_of_policy) {
            return Err(Error::TooLarge(format!(
                "The documents of all claims on a policy may have at most {} MiB together.",
                self.mebibytes_of_policy
            )));
        }
        allow_a_day("papers", self.papers_of_day, with_it.papers_of_day, until_tomorrow);
        if with_it.papers_of_day > self.papers_of_day.into() {
            return today(format!(
                "A partner may upload at most {} claim documents a day.",
                self.papers_of_day
            ));
        }
        if is_over(with_it.bytes_of_day + more, self.mebibytes_of_day) {
            return today(format!(
                "A partner may upload at most {} MiB of claim documents a day.",
                self.mebibytes_of_day
            ));
        }
        Ok(())
    }

    pub(crate) fn claim_too_large(&self) -> Error {
        Error::TooLarge(format!(
            "All documents of a claim may have at most {} MiB together.",
            self.mebibytes_of_claim
        ))
    }
}

/// Reports to the caller what is left of a daily limit. `with_it` is the usage including this request.
fn allow_a_day(name: &'static str, most: u32, with_it: u64, until_tomorrow: u64) {
    let left = u64::from(most).saturating_sub(with_it);
    acting::allow(Allowance { name, most: most.into(), window: 24 * 3600, left, resets_in: until_tomorrow });
}

/// Start of an instant's day in Asia/Kolkata, with the seconds until its end.
pub(crate) fn bounds_of_day(at: Timestamp) -> (Timestamp, u64) {
    let day = day_of(at);
    let starts = |day: Date| start_of_day(day).unwrap_or(at);
    let ends = day.tomorrow().map_or(at, starts);
    (starts(day), ends.duration_since(at).as_secs().max(0).unsigned_abs() + 1)
}

/// Error for a claim document that is larger than allowed.
pub(crate) fn paper_too_large() -> Error {
    Error::TooLarge(format!("A document may have at most {} MiB.", LARGEST_PAPER / MEBIBYTE))
}

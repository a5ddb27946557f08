//! Cover for a claim: the policy's cover on the day of the loss, less what other claims took (D113).

use domain::policy::Policy;
use std::ops::RangeInclusive;
use std::sync::Arc;

use domain::claim::{Claim, ClaimKind, ClaimNotice, ClaimState};
use domain::date::{Date, day_of};
use domain::money::Rupees;
use domain::policy_state::PolicyState;
use rating::{Benefits, ClaimEvent, NotPayable, OtherClaim, Product, SumHolder};

use crate::error::{ConflictReason, Error, Result};
use crate::insurer::covered::{Covered, CoveredNominee};

/// Cover from which a claim can be paid.
#[derive(Debug, Clone)]
pub struct ClaimCover {
    /// Sum insured on the day of the loss.
    pub sum_insured: Rupees,
    /// Most that the policy pays for this kind of claim, before other claims are subtracted.
    pub most: Rupees,
    /// Most that the policy still pays for this claim, after other claims are subtracted.
    pub left: Rupees,
    /// Nominees on the day of the loss.
    pub nominees: Vec<CoveredNominee>,
}

/// Benefit of one insured person or of the whole policy, with the amount that claims leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenefitLeft {
    /// Kind of claim that the benefit pays for.
    pub kind: ClaimKind,
    /// Number of the insured person among the members. `None` if all insured persons share the benefit.
    pub member: Option<u16>,
    /// Most that the policy pays for this kind of claim, before claims are subtracted.
    pub most: Rupees,
    /// Most that the policy still pays, after claims are subtracted.
    pub left: Rupees,
}

/// A policy as it was on the day of a loss, with the claims on it.
pub(crate) struct CoverOnDay {
    then: Policy,
    covered: Covered,
    /// Product whose benefits apply. `None` if this service takes no claims on the policy.
    product: Option<Arc<Product>>,
    /// Whether the whole premium was refunded, so that there never was cover.
    never_covered: bool,
    starts: Date,
    /// First day of the insured persons' cover, by this policy or by the policies that it renewed.
    covered_since: Date,
    claims: Vec<Claim>,
}

/// The loss that a claim is made for.
fn event_of(notice: &ClaimNotice) -> ClaimEvent {
    ClaimEvent { kind: notice.kind, member: notice.member, on: notice.event_on }
}

/// Amount that a claim takes from the cover.
fn taken(claim: &Claim) -> OtherClaim {
    OtherClaim {
        event: event_of(&claim.notice),
        approved: claim.payable(),
        is_paid: claim.state == ClaimState::Paid,
    }
}

impl CoverOnDay {
    /// Cover on the day of a loss. `now` is the policy today, `then` the policy on that day. `product` has
    /// the benefits. `claims` are all claims on the policy.
    pub(crate) fn of(
        now: &Policy,
        (then, covered): (Policy, Covered),
        product: Option<Arc<Product>>,
        claims: Vec<Claim>,
    ) -> Self {
        let starts = covered.starts.unwrap_or(day_of(now.issued_at));
        let (covered_since, never_covered) = (now.covered_since(starts), now.never_covered());
        CoverOnDay { then, covered, product, never_covered, starts, covered_since, claims }
    }

    fn benefits(&self) -> &Benefits {
        self.product.as_ref().map_or(Benefits::NONE, |product| &product.benefits)
    }

    /// Whether the product pays for a kind of claim.
    pub(crate) fn pays_for(&self, kind: ClaimKind) -> bool {
        self.benefits().of(kind).is_some()
    }

    /// Cover of the policy on the day of the loss.
    pub(crate) fn covered(&self) -> &Covered {
        &self.covered
    }

    pub(crate) fn claims(&self) -> &[Claim] {
        &self.claims
    }

    pub(crate) fn into_claims(self) -> Vec<Claim> {
        self.claims
    }

    /// Claims that take from the cover, because they are not rejected or withdrawn. Claim `but` is left out.
    fn counting(&self, but: Option<&Claim>) -> impl Iterator<Item = &Claim> {
        let but = but.map(|but| but.id);
        self.claims.iter().filter(move |claim| Some(claim.id) != but && claim.state.counts())
    }

    /// Amounts that claims take from the cover, without claim `but`.
    fn others(&self, but: Option<&Claim>) -> Vec<OtherClaim> {
        self.counting(but).map(taken).collect()
    }

    /// Checks whether a claim with this notice can be made today.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the day or the kind is not covered; [`Error::Conflict`] if the same claim was
    /// made before.
    pub(crate) fn judge(&self, notice: &ClaimNotice, today: Date) -> Result<()> {
        if let Some(message) = self.not_covered(notice.event_on, today) {
            return Err(Error::invalid("event_on", message));
        }
        match self.benefits().judge(event_of(notice), self.covered_since, &self.others(None)) {
            Ok(()) => Ok(()),
            Err(NotPayable::SameClaim(nth)) => {
                let id =
                    self.counting(None).nth(nth).map_or_else(String::new, |same| format!(": {}", same.id));
                Err(Error::conflict_of(
                    ConflictReason::MadeBefore,
                    format!("This claim was already reported{id}."),
                ))
            }
            Err(why @ NotPayable::NoBenefit(_)) => Err(Error::invalid("kind", why.to_string())),
            Err(why) => Err(Error::invalid("event_on", why.to_string())),
        }
    }

    /// Last day of cover. For a cancelled policy, the day on which the cancellation was requested (D68).
    fn last_day(&self) -> Date {
        let policy = &self.then;
        let ended = policy.cancellation.as_ref().filter(|_| policy.state == PolicyState::Cancelled);
        ended.map_or(policy.last_day(), |ended| day_of(ended.asked_at).min(policy.last_day()))
    }

    /// Why the policy did not cover the day of a loss. `None` if it did.
    fn not_covered(&self, event_on: Date, today: Date) -> Option<String> {
        if event_on > today {
            return Some("Must not be after today.".to_owned());
        }
        if self.never_covered {
            return Some("The policy never gave cover: its premium was refunded in full.".to_owned());
        }
        let last = self.last_day();
        let is_covered = (self.starts..=last).contains(&event_on);
        (!is_covered).then(|| format!("Must be a day of cover: from {} to {last}.", self.starts))
    }

    /// Cover from which a claim can be paid.
    pub(crate) fn of_claim(&self, claim: &Claim) -> ClaimCover {
        let event = event_of(&claim.notice);
        let sum_insured = self.sum_insured(event.on);
        let found = self.benefits().left(event, self.starts, sum_insured, &self.others(Some(claim)));
        ClaimCover {
            sum_insured,
            most: found.map_or(Rupees::ZERO, |found| found.most),
            left: found.map_or(Rupees::ZERO, |found| found.left),
            nominees: self.covered.nominees.clone(),
        }
    }

    fn sum_insured(&self, day: Date) -> Rupees {
        self.covered.on(day, self.then.sum_insured)
    }

    /// Checks whether an amount can be approved for a claim today.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the amount exceeds the cover that is left, a survival period is not over, or
    /// the policy never gave cover.
    pub(crate) fn judge_approval(&self, claim: &Claim, amount: Rupees, today: Date) -> Result<()> {
        let conflict = |why: String| Err(Error::conflict(why));
        let event = event_of(&claim.notice);
        if let Some(why) = self.not_covered(event.on, today) {
            return conflict(why);
        }
        let survived = self.benefits().judge_survival(event, today, &self.others(Some(claim)));
        survived.map_err(|why| Error::conflict(why.to_string()))?;
        self.judge_life(claim)?;
        let left = self.of_claim(claim).left;
        if amount == Rupees::ZERO || amount > left {
            return conflict(format!(
                "{} cannot be approved: the amount must be above zero and at most {}, the cover left for this claim.",
                amount.grouped_with_paise(),
                left.grouped_with_paise()
            ));
        }
        Ok(())
    }

    /// Checks that no paid claim for an earlier day has already ended the cover of the claim's insured
    /// person.
    ///
    /// # Errors
    /// [`Error::Conflict`].
    pub(crate) fn judge_life(&self, claim: &Claim) -> Result<()> {
        let judged = self.benefits().judge_life(event_of(&claim.notice), &self.others(Some(claim)));
        judged.map_err(|why| Error::conflict(why.to_string()))
    }

    /// Whether the payment of a claim ends the cover of the policy's last insured person.
    pub(crate) fn ends_with(&self, claim: &Claim) -> bool {
        let mut paid = self.others(Some(claim));
        paid.push(OtherClaim { is_paid: true, ..taken(claim) });
        self.has_no_life(&paid)
    }

    /// Whether the cover of every insured person has ended.
    fn has_no_life(&self, claims: &[OtherClaim]) -> bool {
        self.lives().all(|member| self.benefits().ended_on(member, claims).is_some())
    }

    /// Numbers of the insured persons, from 1.
    fn lives(&self) -> RangeInclusive<u16> {
        1..=u16::try_from(self.covered.members.len()).unwrap_or(u16::MAX)
    }

    /// Benefits with what claims leave of each on a day, for each insured person or for the policy.
    pub(crate) fn left_on(&self, day: Date) -> Vec<BenefitLeft> {
        let (benefits, taken, cover) = (self.benefits(), self.others(None), self.sum_insured(day));
        let has_ended = self.never_covered || day > self.last_day() || self.has_no_life(&taken);
        let of = |kind, member: Option<u16>| {
            let event = ClaimEvent { kind, member: member.unwrap_or(1), on: day };
            let found = benefits.left(event, self.starts, cover, &taken)?;
            let has_died = member.is_some_and(|member| benefits.ended_on(member, &taken).is_some());
            let left = if has_ended || has_died { Rupees::ZERO } else { found.left };
            Some(BenefitLeft { kind, member, most: found.most, left })
        };
        let each = benefits.iter().flat_map(|benefit| match benefit.per {
            SumHolder::Policy => vec![of(benefit.kind, None)],
            SumHolder::Life => self.lives().map(|member| of(benefit.kind, Some(member))).collect(),
        });
        each.flatten().collect()
    }
}

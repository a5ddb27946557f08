//! Cover for a claim: the policy's cover on the day of the loss, less what other claims took (D113).

use domain::policy::Policy;
use std::ops::RangeInclusive;
use std::sync::Arc;

use domain::cancellation::CancellationReason;
use domain::claim::{Claim, ClaimKind, ClaimNotice};
use domain::date::{Date, day_of, policy_year};
use domain::money::Rupees;
use domain::policy_state::PolicyState;
use domain::refund::OwedRefund;
use rating::{Benefit, Benefits, ClaimEvent, NotPayable, OtherClaim, Product, SumHolder, SumPeriod};

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
    /// State of the policy today.
    pub policy_state: PolicyState,
    /// Refunds of premium for days after a loss that ends the cover of a life, paid or owed. Zero for other
    /// losses.
    pub refunded_after: Rupees,
}

/// Benefit of one insured person or of the whole policy, with the amount that claims leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenefitLeft {
    /// Kind of claim that the benefit pays for.
    pub kind: ClaimKind,
    /// Number of the insured person among the members. `None` if all insured persons share the benefit.
    pub member: Option<u16>,
    /// Day of the amounts: today, or the last day of cover.
    pub on: Date,
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
    /// Why there never was cover. `None` if there was.
    avoided: Option<&'static str>,
    policy_state: PolicyState,
    /// Refunds with the days of their requests.
    refunds: Vec<(Date, Rupees)>,
    /// Whether the full sum of a policy year is available again after this one, by a renewal.
    is_renewable: bool,
    /// Whether the sum insured is higher today than on the day of the loss.
    has_grown: bool,
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
    OtherClaim { event: event_of(&claim.notice), approved: claim.payable(), is_paid: claim.has_payment() }
}

impl CoverOnDay {
    /// Cover on the day of a loss. `now` is the policy today, `then` the policy on that day. `product` has
    /// the benefits. `claims` are all claims on the policy.
    pub(crate) fn of(
        now: &Policy,
        (then, covered): (Policy, Covered),
        product: Option<Arc<Product>>,
        claims: Vec<Claim>,
        today: Date,
    ) -> Self {
        let starts = covered.starts.unwrap_or(day_of(now.issued_at));
        let avoided = now.avoidance().map(|avoidance| match avoidance.reason {
            CancellationReason::Fraud => "The policy never gave cover: it was cancelled for fraud.",
            CancellationReason::PaymentBounced => {
                "The policy never gave cover: the bank took its premium back."
            }
            _ => "The policy never gave cover: its premium was refunded in full.",
        });
        let refund =
            |refund: &OwedRefund| Some((day_of(now.refund_asked_at(refund)?), refund.amount.total()));
        CoverOnDay {
            avoided,
            policy_state: now.state_on(today),
            refunds: now.refunds().filter_map(refund).collect(),
            is_renewable: now.renewable_until.is_some(),
            has_grown: now.sum_insured > then.sum_insured,
            covered_since: now.covered_since(starts),
            then,
            covered,
            product,
            starts,
            claims,
        }
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
            Err(why) => Err(Error::invalid("event_on", self.words(why, None))),
        }
    }

    /// Words for why a claim is not payable. They name the claim that ended a life. `but`: the judged claim.
    fn words(&self, why: NotPayable, but: Option<&Claim>) -> String {
        let by = match why {
            NotPayable::LifeEnded(_, nth) => self.counting(but).nth(nth),
            _ => None,
        };
        let why = why.to_string();
        by.map_or(why.clone(), |by| format!("{}, by claim {}.", why.trim_end_matches('.'), by.id))
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
        if let Some(why) = self.avoided {
            return Some(why.to_owned());
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
            policy_state: self.policy_state,
            refunded_after: self.refunded_after(event),
        }
    }

    /// Refunds of premium for days after a loss that ends the cover of a life.
    fn refunded_after(&self, event: ClaimEvent) -> Rupees {
        let ends = self.benefits().of(event.kind).is_some_and(|benefit| benefit.ends_cover);
        let after = self.refunds.iter().filter(|(asked_on, _)| ends && *asked_on >= event.on);
        after.map(|(_, amount)| *amount).sum()
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
        self.judge_life(claim, |other| other.is_paid)?;
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

    /// Checks that no approved or paid claim for an earlier day ends the cover of the claim's insured person.
    ///
    /// # Errors
    /// [`Error::Conflict`] that names this claim.
    pub(crate) fn judge_payment(&self, claim: &Claim) -> Result<()> {
        self.judge_life(claim, |other| other.approved.is_some())
    }

    fn judge_life(&self, claim: &Claim, is_settled: fn(&OtherClaim) -> bool) -> Result<()> {
        let (event, others) = (event_of(&claim.notice), self.others(Some(claim)));
        self.benefits()
            .judge_life(event, &others, is_settled)
            .map_err(|why| Error::conflict(self.words(why, Some(claim))))
    }

    /// Whether the payment of a claim on a day leaves no insured person, or nothing of the whole sum insured,
    /// then and in any later policy year.
    pub(crate) fn ends_with(&self, claim: &Claim, day: Date) -> bool {
        let mut paid = self.others(Some(claim));
        paid.retain(|other| other.is_paid);
        paid.push(OtherClaim { is_paid: true, ..taken(claim) });
        self.has_no_life(&paid) || self.is_used_up(&paid, day.min(self.last_day()))
    }

    /// Whether claims leave nothing of any benefit, on this day and in any later policy year.
    fn is_used_up(&self, claims: &[OtherClaim], day: Date) -> bool {
        let has_later_year =
            self.is_renewable || policy_year(self.starts, self.last_day()) > policy_year(self.starts, day);
        let (benefits, cover) = (self.benefits(), self.sum_insured(day));
        let is_left = |benefit: &Benefit, member| {
            let event = ClaimEvent { kind: benefit.kind, member, on: day };
            let found = benefits.left(event, self.starts, cover, claims);
            benefits.ended_on(member, claims).is_none()
                && found.is_some_and(|found| found.left > Rupees::ZERO)
        };
        let has_more = |benefit: &Benefit| {
            benefit.each == SumPeriod::PolicyYear && has_later_year
                || self.lives().any(|member| is_left(benefit, member))
        };
        !self.has_grown && benefits.iter().next().is_some() && !benefits.iter().any(has_more)
    }

    /// Whether the cover of every insured person has ended.
    fn has_no_life(&self, claims: &[OtherClaim]) -> bool {
        self.lives().all(|member| self.benefits().ended_on(member, claims).is_some())
    }

    /// Numbers of the insured persons, from 1.
    fn lives(&self) -> RangeInclusive<u16> {
        1..=u16::try_from(self.covered.members.len()).unwrap_or(u16::MAX)
    }

    /// Benefits with what claims leave of each on a day, for each insured person or for the policy. After the
    /// last day of cover, they are those of that day, from which claims for earlier days are paid.
    pub(crate) fn left_on(&self, day: Date) -> Vec<BenefitLeft> {
        let day = day.min(self.last_day());
        let (benefits, taken, cover) = (self.benefits(), self.others(None), self.sum_insured(day));
        let has_ended = self.avoided.is_some() || self.has_no_life(&taken);
        let of = |kind, member: Option<u16>| {
            let event = ClaimEvent { kind, member: member.unwrap_or(1), on: day };
            let found = benefits.left(event, self.starts, cover, &taken)?;
            let has_died = member.is_some_and(|member| benefits.ended_on(member, &taken).is_some());
            let left = if has_ended || has_died { Rupees::ZERO } else { found.left };
            Some(BenefitLeft { kind, member, on: day, most: found.most, left })
        };
        let each = benefits.iter().flat_map(|benefit| match benefit.per {
            SumHolder::Policy => vec![of(benefit.kind, None)],
            SumHolder::Life => self.lives().map(|member| of(benefit.kind, Some(member))).collect(),
        });
        each.flatten().collect()
    }
}

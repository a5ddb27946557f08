//! Benefits: what a product pays for an insured event after earlier claims (D113).

use std::fmt;

use domain::claim::ClaimKind;
use domain::date::{Date, days_later, in_words, policy_year};
use domain::money::Rupees;
use rust_decimal::Decimal;

domain::text::vocabulary! {
    /// Whether each life or the whole policy has the sum from which a benefit is paid.
    SumHolder, "\"life\" or \"policy\"" {
        /// Each insured life has its own sum.
        Life = "life",
        /// All lives of the policy share one sum, as in a floater or on a first death.
        Policy = "policy",
    }
}

domain::text::vocabulary! {
    /// Period after which the full sum of a benefit is available again.
    SumPeriod, "\"term\" or \"policy-year\"" {
        /// The sum is available only once, for the whole time of cover.
        Term = "term",
        /// The full sum is available again in each policy year.
        PolicyYear = "policy-year",
    }
}

/// Benefit of a product: what it pays for one kind of claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Benefit {
    pub kind: ClaimKind,
    /// Largest payment, in percent of the cover on the day of the insured event.
    pub percent: Decimal,
    /// Name of the sum from which the benefit is paid. Benefits with the same name share one sum.
    pub sum: String,
    pub per: SumHolder,
    /// Period after which the full sum is available again.
    pub each: SumPeriod,
    /// Length of the waiting period: days from the start of cover for which claims are not paid.
    pub waiting_days: u16,
    /// Days that the person must survive after the insured event.
    pub survival_days: u16,
    /// Two claims of the same kind for the same life count as one claim if their events are at most this many
    /// days apart. `None`: they always count as one claim.
    pub same_within_days: Option<u16>,
    /// Whether a payment of the benefit ends the cover of the life. If all lives share the sum, it ends the
    /// cover of all lives.
    pub ends_cover: bool,
}

/// Insured event for which a claim is made, such as a death.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimEvent {
    pub kind: ClaimKind,
    /// Affected member of the policy, counted from 1.
    pub member: u16,
    pub on: Date,
}

/// Another claim on the same policy, neither rejected nor withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherClaim {
    pub event: ClaimEvent,
    /// Approved amount. `None` if no amount is approved.
    pub approved: Option<Rupees>,
    pub is_paid: bool,
}

/// Amounts that can be approved for an insured event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverLeft {
    /// Full benefit: the benefit's percentage of the cover on the day of the event.
    pub most: Rupees,
    /// Part of the full benefit that is left after the other claims.
    pub left: Rupees,
}

/// Why a product pays nothing for an insured event, although cover may be left. `Display` prints the reason
/// as a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPayable {
    /// The product has no benefit for this kind of claim.
    NoBenefit(ClaimKind),
    /// The claim at this position in the list of other claims ended this member's cover on this day.
    LifeEnded(Date, usize),
    /// The insured event is in the waiting period, which ends on this day.
    Waiting(Date),
    /// The insured event already has a claim, at this position in the list of other claims.
    SameClaim(usize),
    /// The survival period lasts until this day. Either it is not over, or the person died in it.
    Survival(Date),
}

impl NotPayable {
    /// Word for this reason in the column `refused` of charts.
    pub const fn word(self) -> &'static str {
        match self {
            NotPayable::NoBenefit(_) => "no-benefit",
            NotPayable::LifeEnded(..) => "life-ended",
            NotPayable::Waiting(_) => "waiting",
            NotPayable::SameClaim(_) => "same-claim",
            NotPayable::Survival(_) => "survival",
        }
    }
}

impl fmt::Display for NotPayable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotPayable::NoBenefit(kind) => write!(to, "Policies of this product do not pay for {kind}."),
            NotPayable::LifeEnded(day, _) => {
                write!(to, "The cover of this member ended on {}.", in_words(*day))
            }
            NotPayable::Waiting(last) => write!(to, "The waiting period lasts until {}.", in_words(*last)),
            NotPayable::SameClaim(_) => write!(to, "This claim was already reported."),
            NotPayable::Survival(day) => {
                write!(to, "This claim is payable only if the person survives until {}.", in_words(*day))
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Benefits(pub(crate) Vec<Benefit>);

impl Benefits {
    /// Value for a product without benefits.
    pub const NONE: &Benefits = &Benefits(Vec::new());

    /// Returns the benefit for a kind of claim. `None`: the product does not pay for this kind.
    pub fn of(&self, kind: ClaimKind) -> Option<&Benefit> {
        self.0.iter().find(|benefit| benefit.kind == kind)
    }

    /// All benefits of the product, in the order of the catalogue.
    pub fn iter(&self) -> impl Iterator<Item = &Benefit> {
        self.0.iter()
    }

    /// Checks whether a claim for an insured event can be made. `starts` is the first day of cover. For a
    /// renewal, it is the first day of the first policy in the chain.
    ///
    /// # Errors
    /// The reason why the product pays nothing.
    pub fn judge(&self, event: ClaimEvent, starts: Date, others: &[OtherClaim]) -> Result<(), NotPayable> {
        let benefit = self.of(event.kind).ok_or(NotPayable::NoBenefit(event.kind))?;
        let is_same = |other: &OtherClaim| benefit.is_same_claim(event, other.event);
        if let Some(same) = others.iter().position(is_same) {
            return Err(NotPayable::SameClaim(same));
        }
        self.judge_life(event, others, |other| other.is_paid)?;
        if benefit.waiting_days > 0
            && let Some(last) = days_later(starts, benefit.waiting_days - 1)
            && event.on <= last
        {
            return Err(NotPayable::Waiting(last));
        }
        Ok(())
    }

    /// Checks that no claim that `is_settled` ends the member's cover before the day of the event.
    ///
    /// # Errors
    /// [`NotPayable::LifeEnded`] if a claim does.
    pub fn judge_life(
        &self,
        event: ClaimEvent,
        others: &[OtherClaim],
        is_settled: fn(&OtherClaim) -> bool,
    ) -> Result<(), NotPayable> {
        let ends = |(_, other): &(usize, &OtherClaim)| {
            is_settled(other) && other.event.on < event.on && self.ends_life(other.event, event.member)
        };
        let first = others.iter().enumerate().filter(ends).min_by_key(|(_, other)| other.event.on);
        first.map_or(Ok(()), |(at, other)| Err(NotPayable::LifeEnded(other.event.on, at)))
    }

    /// Checks that the survival period of an event is over, and that the person survived it.
    ///
    /// # Errors
    /// [`NotPayable::Survival`] if the period is not over, or the person died in it.
    pub fn judge_survival(
        &self,
        event: ClaimEvent,
        today: Date,
        others: &[OtherClaim],
    ) -> Result<(), NotPayable> {
        let Some(days) = self.of(event.kind).map(|benefit| benefit.survival_days).filter(|days| *days > 0)
        else {
            return Ok(());
        };
        let until = days_later(event.on, days).unwrap_or(Date::MAX);
        let died = |other: &OtherClaim| {
            other.event.kind == ClaimKind::Death
                && other.event.member == event.member
                && other.event.on <= until
        };
        match today < until || others.iter().any(died) {
            true => Err(NotPayable::Survival(until)),
            false => Ok(()),
        }
    }

    /// Returns the amounts that can be approved for an insured event. `cover` is the cover on the day of the
    /// event. Unpaid claims for days after the end of the member's life take nothing from that event. `None`: the product has no benefit for this kind of claim.
    pub fn left(
        &self,
        event: ClaimEvent,
        starts: Date,
        cover: Rupees,
        others: &[OtherClaim],
    ) -> Option<CoverLeft> {
        let benefit = self.of(event.kind)?;
        let most = benefit.of_cover(cover);
        let sharing = || self.0.iter().filter(|other| other.sum == benefit.sum);
        let sum = sharing().map(|other| other.of_cover(cover)).max().unwrap_or(most);
        let year = |day: Date| policy_year(starts, day);
        let is_void = |other: &OtherClaim| {
            !other.is_paid && other.event.on > event.on && self.ends_life(event, other.event.member)
        };
        let draws_on_it = |other: ClaimEvent| {
            (benefit.per == SumHolder::Policy || other.member == event.member)
                && (benefit.each == SumPeriod::Term || year(other.on) == year(event.on))
        };
        let (mut of_benefit, mut of_sum) = (Rupees::ZERO, Rupees::ZERO);
        for other in others.iter().filter(|other| draws_on_it(other.event) && !is_void(other)) {
            let amount = other.approved.unwrap_or(Rupees::ZERO);
            if other.event.kind == event.kind {
                of_benefit = of_benefit + amount;
            }
            if sharing().any(|benefit| benefit.kind == other.event.kind) {
                of_sum = of_sum + amount;
            }
        }
        Some(CoverLeft { most, left: (most - of_benefit).min(sum - of_sum).max(Rupees::ZERO) })
    }

    /// Day of the insured event whose payment ended a member's cover. `None`: the cover continues. An event
    /// of another member counts if its payment ends the cover of all lives.
    pub fn ended_on(&self, member: u16, claims: &[OtherClaim]) -> Option<Date> {
        let ends = |claim: &&OtherClaim| claim.is_paid && self.ends_life(claim.event, member);
        claims.iter().filter(ends).map(|claim| claim.event.on).min()
    }

    /// Whether the payment of an event ends a member's cover.
    fn ends_life(&self, event: ClaimEvent, member: u16) -> bool {
        self.of(event.kind).is_some_and(|benefit| {
            benefit.ends_cover && (benefit.per == SumHolder::Policy || event.member == member)
        })
    }
}

impl Benefit {
    /// Whether two events count as one claim: same kind, same life, and at most `same_within_days` apart.
    fn is_same_claim(&self, one: ClaimEvent, other: ClaimEvent) -> bool {
        let apart = (one.on - other.on).get_days().unsigned_abs();
        (one.kind, one.member) == (other.kind, other.member)
            && self.same_within_days.is_none_or(|days| apart <= u32::from(days))
    }

    /// The benefit's percentage of a cover amount, rounded half up to the paisa.
    fn of_cover(&self, cover: Rupees) -> Rupees {
        let part = cover.to_decimal().checked_mul(self.percent * Decimal::new(1, 2));
        part.and_then(Rupees::nearest).unwrap_or(cover)
    }
}

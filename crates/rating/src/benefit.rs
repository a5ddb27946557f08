//! Benefits: for which events a product pays, how much of the cover, and what is left of it after other claims (D113).

use std::fmt;

use domain::claim::ClaimKind;
use domain::date::{Date, days_later, in_words, policy_year};
use domain::money::Rupees;
use rust_decimal::Decimal;

domain::text::vocabulary! {
    /// Whose sum a benefit draws on.
    SumHolder, "\"life\" or \"policy\"" {
        /// Each insured life has a sum of its own.
        Life = "life",
        /// All lives of the policy share one, as in a floater or on a first death.
        Policy = "policy",
    }
}

domain::text::vocabulary! {
    /// How long a sum lasts.
    SumPeriod, "\"term\" or \"policy-year\"" {
        /// Once for all the time of cover.
        Term = "term",
        /// Each policy year has the whole sum again.
        PolicyYear = "policy-year",
    }
}

/// A benefit of a product: what is paid for a kind of claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Benefit {
    pub kind: ClaimKind,
    /// The most that is paid for it, in percent of the cover on the day of the event.
    pub percent: Decimal,
    /// Name of the sum that it draws on. Benefits that name the same sum share it.
    pub sum: String,
    pub per: SumHolder,
    /// How long it lasts.
    pub each: SumPeriod,
    /// Days from the first day of cover in which an event is not covered.
    pub waiting_days: u16,
    /// Days that the person must survive the event.
    pub survival_days: u16,
    /// Claims for the same life and kind whose events are so many days apart at most are the same claim. `None`: all are, however
    /// far apart.
    pub same_within_days: Option<u16>,
    /// Whether its payment ends the cover of the life, or of every life if the sum is the policy's.
    pub ends_cover: bool,
}

/// An event: whom it happened to, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimEvent {
    /// What happened.
    pub kind: ClaimKind,
    /// To which member of the policy, counted from 1.
    pub member: u16,
    /// The day.
    pub on: Date,
}

/// Another claim on the policy that was neither rejected nor withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherClaim {
    pub event: ClaimEvent,
    /// What was approved. `None` if nothing was, or not yet.
    pub approved: Option<Rupees>,
    /// Whether it was paid.
    pub is_paid: bool,
}

/// What can be approved for an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverLeft {
    /// The benefit in full: its percentage of the cover on the day of the event.
    pub most: Rupees,
    /// What other claims leave of it.
    pub left: Rupees,
}

/// Why a product pays nothing for an event, whatever is left. Its `Display` is a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPayable {
    /// It has no benefit for such events.
    NoBenefit(ClaimKind),
    /// The cover of the life ended with a death or another event on this day.
    LifeEnded(Date),
    /// The event is in the waiting period, of which this is the last day.
    Waiting(Date),
    /// Another claim, by its place in the list, is the same.
    SameClaim(usize),
    /// The person must live on this day, and is not known to.
    Survival(Date),
}

impl NotPayable {
    /// One word for it, as charts have it.
    pub const fn word(self) -> &'static str {
        match self {
            NotPayable::NoBenefit(_) => "no-benefit",
            NotPayable::LifeEnded(_) => "life-ended",
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
            NotPayable::LifeEnded(day) => {
                write!(to, "The cover of this member ended on {}.", in_words(*day))
            }
            NotPayable::Waiting(last) => write!(to, "The waiting period lasts until {}.", in_words(*last)),
            NotPayable::SameClaim(_) => write!(to, "This claim was made known before."),
            NotPayable::Survival(day) => {
                write!(to, "It is paid only if the person survives until {}.", in_words(*day))
            }
        }
    }
}

/// The benefits of a product.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Benefits(pub(crate) Vec<Benefit>);

impl Benefits {
    /// Nothing is paid for anything.
    pub const NONE: &Benefits = &Benefits(Vec::new());

    /// The benefit for a kind of claim. `None`: nothing is paid for it.
    pub fn of(&self, kind: ClaimKind) -> Option<&Benefit> {
        self.0.iter().find(|benefit| benefit.kind == kind)
    }

    /// Every benefit, in the order of the catalogue.
    pub fn iter(&self) -> impl Iterator<Item = &Benefit> {
        self.0.iter()
    }

    /// Judges whether a claim for an event can be made. `starts` is the first day of cover; a policy that renews others counts
    /// from the first of them.
    ///
    /// # Errors
    /// Why nothing is paid for it.
    pub fn judge(&self, event: ClaimEvent, starts: Date, others: &[OtherClaim]) -> Result<(), NotPayable> {
        let benefit = self.of(event.kind).ok_or(NotPayable::NoBenefit(event.kind))?;
        let is_same = |other: &OtherClaim| benefit.is_same_claim(event, other.event);
        if let Some(same) = others.iter().position(is_same) {
            return Err(NotPayable::SameClaim(same));
        }
        self.judge_life(event, others)?;
        if benefit.waiting_days > 0
            && let Some(last) = days_later(starts, benefit.waiting_days - 1)
            && event.on <= last
        {
            return Err(NotPayable::Waiting(last));
        }
        Ok(())
    }

    /// Judges whether the cover of the life had not ended by a paid claim for an earlier day.
    ///
    /// # Errors
    /// [`NotPayable::LifeEnded`].
    pub fn judge_life(&self, event: ClaimEvent, others: &[OtherClaim]) -> Result<(), NotPayable> {
        let ended = self.ended_on(event.member, others).filter(|day| event.on > *day);
        ended.map_or(Ok(()), |day| Err(NotPayable::LifeEnded(day)))
    }

    /// Judges whether the survival period of an event is over, and the person lived on its last day.
    ///
    /// # Errors
    /// [`NotPayable::Survival`].
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

    /// What can be approved for an event. `cover` is the cover on its day. `None`: there is no benefit for it.
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
        let draws_on_it = |other: ClaimEvent| {
            (benefit.per == SumHolder::Policy || other.member == event.member)
                && (benefit.each == SumPeriod::Term || year(other.on) == year(event.on))
        };
        let (mut of_benefit, mut of_sum) = (Rupees::ZERO, Rupees::ZERO);
        for other in others.iter().filter(|other| draws_on_it(other.event)) {
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

    /// The day of the paid event that ended the cover of a member: its own, or one that ends it for every life. `None`: it goes on.
    pub fn ended_on(&self, member: u16, claims: &[OtherClaim]) -> Option<Date> {
        let ends = |claim: &&OtherClaim| {
            claim.is_paid
                && self.of(claim.event.kind).is_some_and(|benefit| {
                    benefit.ends_cover && (benefit.per == SumHolder::Policy || claim.event.member == member)
                })
        };
        claims.iter().filter(ends).map(|claim| claim.event.on).min()
    }
}

impl Benefit {
    /// Whether two claims for it are the same: the same life, and days that are not far enough apart.
    fn is_same_claim(&self, one: ClaimEvent, other: ClaimEvent) -> bool {
        let apart = (one.on - other.on).get_days().unsigned_abs();
        (one.kind, one.member) == (other.kind, other.member)
            && self.same_within_days.is_none_or(|days| apart <= u32::from(days))
    }

    /// Its percentage of a cover, to the paisa, half up.
    fn of_cover(&self, cover: Rupees) -> Rupees {
        let part = cover.to_decimal().checked_mul(self.percent * Decimal::new(1, 2));
        part.and_then(Rupees::nearest).unwrap_or(cover)
    }
}

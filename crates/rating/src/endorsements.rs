//! Endorsement rules of the catalogue: allowed changes, confirmation, refunds (D89).

use std::fmt;
use std::sync::Arc;

use domain::date::{Date, days_later, in_words};
use domain::endorsement::EndorsementKind;
use domain::money::{Premium, Rupees};

use crate::cancellation::{CreditNotes, Ending, Refund, Returns, tax_back};
use crate::dated_rates::LateInterest;
use crate::explanation::{Step, StepKind};
use crate::source_location::SourceLocation;
use crate::within::Within;

/// Endorsement rules for the policies of a class of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndorsementRules {
    /// Days after the endorsement request within which the insurer must pay a refund.
    pub refund_within_days: u16,
    /// Interest on a late refund, in hundredths of a percent a year.
    pub late_interest: LateInterest,
    pub(crate) kinds: Vec<EndorsementRule>,
    /// Last days on which tax can be refunded, oldest row first. Empty: tax is never refunded.
    pub(crate) credit_notes: Arc<[CreditNotes]>,
}

/// Rule for one kind of endorsement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndorsementRule {
    pub kind: EndorsementKind,
    /// Whether an endorsement needs a confirmation by the party that decides the product's proposals. If not,
    /// it is made immediately.
    pub confirmed: bool,
    /// Whether this kind of endorsement is allowed after a claim.
    pub after_claim: bool,
    /// Period after the issue in which this kind of endorsement can be requested. `None`: until the cover
    /// ends.
    pub within: Option<Within>,
    /// Part of the price difference that is refunded if the cover becomes cheaper.
    pub(crate) returns: Returns,
    /// Legal source of the rule, as text.
    pub source: String,
    pub(crate) location: SourceLocation,
}

/// Why a policy cannot be endorsed. `Display` prints a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotEndorsable {
    /// The product has no rule for this kind of endorsement.
    NoRule(EndorsementKind),
    /// The period for this kind of endorsement ended on this day.
    TooLate(EndorsementKind, Date),
    ClaimMade(EndorsementKind),
}

impl fmt::Display for NotEndorsable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotEndorsable::NoRule(kind) => {
                write!(to, "Policies of this product do not allow the endorsement {kind}.")
            }
            NotEndorsable::TooLate(kind, last) => {
                write!(to, "The time for the endorsement {kind} ended on {}.", in_words(*last))
            }
            NotEndorsable::ClaimMade(kind) => {
                write!(to, "The endorsement {kind} is not allowed, because a claim was made.")
            }
        }
    }
}

impl EndorsementRules {
    /// Kinds of endorsements that are allowed on this day, in the contract's order.
    pub fn kinds(
        &self,
        issued: Date,
        on: Date,
        has_claim: bool,
    ) -> impl Iterator<Item = EndorsementKind> + '_ {
        let open = move |kind: &&EndorsementKind| self.judge(**kind, issued, on, has_claim).is_ok();
        EndorsementKind::ALL.iter().filter(open).copied()
    }

    /// Returns the rule for a kind of endorsement, if the kind is allowed. `issued` is the policy's day of
    /// issue.
    ///
    /// # Errors
    /// [`NotEndorsable`] with the reason why this kind is not allowed.
    pub fn judge(
        &self,
        kind: EndorsementKind,
        issued: Date,
        on: Date,
        has_claim: bool,
    ) -> Result<&EndorsementRule, NotEndorsable> {
        let rule = self.kinds.iter().find(|rule| rule.kind == kind).ok_or(NotEndorsable::NoRule(kind))?;
        let last = rule.within.map(|within| within.last_day(issued));
        match last.filter(|last| on > *last) {
            Some(last) => Err(NotEndorsable::TooLate(kind, last)),
            None if has_claim && !rule.after_claim => Err(NotEndorsable::ClaimMade(kind)),
            None => Ok(rule),
        }
    }

    /// Refund if the endorsement makes the cover cheaper. `ending.premium` is the price difference. `prices`
    /// are the premiums before and after the endorsement.
    pub fn refund(&self, rule: &EndorsementRule, ending: &Ending, prices: (Premium, Premium)) -> Refund {
        let (before, after) = prices;
        let priced = |words: &str, price: Premium| Step {
            kind: StepKind::Described(words.to_owned()),
            location: None,
            factor: String::new(),
            amount: price.base().to_decimal(),
        };
        let mut steps = vec![
            priced("Premium of the policy, without tax", before),
            priced("Premium of the changed policy at the rates of the sale", after),
        ];
        let base = rule.returns.base(ending, &rule.location, &[], &mut steps);
        if let Some(difference) = steps.get_mut(2) {
            difference.kind = StepKind::Described("The difference".to_owned());
        }
        let mut gst = tax_back(&self.credit_notes, base, before, ending, &mut steps);
        if gst > Rupees::ZERO && base == ending.premium.base() {
            // What is left of the premium is then exactly the premium of the changed policy.
            gst = ending.premium.gst();
            if let Some(tax) = steps.last_mut() {
                let words = format!("Tax of the difference, {} less {}", before.gst(), after.gst());
                tax.kind = StepKind::Described(words);
                tax.amount = (base + gst).to_decimal();
            }
        }
        let refund = Premium::of_parts(base, gst).unwrap_or(ending.premium);
        let due_on = days_later(ending.on, self.refund_within_days).unwrap_or(Date::MAX);
        Refund {
            refund,
            due_on,
            late_interest: self.late_interest.on(ending.on),
            steps,
            source: rule.source.clone(),
        }
    }

    /// Calculation steps of the charge if the endorsement makes the cover more expensive. `prices` are the
    /// premiums before and after the endorsement.
    pub fn charge_steps(prices: (Premium, Premium), charge: Premium) -> Vec<Step> {
        let (before, after) = prices;
        let step = |words: &str, amount: Rupees| Step {
            kind: StepKind::Described(words.to_owned()),
            location: None,
            factor: String::new(),
            amount: amount.to_decimal(),
        };
        vec![
            step("Premium of the policy, with tax", before.total()),
            step("Premium of the changed policy at the rates of the sale, with tax", after.total()),
            step("The difference to pay", charge.total()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY: Date = Date::constant(2026, 11, 20);

    fn location() -> SourceLocation {
        SourceLocation { file: "endorsements.toml".into(), line: 1 }
    }

    fn rules() -> EndorsementRules {
        let kinds = vec![EndorsementRule {
            kind: EndorsementKind::DateOfBirth,
            confirmed: true,
            after_claim: false,
            within: None,
            returns: Returns::All,
            source: String::new(),
            location: location(),
        }];
        let notes = CreditNotes { from: DAY, month: 11, day: 30, location: location() };
        EndorsementRules {
            refund_within_days: 7,
            late_interest: LateInterest::default(),
            kinds,
            credit_notes: Arc::from([notes]),
        }
    }

    proptest! {
        #[test]
        fn a_refund_of_the_whole_difference_leaves_exactly_the_premium_of_the_changed_policy(
            before in 100_000_i64..100_000_000,
            percent in 1_i64..100,
        ) {
            let taxed = |base: i64| {
                let gst = (18 * base + 50) / 100;
                Premium::of_parts(Rupees::from_paise(base), Rupees::from_paise(gst)).expect("in range")
            };
            let (before, after) = (taxed(before), taxed(before * percent / 100));
            let difference =
                Premium::of_parts(before.base() - after.base(), before.gst() - after.gst()).expect("in range");
            let ending = Ending {
                premium: difference,
                retained: difference,
                issued: DAY,
                starts: DAY,
                ends: Date::constant(2028, 11, 19),
                on: DAY,
                received: DAY,
                has_claim: false,
                cover: (Rupees::whole(500_000), Rupees::whole(500_000)),
                by_insurer: false,
                covered_since: None,
            };
            let rules = rules();
            let refund = rules.refund(&rules.kinds[0], &ending, (before, after));
            prop_assert_eq!(before.total() - refund.refund.total(), after.total());
            let shown = refund.steps.last().map(|step| step.amount);
            prop_assert_eq!(shown, Some(refund.refund.total().to_decimal()));
        }
    }
}

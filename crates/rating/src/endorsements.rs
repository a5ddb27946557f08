//! Endorsements: what of a policy may be changed after its sale, who confirms it, and what of the premium comes back where cover
//! costs less, by rules of the catalogue (D89).

use std::fmt;
use std::sync::Arc;

use domain::date::{Date, days_later, in_words};
use domain::endorsement::EndorsementKind;
use domain::money::{Premium, Rupees};

use crate::cancellation::{CreditNotes, Ending, Refund, Returns, tax_back};
use crate::explanation::{Step, StepKind};
use crate::source_location::SourceLocation;
use crate::within::Within;

/// The rules by which policies of a class of cover are endorsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndorsementRules {
    /// Days after the request within which the insurer pays a refund.
    pub refund_within_days: u16,
    /// Interest on a refund that is paid later, in hundredths of a percent for a year.
    pub late_interest: u32,
    pub(crate) kinds: Vec<EndorsementRule>,
    /// Until when tax comes back, oldest first. Empty: it never does.
    pub(crate) credit_notes: Arc<[CreditNotes]>,
}

/// What holds for a kind of endorsement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndorsementRule {
    /// Which.
    pub kind: EndorsementKind,
    /// Whether whoever decides the product's proposals confirms it. Else it is made at once.
    pub confirmed: bool,
    /// Whether it can be asked for once a claim was made.
    pub after_claim: bool,
    /// In how many days from the issue it can be asked for. `None`: while the policy covers.
    pub within: Option<Within>,
    /// What of the difference comes back where cover costs less.
    pub(crate) returns: Returns,
    /// Where the rule comes from.
    pub source: String,
    pub(crate) location: SourceLocation,
}

/// Why a policy is not endorsed. Its `Display` is a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotEndorsable {
    /// These products have no rule for it.
    NoRule(EndorsementKind),
    /// Its days are over.
    TooLate(EndorsementKind, Date),
    ClaimMade(EndorsementKind),
}

impl fmt::Display for NotEndorsable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotEndorsable::NoRule(kind) => {
                write!(to, "Policies of this product are not endorsed for {kind}.")
            }
            NotEndorsable::TooLate(kind, last) => {
                write!(to, "The time for {kind} ended on {}.", in_words(*last))
            }
            NotEndorsable::ClaimMade(kind) => {
                write!(to, "A claim was made, so that the policy is not endorsed for {kind}.")
            }
        }
    }
}

impl EndorsementRules {
    /// The kinds that are left, in the contract's order.
    pub fn kinds(
        &self,
        issued: Date,
        on: Date,
        has_claim: bool,
    ) -> impl Iterator<Item = EndorsementKind> + '_ {
        let open = move |kind: &&EndorsementKind| self.judge(**kind, issued, on, has_claim).is_ok();
        EndorsementKind::ALL.iter().filter(open).copied()
    }

    /// The rule of a kind, for a policy that was issued on a day.
    ///
    /// # Errors
    /// Why there is none, or why it does not let it be.
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

    /// What comes back where cover costs less from now on: of the difference, by the rule of the kind. `ending.premium` is the
    /// difference, `prices` are the premium before and after.
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
            priced("Premium of the changed policy by the rates of the sale", after),
        ];
        let base = rule.returns.base(ending, &rule.location, &[], &mut steps);
        if let Some(difference) = steps.get_mut(2) {
            difference.kind = StepKind::Described("The difference".to_owned());
        }
        let gst = tax_back(&self.credit_notes, base, before, ending, &mut steps);
        let refund = Premium::of_parts(base, gst).unwrap_or(ending.premium);
        let due_on = days_later(ending.on, self.refund_within_days).unwrap_or(Date::MAX);
        Refund { refund, due_on, late_interest: self.late_interest, steps, source: rule.source.clone() }
    }

    /// The steps to what is to be paid where cover costs more.
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
            step("Premium of the changed policy by the rates of the sale, with tax", after.total()),
            step("The difference is to be paid", charge.total()),
        ]
    }
}

//! Price of a credit-life variant: rate, riders, adjustments, tax.

use domain::context::Context;
use domain::date::Date;
use domain::money::{Premium, Rupees};
use domain::quote::{NotPriced, QuoteRequest};
use domain::text::one_line;

use crate::adjustment::Adjustments;
use crate::adjustment_kind::Circumstances;
use crate::credit_rates::CreditRates;
use crate::dated_rates::DatedRates;
use crate::explanation::{Journal, Step, StepKind};
use crate::fact_loadings::FactLoadings;
use crate::joint_life::{Joint, JointKind};
use crate::rider::Rider;
use crate::tax::Taxation;

/// Most characters that a message shows of an unknown rider's name.
const LONGEST_SHOWN: usize = 60;

/// Amount to which a rate is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    Cover,
    /// The loan amount, if the partner sent one above zero. Otherwise the cover amount.
    Loan,
}

/// Rates, riders, adjustments and taxation that price a variant.
#[derive(Debug, Clone)]
pub(crate) struct Pricing {
    pub(crate) rates: DatedRates<CreditRates>,
    pub(crate) basis: Basis,
    /// Pricing of a second life. `None`: the price is that of the first person, even if more are insured.
    pub(crate) joint: Option<Joint>,
    /// Riders that customers may buy in addition to the base cover.
    pub(crate) riders: Vec<Rider>,
    /// Loadings for occupation and tobacco.
    pub(crate) facts: FactLoadings,
    pub(crate) adjustments: Adjustments,
    pub(crate) taxation: Taxation,
}

impl Pricing {
    /// Riders that a request chooses, in the catalogue's order.
    ///
    /// # Errors
    /// [`NotPriced::Rider`] for a rider that the variant does not offer.
    pub(crate) fn chosen_riders<'a>(
        &'a self,
        context: &'a Context,
    ) -> Result<impl Iterator<Item = &'a Rider>, NotPriced> {
        let is_known = |id: &str| self.riders.iter().any(|rider| rider.id == id);
        if let Some(unknown) = context.riders().find(|id| !is_known(id)) {
            return Err(NotPriced::Rider(one_line(unknown, LONGEST_SHOWN).unwrap_or_default()));
        }
        Ok(self.riders.iter().filter(|rider| context.riders().any(|id| id == rider.id)))
    }

    /// Premium of a request whose limits were already checked. `None` if an amount exceeds the range of
    /// `Decimal`.
    pub(crate) fn premium_without_limits<'a>(
        &'a self,
        request: &QuoteRequest,
        (age, joint_age): (u16, Option<u16>),
        mut riders: impl Iterator<Item = &'a Rider>,
        starts: Date,
        journal: &mut impl Journal,
    ) -> Option<Premium> {
        let basis = self.basis_of(request, journal);
        let (rates, months) = (self.rates.on(starts), request.term.as_months());
        let rated = match (&self.joint, joint_age) {
            (Some(joint), Some(other)) => match joint.kind {
                JointKind::Elder => {
                    let elder = age.max(other);
                    joint.record_elder(elder, basis.to_decimal(), journal);
                    rates.add(None, (basis, months, elder), None, journal)?
                }
                JointKind::Both(percent) => {
                    let one = rates.add(None, (basis, months, age), None, journal)?;
                    let both = rates.add(Some(one), (basis, months, other), None, journal)?;
                    joint.of_both(both, percent, journal)?
                }
            },
            _ => rates.add(None, (basis, months, age), None, journal)?,
        };
        let amount = riders.try_fold(rated, |amount, rider| {
            rider.add(amount, rated, (basis, months, age), starts, journal)
        })?;
        let context = &request.context;
        let facts = self.facts.of_person(context.occupation(), context.tobacco());
        let circumstances = Circumstances { facts, ..Circumstances::NONE };
        let amount = self.adjustments.apply(amount, &circumstances, journal)?;
        self.taxation.premium(amount, starts, journal)
    }

    /// Amount to which the rate is applied.
    fn basis_of(&self, request: &QuoteRequest, journal: &mut impl Journal) -> Rupees {
        let loan = match self.basis {
            Basis::Cover => None,
            Basis::Loan => request.context.loan_amount().filter(|loan| *loan > Rupees::ZERO),
        };
        let amount = loan.unwrap_or(request.cover.amount());
        journal.record(|| {
            let words = if loan.is_some() { "Amount of the loan" } else { "Cover amount" };
            Step {
                kind: StepKind::Described(words.to_owned()),
                location: None,
                factor: String::new(),
                amount: amount.to_decimal(),
            }
        });
        amount
    }
}

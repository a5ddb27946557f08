//! Credit-life variants: the cover of each with its price.

use std::sync::Arc;

use domain::date::Date;
use domain::id::VariantId;
use domain::money::{Premium, Rupees};
use domain::quote::{NotPriced, QuoteRequest};
use rust_decimal::Decimal;

use crate::adjustment::Adjustments;
use crate::adjustment_kind::Circumstances;
use crate::credit_limits::Limits;
use crate::credit_sale::{self, Sale, SaleFault};
use crate::dated_rates::DatedRates;
use crate::explanation::{Explanation, Journal, NoJournal, Step, StepKind};
use crate::insurer::Insurer;
use crate::joint_life::{Joint, JointKind};
use crate::method::credit_life::Method;
use crate::product::Product;
use crate::schedule;
use crate::source_location::SourceLocation;
use crate::tax::Taxation;

/// A variant of a credit-life product.
#[derive(Debug, Clone)]
pub struct CreditVariant {
    /// Its id.
    pub id: VariantId,
    /// Its name.
    pub name: String,
    /// Whether the cover stays or falls.
    pub cover: CoverKind,
    /// Its product.
    pub product: Arc<Product>,
    /// Whom it covers, for how much and how long.
    pub limits: Limits,
    /// Keys of its eligibility that its file does not say, each with what holds then.
    pub unsaid: Vec<(&'static str, &'static str)>,
    /// `None` where the insurer prices it over HTTP.
    pub(crate) pricing: Option<Pricing>,
}

/// Whether a cover stays as it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverKind {
    /// The same on every day.
    Level,
    /// It falls with the loan.
    Reducing {
        /// The yearly interest, in percent, of the loan that it follows.
        interest_percent: Decimal,
    },
}

/// What a rate is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The cover amount.
    Cover,
    /// The amount of the loan where the partner sent one above zero, else the cover amount.
    Loan,
}

/// How a variant is priced.
#[derive(Debug, Clone)]
pub(crate) struct Pricing {
    pub(crate) rates: DatedRates<CreditRates>,
    pub(crate) basis: Basis,
    /// How a second life is priced; `None` where all people are insured at the price of the first.
    pub(crate) joint: Option<Joint>,
    pub(crate) adjustments: Adjustments,
    pub(crate) taxation: Taxation,
}

/// A method with its table.
#[derive(Debug, Clone)]
pub(crate) struct CreditRates {
    pub(crate) method: Method,
    /// The table's file.
    pub(crate) table: Arc<str>,
}

impl CreditVariant {
    /// The insurer.
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// The premium of cover that starts on a day in Asia/Kolkata ([`QuoteRequest::starts`]): the day decides age and
    /// tax.
    ///
    /// # Errors
    /// Why it has no price (D22). A variant that its insurer prices over HTTP gives [`NotPriced::InsurerFailed`].
    pub fn price(&self, request: &QuoteRequest, starts: Date) -> Result<Premium, NotPriced> {
        self.calculate(request, starts, &mut NoJournal)
    }

    /// Every rule of the product that a sale breaks, but for its price (D61).
    pub fn sale_faults(&self, sale: &Sale<'_>) -> Vec<SaleFault> {
        credit_sale::faults(&self.limits, sale)
    }

    /// The premium with the steps that lead to it. The outcome always equals that of [`CreditVariant::price`].
    pub fn explain(&self, request: &QuoteRequest, starts: Date) -> Explanation {
        let mut steps = Vec::new();
        let outcome = self.calculate(request, starts, &mut steps);
        Explanation { steps, outcome }
    }

    /// The cover at the start of each policy year, counted from 1. Empty for a level cover.
    pub fn schedule(&self, sum_insured: Rupees, term_months: u32) -> Vec<(u32, Rupees)> {
        match self.cover {
            CoverKind::Level => Vec::new(),
            CoverKind::Reducing { interest_percent } => {
                schedule::reducing(sum_insured, interest_percent, term_months)
            }
        }
    }

    fn calculate(
        &self,
        request: &QuoteRequest,
        starts: Date,
        journal: &mut impl Journal,
    ) -> Result<Premium, NotPriced> {
        let pricing = self.pricing.as_ref().ok_or(NotPriced::InsurerFailed)?;
        let age = self.limits.check(request, starts)?;
        let joint = pricing.joint.as_ref().and_then(|_| request.context.joint_date_of_birth());
        let months = request.term.as_months();
        let joint = joint.map(|born| self.limits.check_ages(born, starts, months)).transpose()?;
        let premium = pricing.premium_without_limits(request, (age, joint), starts, journal);
        premium.ok_or(NotPriced::TooLarge)
    }
}

impl Pricing {
    /// The premium of a request within the limits. `None` where it exceeds the range of a decimal.
    fn premium_without_limits(
        &self,
        request: &QuoteRequest,
        (age, joint_age): (u16, Option<u16>),
        starts: Date,
        journal: &mut impl Journal,
    ) -> Option<Premium> {
        let basis = self.basis_of(request, journal);
        let (rates, months) = (self.rates.on(starts), request.term.as_months());
        let amount = match (&self.joint, joint_age) {
            (Some(joint), Some(other)) => match joint.kind {
                JointKind::Elder => {
                    let elder = age.max(other);
                    joint.record_elder(elder, basis.to_decimal(), journal);
                    rates.add(Decimal::ZERO, basis, months, elder, journal)?
                }
                JointKind::Both(percent) => {
                    let one = rates.add(Decimal::ZERO, basis, months, age, journal)?;
                    let both = rates.add(one, basis, months, other, journal)?;
                    joint.of_both(both, percent, journal)?
                }
            },
            (Some(_) | None, _) => rates.add(Decimal::ZERO, basis, months, age, journal)?,
        };
        let amount = self.adjustments.apply(amount, &Circumstances::NONE, journal)?;
        self.taxation.premium(amount, starts, journal)
    }

    /// What the rate is applied to.
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

impl CreditRates {
    /// An amount, and the basis times its rate.
    fn add(
        &self,
        before: Decimal,
        basis: Rupees,
        months: u32,
        age: u16,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        if basis.is_beyond_counting() {
            return None;
        }
        let rate = self.method.find(age, months);
        let rate = rate.expect("every age and term within the limits has a rate: checked when loaded");
        let amount = before.checked_add(basis.to_decimal().checked_mul(rate.per_rupee)?)?;
        journal.record(|| {
            let described = self.method.describe(rate);
            let location = SourceLocation { file: self.table.clone(), line: described.line };
            Step {
                kind: StepKind::Described(described.words),
                location: Some(location),
                factor: described.factor,
                amount,
            }
        });
        Some(amount)
    }
}

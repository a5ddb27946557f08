//! Credit-life variants: what each covers, and what it costs.

use std::sync::Arc;

use domain::date::Date;
use domain::id::VariantId;
use domain::money::{Premium, Rupees};
use domain::quote::{NotPriced, QuoteRequest};
use rust_decimal::Decimal;

use crate::adjustment::Adjustments;
use crate::adjustment_kind::Circumstances;
use crate::credit_limits::Limits;
use crate::explanation::{Explanation, Journal, Place, Step, Unwritten, What};
use crate::insurer::Insurer;
use crate::method::credit_life::Method;
use crate::product::Product;
use crate::schedule;
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
    /// Whose variant it is.
    pub product: Arc<Product>,
    /// Whom it covers, for how much and how long.
    pub limits: Limits,
    /// `None` where the insurer prices it and the catalogue does not.
    pub(crate) pricing: Option<Pricing>,
}

/// Whether a cover stays as it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverKind {
    /// The same on every day.
    Level,
    /// Falls with the loan.
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
    pub(crate) method: Method,
    pub(crate) basis: Basis,
    /// The table's file.
    pub(crate) table: Arc<str>,
    pub(crate) adjustments: Adjustments,
    pub(crate) taxation: Taxation,
}

impl CreditVariant {
    /// The insurer.
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// What it costs, for a quote given on a day in Asia/Kolkata. One that the insurer alone prices has failed to be
    /// priced here.
    ///
    /// # Errors
    /// Why it has no price (D22).
    pub fn price(&self, request: &QuoteRequest, on: Date) -> Result<Premium, NotPriced> {
        self.calculate(request, on, &mut Unwritten)
    }

    /// What it costs and how that came about. The outcome is always that of [`CreditVariant::price`].
    pub fn explain(&self, request: &QuoteRequest, on: Date) -> Explanation {
        let mut steps = Vec::new();
        let outcome = self.calculate(request, on, &mut steps);
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
        on: Date,
        journal: &mut impl Journal,
    ) -> Result<Premium, NotPriced> {
        let pricing = self.pricing.as_ref().ok_or(NotPriced::InsurerFailed)?;
        let age = self.limits.judge(request, on)?;
        let premium = pricing.premium_without_limits(request, age, on, journal);
        premium.ok_or(NotPriced::TooLarge)
    }
}

impl Pricing {
    /// The premium of one whom the limits let in. `None` beyond what can be counted.
    fn premium_without_limits(
        &self,
        request: &QuoteRequest,
        age: u16,
        on: Date,
        journal: &mut impl Journal,
    ) -> Option<Premium> {
        let basis = self.basis_of(request, journal);
        let amount = self.rated(basis, request, age, journal)?;
        let amount = self.adjustments.apply(amount, &Circumstances::NONE, journal)?;
        self.taxation.premium(amount, on, journal)
    }

    /// What the rate is applied to.
    fn basis_of(&self, request: &QuoteRequest, journal: &mut impl Journal) -> Rupees {
        let loan = match self.basis {
            Basis::Cover => None,
            Basis::Loan => request.context.loan_amount().filter(|loan| *loan > Rupees::ZERO),
        };
        let amount = loan.unwrap_or(request.cover.amount());
        journal.note(|| {
            let what = if loan.is_some() { "Amount of the loan" } else { "Cover amount" };
            Step {
                what: What::Told(what.to_owned()),
                place: None,
                factor: String::new(),
                amount: amount.to_decimal(),
            }
        });
        amount
    }

    /// The amount times its rate.
    fn rated(
        &self,
        basis: Rupees,
        request: &QuoteRequest,
        age: u16,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        if basis.is_beyond_counting() {
            return None;
        }
        let rate = self.method.find(age, request.term.as_months());
        let rate = rate.expect("every age and term within the limits has a rate: judged when loaded");
        let amount = basis.to_decimal().checked_mul(rate.per_rupee)?;
        journal.note(|| {
            let told = self.method.tell(rate);
            let place = Place { file: self.table.clone(), line: told.line };
            Step { what: What::Told(told.what), place: Some(place), factor: told.factor, amount }
        });
        Some(amount)
    }
}

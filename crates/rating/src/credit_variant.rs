//! Variants of credit-life products, which are quoted and sold.

use std::sync::Arc;

use domain::context::Context;
use domain::credit_life::CreditApplication;
use domain::date::Date;
use domain::id::VariantId;
use domain::money::{Premium, Rupees};
use domain::quote::{NotPriced, QuoteRequest};
use rust_decimal::Decimal;

use crate::credit_limits::Limits;
use crate::credit_pricing::Pricing;
use crate::credit_sale::{self, Sale, SaleFault};
use crate::explanation::{Explanation, Journal, NoJournal};
use crate::insurer::Insurer;
use crate::product::Product;
use crate::schedule;

#[derive(Debug, Clone)]
pub struct CreditVariant {
    pub id: VariantId,
    pub name: String,
    pub cover: CoverKind,
    pub product: Arc<Product>,
    pub limits: Limits,
    /// Keys of `eligibility` that the product's file omits, each with its default in words.
    pub unsaid: Vec<(&'static str, &'static str)>,
    /// Rates and adjustments. `None` if the insurer prices the variant over HTTP.
    pub(crate) pricing: Option<Pricing>,
}

/// How the cover develops during the term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverKind {
    /// The cover is the same amount on every day.
    Level,
    /// The cover decreases with the loan.
    Reducing {
        /// Yearly interest rate of the loan that the cover follows, in percent.
        interest_percent: Decimal,
    },
}

impl CreditVariant {
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// Premium of cover that starts on a day in Asia/Kolkata ([`QuoteRequest::starts`]). Age and tax rate
    /// depend on this day.
    ///
    /// # Errors
    /// The reason why there is no price (D22). Always [`NotPriced::InsurerFailed`] if the insurer prices the
    /// variant over HTTP.
    pub fn price(&self, request: &QuoteRequest, starts: Date) -> Result<Premium, NotPriced> {
        self.calculate(request, starts, &mut NoJournal)
    }

    /// Names of the riders that a request chooses, in the catalogue's order. Empty if it chooses an unknown
    /// rider.
    pub fn riders_of(&self, context: &Context) -> Vec<String> {
        let chosen = self.pricing.as_ref().and_then(|pricing| pricing.chosen_riders(context).ok());
        chosen.into_iter().flatten().map(|rider| rider.name.clone()).collect()
    }

    /// Builds the sale of an application on a day. If the price depends on the occupation, the sale has the
    /// borrower's own occupation.
    pub fn sale<'a>(&self, application: &'a CreditApplication, on: Date) -> Sale<'a> {
        let sale = Sale::of(application, on);
        let occupations = self.pricing.as_ref().is_some_and(|pricing| !pricing.facts.occupations.is_empty());
        if occupations { sale.with_true_occupation() } else { sale }
    }

    /// Every product rule that the sale breaks. Does not check the price (D61).
    pub fn sale_faults(&self, sale: &Sale<'_>) -> Vec<SaleFault> {
        credit_sale::faults(&self.limits, sale)
    }

    /// Premium with its calculation. The outcome always equals the result of [`CreditVariant::price`].
    pub fn explain(&self, request: &QuoteRequest, starts: Date) -> Explanation {
        let mut steps = Vec::new();
        let outcome = self.calculate(request, starts, &mut steps);
        Explanation { steps, outcome }
    }

    /// Cover amount at the start of each policy year. Years count from 1. Empty for a level cover.
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
        let riders = pricing.chosen_riders(&request.context)?;
        let premium = pricing.premium_without_limits(request, (age, joint), riders, starts, journal);
        premium.ok_or(NotPriced::TooLarge)
    }
}

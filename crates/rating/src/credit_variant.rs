//! Credit-life variants: the cover of each with its price.

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

/// A variant of a credit-life product.
#[derive(Debug, Clone)]
pub struct CreditVariant {
    pub id: VariantId,
    pub name: String,
    /// Whether the cover stays or falls.
    pub cover: CoverKind,
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

impl CreditVariant {
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

    /// Names of the riders that a request bought beside the base cover, in the catalogue's order.
    pub fn riders_of(&self, context: &Context) -> Vec<String> {
        let chosen = self.pricing.as_ref().and_then(|pricing| pricing.chosen_riders(context).ok());
        chosen.into_iter().flatten().map(|rider| rider.name.clone()).collect()
    }

    /// What an application sells on a day. Where the variant prices occupations, the borrower's own counts.
    pub fn sale<'a>(&self, application: &'a CreditApplication, on: Date) -> Sale<'a> {
        let sale = Sale::of(application, on);
        let occupations = self.pricing.as_ref().is_some_and(|pricing| !pricing.facts.occupations.is_empty());
        if occupations { sale.with_true_occupation() } else { sale }
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
        let riders = pricing.chosen_riders(&request.context)?;
        let premium = pricing.premium_without_limits(request, (age, joint), riders, starts, journal);
        premium.ok_or(NotPriced::TooLarge)
    }
}

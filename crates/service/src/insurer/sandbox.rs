//! Simulated insurer that answers test partners in place of every HTTP insurer, so that their data stays here
//! (D97).

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::date::Date;
use domain::health_quote::{Age, HealthOffer, NotOffered, Outcome, TenurePrice};
use domain::id::{ProposalId, VariantId};
use domain::line::LineOfBusiness;
use domain::money::{Premium, Rupees, TaxRate};
use domain::policy::PolicyNumber;
use domain::quote::NotPriced;
use domain::sandbox::TEST_NUMBERS;
use rating::{Catalogue, SoldTo, TaxClass};

use crate::insurer::{
    CreditAsk, HealthAsk, IncomingMessage, Insurer, InsurerDecision, InsurerFault, PolicyNotice,
    PolicyRequest, RequestDecision, Submission,
};

/// Tenures in years for which a health variant is offered.
const YEARS: [u8; 3] = [1, 2, 3];

/// 500,000 rupees, in paise. A lower sum insured is priced as if it were this amount.
const HALF_MILLION: i64 = 50_000_000;

/// Prices by simple rules, accepts every proposal, and confirms every request.
pub(crate) struct SandboxInsurer {
    pub(crate) catalogue: Arc<Catalogue>,
}

/// Policy number under which the simulated insurer accepts a proposal.
pub(crate) fn number_of(proposal: ProposalId) -> PolicyNumber {
    let id = proposal.to_string().to_uppercase();
    let (_, tail) = id.split_at(id.len() - 12);
    PolicyNumber::kept(format!("{TEST_NUMBERS}-{tail}"))
}

impl SandboxInsurer {
    /// Price: three rupees a year for each thousand of cover.
    fn credit_price(&self, ask: &CreditAsk<'_>, id: VariantId) -> Result<Premium, NotPriced> {
        let unknown = || NotPriced::InsurerRefused("The insurer no longer sells this variant.".into());
        let variant = self.catalogue.credit_variant(id).ok_or_else(unknown)?;
        variant.limits.check(ask.request, ask.starts)?;
        let cover = i128::from(ask.request.cover.amount().paise());
        let yearly_per_mille = cover * i128::from(ask.request.term.as_months()) * 3;
        let base = yearly_per_mille / (12 * 1000);
        self.taxed(LineOfBusiness::CreditLife, SoldTo::Group, ask.starts, base).ok_or(NotPriced::TooLarge)
    }

    /// Price: for each person 3000 rupees a year plus 100 for each year of age, for each 500,000 rupees of
    /// cover. With a deductible, a third less.
    fn health_offer(&self, ask: &HealthAsk<'_>, id: VariantId) -> Outcome {
        let unknown = || NotOffered::InsurerRefused("The insurer no longer sells this variant.".into());
        let variant = self.catalogue.health_variant(id).ok_or_else(unknown)?;
        let deductible = ask.request.deductible.unwrap_or(Rupees::ZERO);
        let of_person = |age: Age| 3000 + 100 * i128::from(age.completed_years());
        let of_all: i128 = ask.request.members.iter().map(|member| of_person(member.age)).sum();
        let paise = of_all * i128::from(ask.request.sum_insured.paise().max(HALF_MILLION)) / 500_000;
        let yearly = if deductible > Rupees::ZERO { paise * 2 / 3 } else { paise };
        let sold_to =
            if variant.product.master_policy.is_some() { SoldTo::Group } else { SoldTo::Individual };
        let price = |years: u8| {
            let premium = self.taxed(LineOfBusiness::Health, sold_to, ask.on, yearly * i128::from(years))?;
            Some(TenurePrice { years, premium })
        };
        let tenures: Option<Vec<TenurePrice>> = YEARS.into_iter().map(price).collect();
        let tenures = tenures.ok_or(NotOffered::TooLarge)?;
        Ok(HealthOffer { deductible, copay_percent: 0, tenures })
    }

    /// Premium for an amount in paise, with its tax.
    fn taxed(&self, line: LineOfBusiness, sold_to: SoldTo, on: Date, paise: i128) -> Option<Premium> {
        let rate = self.catalogue.tax(TaxClass::new(line, sold_to), on).unwrap_or(TaxRate::NIL);
        Premium::with_tax(Rupees::from_paise(i64::try_from(paise).ok()?), rate)
    }
}

#[async_trait]
impl Insurer for SandboxInsurer {
    async fn price_credit(
        &self,
        ask: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        Ok(ask.variants.iter().map(|id| self.credit_price(&ask, *id)).collect())
    }

    async fn price_health(&self, ask: HealthAsk<'_>, _: Duration) -> Result<Vec<Outcome>, InsurerFault> {
        Ok(ask.variants.iter().map(|id| self.health_offer(&ask, *id)).collect())
    }

    async fn submit(&self, submission: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Accepted { number: number_of(submission.id()) })
    }

    async fn decision(&self, proposal: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Accepted { number: number_of(proposal) })
    }

    async fn tell(&self, _: PolicyNotice<'_>, _: Duration) -> Result<(), InsurerFault> {
        Ok(())
    }

    async fn decide(&self, _: PolicyRequest<'_>, _: Duration) -> Result<RequestDecision, InsurerFault> {
        Ok(RequestDecision::Confirmed)
    }

    /// Always false: the simulated insurer sends no messages.
    fn is_from(&self, _: &IncomingMessage<'_>) -> bool {
        false
    }
}

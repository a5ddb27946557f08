//! Products, as insurers filed them with the regulator (D29).

use std::sync::Arc;

use domain::id::ProductId;
use domain::language::Text;
use domain::money::Rupees;
use domain::proposal::Decision;

use crate::benefit::Benefits;
use crate::cancellation::CancellationRules;
use crate::claims::ClaimRules;
use crate::endorsements::EndorsementRules;
use crate::insurer::Insurer;
use crate::pre_underwriting::{InsuredPerson, PreUnderwritingRule, deciding};
use crate::premium_terms::PremiumTerms;
use crate::renewals::RenewalRules;
use crate::tax_class::{SoldTo, TaxClass};
use domain::line::LineOfBusiness;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub id: ProductId,
    pub name: String,
    pub line: LineOfBusiness,
    /// Unique identification number (UIN) from the regulator.
    pub uin: String,
    pub insurer: Arc<Insurer>,
    /// Master policy, under which customers get certificates. Only products for groups have one.
    pub master_policy: Option<MasterPolicy>,
    /// Prefix of the product's policy numbers.
    pub policy_number_prefix: String,
    /// Who decides the product's pending proposals (D29).
    pub decision: Decision,
    /// How the premium reaches the insurer. There is no cover before the premium is received (D63).
    pub premium: PremiumTerms,
    /// Days after the acceptance of a proposal within which its premium must be paid. `None`: no limit.
    pub pay_within_days: Option<u16>,
    /// Rules for cancelling the product's policies. `None`: policies cannot be cancelled in this service.
    pub cancellation: Option<Arc<CancellationRules>>,
    /// Rules for claims on the product's policies. `None`: customers claim from the insurer directly.
    pub claims: Option<Arc<ClaimRules>>,
    /// What the product pays for each kind of claim.
    pub benefits: Benefits,
    /// Rules for changes of the product's policies. `None`: policies cannot be changed in this service.
    pub endorsements: Option<Arc<EndorsementRules>>,
    /// Rules for renewing the product's policies. `None`: policies cannot be renewed in this service.
    pub renewals: Option<Arc<RenewalRules>>,
    /// How the premium is paid, for the customer before the payment, and for the certificate of a product whose
    /// premium a deposit pays (D29).
    pub settlement: Text,
    /// How the premium was paid, as printed on the certificate. `None`: the certificate names only the payment.
    pub settlement_paid: Option<String>,
    /// Days after receipt in which a customer can return the policy (free look).
    pub free_look_days: u16,
    /// How the stamp duty is paid, as printed on the certificate.
    pub stamp_duty: Option<String>,
    /// Exclusions, as printed on the certificate. `None` if the catalogue has no text for them.
    pub exclusions: Option<Text>,
    /// Sentences that tell customers of health products what is covered. Can be empty.
    pub covers: Vec<Text>,
    /// Pre-underwriting rules. Only health products have them.
    pub pre_underwriting: Vec<PreUnderwritingRule>,
    /// URLs of documents that a customer can read before buying.
    pub papers: Papers,
}

/// URLs of a product's documents. `None` if the catalogue has no URL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Papers {
    /// Policy wording: all terms and conditions.
    pub policy_wording: Option<String>,
    pub brochure: Option<String>,
    pub customer_information_sheet: Option<String>,
}

/// Policy of a group. The group's members hold certificates under this policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterPolicy {
    pub number: String,
    pub holder: String,
}

impl Product {
    /// Class of cover, which decides the tax. A product with a master policy is sold to a group (D70).
    pub fn tax_class(&self) -> TaxClass {
        let sold_to = if self.master_policy.is_some() { SoldTo::Group } else { SoldTo::Individual };
        TaxClass::new(self.line, sold_to)
    }

    /// The pre-underwriting rule that decides a proposal: the first rule that cancels it, otherwise the first
    /// rule that refers it to a person. `None`: no rule applies.
    pub fn pre_underwriting(
        &self,
        people: &[InsuredPerson<'_>],
        sum_insured: Rupees,
    ) -> Option<&PreUnderwritingRule> {
        deciding(&self.pre_underwriting, people, sum_insured)
    }
}

//! Products, as insurers filed them (D29).

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

/// A product of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub id: ProductId,
    pub name: String,
    pub line: LineOfBusiness,
    /// Its unique identification number with the regulator.
    pub uin: String,
    pub insurer: Arc<Insurer>,
    /// The master policy that its certificates belong to. Group products have one; of others each policy stands
    /// alone.
    pub master_policy: Option<MasterPolicy>,
    /// What its policy numbers begin with.
    pub policy_number_prefix: String,
    /// Who decides its pending proposals (D29).
    pub decision: Decision,
    /// How the premium reaches the insurer, before which there is no cover (D63).
    pub premium: PremiumTerms,
    /// By which rules its policies are cancelled. `None`: they are not cancelled here.
    pub cancellation: Option<Arc<CancellationRules>>,
    /// What claims on its policies need. `None`: claims go to the insurer alone.
    pub claims: Option<Arc<ClaimRules>>,
    /// What it pays for which event, of the kinds of claims that it knows.
    pub benefits: Benefits,
    /// What of its policies may be changed after the sale. `None`: nothing, here.
    pub endorsements: Option<Arc<EndorsementRules>>,
    /// When its policies can be renewed. `None`: they are not renewed here.
    pub renewals: Option<Arc<RenewalRules>>,
    /// How the premium is settled, as printed on the certificate (D29).
    pub settlement: Text,
    /// Days from receipt in which a customer may give the policy back.
    pub free_look_days: u16,
    /// How the stamp duty is paid, as certificates say it.
    pub stamp_duty: Option<String>,
    /// What is not covered, as printed on the certificate. `None` where the catalogue does not say.
    pub exclusions: Option<Text>,
    /// What is covered, a sentence each, for customers of health products. May be empty.
    pub covers: Vec<Text>,
    /// Rules before underwriting, of health products alone.
    pub pre_underwriting: Vec<PreUnderwritingRule>,
    /// Papers that a customer may read before buying.
    pub papers: Papers,
}

/// Addresses (URLs) of a product's papers. `None` where the catalogue does not say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Papers {
    /// The policy wording: all terms and conditions.
    pub policy_wording: Option<String>,
    pub brochure: Option<String>,
    pub customer_information_sheet: Option<String>,
}

/// The policy of a group, under which its members hold certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterPolicy {
    pub number: String,
    /// Who holds it.
    pub holder: String,
}

impl Product {
    /// Its class of cover, by which it is taxed: a product with a master policy is sold to a group (D70).
    pub fn tax_class(&self) -> TaxClass {
        let sold_to = if self.master_policy.is_some() { SoldTo::Group } else { SoldTo::Individual };
        TaxClass::new(self.line, sold_to)
    }

    /// The rule before underwriting that decides over a proposal: the first that cancels it, else the first that refers
    /// it. `None` where no rule holds.
    pub fn pre_underwriting(
        &self,
        people: &[InsuredPerson<'_>],
        sum_insured: Rupees,
    ) -> Option<&PreUnderwritingRule> {
        deciding(&self.pre_underwriting, people, sum_insured)
    }
}

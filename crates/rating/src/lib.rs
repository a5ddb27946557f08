//! Catalogues of products with their rates, by which requests are priced.
//!
//! A catalogue is a folder that an operator edits (`catalogue/README.md` describes it). [`Files`] holds such
//! a folder in memory. [`Catalogue::load`] checks and compiles all of it. [`CreditVariant::price`] and
//! [`HealthVariant::price`] price one variant for one request. Products, rates and taxes are never in code.
//! This crate uses no network, no database and no clock.
//!
//! Modules depend on each other in one direction. `parse` knows files and values but no product. `method`
//! looks up rates in tables that `parse` reads. `load` builds a catalogue with both. `chart` tests a
//! catalogue.

pub mod benefit;
pub mod between;
pub mod bordereau;
pub mod cancellation;
pub mod catalogue;
pub mod chart;
pub mod claims;
pub mod commission;
pub mod complaints;
pub mod credit_limits;
pub mod credit_sale;
pub mod credit_variant;
pub mod endorsements;
pub mod explanation;
pub mod family;
pub mod fault;
pub mod files;
pub mod filter_tag;
pub mod health_facts;
pub mod health_limits;
pub mod health_variant;
pub mod illness;
pub mod insurer;
pub mod members;
pub mod pre_underwriting;
pub mod premium_terms;
pub mod product;
pub mod sample;
pub mod source_location;

mod adjustment;
mod adjustment_kind;
mod credit_pricing;
mod credit_rates;
mod dated_rates;
mod fact_loadings;
mod illness_terms;
mod joint_life;
mod load;
mod method;
mod parse;
mod renewals;
mod rider;
mod schedule;
mod tax;
mod tax_class;
mod tenure;
mod within;
mod zones;

pub use adjustment_kind::AdjustmentKind;
pub use benefit::{Benefit, Benefits, ClaimEvent, CoverLeft, NotPayable, OtherClaim, SumHolder, SumPeriod};
pub use between::Between;
pub use bordereau::Bordereaux;
pub use cancellation::{CancellationRules, Ending, NotCancellable, Refund};
pub use catalogue::Catalogue;
pub use claims::{ClaimKindRule, ClaimRules, Paper};
pub use commission::{CommissionRate, CommissionTerms, NoShare, PartnerLicence, PartnerTerms};
pub use complaints::ComplaintRules;
pub use credit_limits::{Limits, SaleTerms};
pub use credit_sale::{Sale, SaleFault};
pub use credit_variant::{CoverKind, CreditVariant};
pub use dated_rates::LateInterest;
pub use domain::line::LineOfBusiness;
pub use endorsements::{EndorsementRule, EndorsementRules, NotEndorsable};
pub use explanation::{Explanation, HealthExplanation, RateSubject, Step, StepKind, TenureExplanation};
pub use family::FamilySize;
pub use fault::CatalogueFault;
pub use files::{Files, hash_of};
pub use filter_tag::FilterTag;
pub use health_facts::{HealthFacts, InstalmentPlan, Instalments};
pub use health_limits::HealthLimits;
pub use health_variant::{Copay, HealthVariant};
pub use illness::Illness;
pub use insurer::{Authentication, Connector, HttpConnector, Insurer};
pub use members::Members;
pub use pre_underwriting::{Consequence, InsuredPerson, PreUnderwritingRule};
pub use premium_terms::{DepositTerms, PremiumTerms};
pub use product::{MasterPolicy, Papers, Product};
pub use renewals::{NotRenewable, RenewalRules};
pub use schedule::cover_on;
pub use source_location::SourceLocation;
pub use tax_class::{SoldTo, TaxClass};
pub use within::Within;

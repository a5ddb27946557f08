//! Catalogues of products and rates: read, judged whole, and priced by.
//!
//! A catalogue is a folder that an operator edits (`catalogue/README.md` describes it). [`Files`] holds such a
//! folder in memory, [`Catalogue::load`] judges it whole and compiles it, and [`CreditVariant::price`] and
//! [`HealthVariant::price`] price one variant for one request. No product, rate or tax lives in code; nothing here
//! knows a network, a database or the time of day.

pub mod catalogue;
pub mod chart;
pub mod credit_variant;
pub mod explanation;
pub mod family;
pub mod fault;
pub mod files;
pub mod health_limits;
pub mod health_variant;
pub mod insurer;
pub mod limits;
pub mod line;
pub mod members;
pub mod pre_underwriting;
pub mod product;
pub mod sample;
pub mod vocabulary;

mod adjustment;
mod illnesses;
mod load;
mod method;
mod number;
mod schedule;
mod tax;
mod tenure;
mod zones;

pub use adjustment::AdjustmentKind;
pub use catalogue::Catalogue;
pub use credit_variant::{CoverKind, CreditVariant};
pub use explanation::{Explanation, HealthExplanation, Place, Step, TenureExplanation, What, Whose};
pub use family::FamilySize;
pub use fault::CatalogueFault;
pub use files::{Files, hash_of};
pub use health_limits::HealthLimits;
pub use health_variant::{Copay, HealthVariant};
pub use insurer::{Authentication, Connector, HttpConnector, Insurer};
pub use limits::{Between, Limits};
pub use line::Line;
pub use members::Members;
pub use pre_underwriting::{Consequence, InsuredPerson, PreUnderwritingRule};
pub use product::{MasterPolicy, Product};
pub use vocabulary::{FilterTag, Illness};

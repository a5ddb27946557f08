//! Catalogues of products and rates: read, judged whole, and priced by.
//!
//! A catalogue is a folder that an operator edits (`catalogue/README.md` describes it). [`Files`] holds such a
//! folder in memory, [`Catalogue::load`] judges it whole and compiles it, and [`CreditVariant::price`] prices one
//! variant for one request. No product, rate or tax lives in code; nothing here knows a network, a database or
//! the time of day.

pub mod catalogue;
pub mod chart;
pub mod explanation;
pub mod fault;
pub mod files;
pub mod health_variant;
pub mod insurer;
pub mod limits;
pub mod line;
pub mod product;
pub mod sample;
pub mod variant;
pub mod vocabulary;

mod adjustment;
mod load;
mod method;
mod number;
mod schedule;
mod tax;

pub use catalogue::Catalogue;
pub use explanation::{Explanation, HealthExplanation, Place, Step, TenureExplanation};
pub use fault::CatalogueFault;
pub use files::Files;
pub use health_variant::HealthVariant;
pub use insurer::{Authentication, Connector, HttpConnector, Insurer};
pub use limits::{Between, Limits};
pub use line::Line;
pub use product::{MasterPolicy, Product};
pub use variant::{CoverKind, CreditVariant};
pub use vocabulary::{FilterTag, Illness};

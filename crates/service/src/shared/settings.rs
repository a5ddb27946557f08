//! Operator's settings of the use cases.

use std::sync::Arc;
use std::time::Duration;

use domain::event::Event;
use domain::operator::Operator;

use crate::catalogue::CatalogueReview;
use crate::outside::carrier::Carrier;
use crate::outside::erasure_journal::ErasureJournal;
use crate::outside::paper_scanner::PaperScanner;
use crate::outside::payment_gateway::PaymentGateway;
use crate::shared::claim_limits::ClaimLimits;
use crate::shared::retention::Retention;

/// Operator's settings of the use cases.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Base URL that partners call, without a slash at its end. The URL is also issuer and audience of
    /// tokens, and the start of signed addresses.
    pub base_url: Arc<str>,
    /// Operator that runs this service and sells the insurance, if known.
    pub operator: Option<Arc<Operator>>,
    /// Payment gateway of the operator, if any.
    pub gateway: Option<Arc<dyn PaymentGateway>>,
    /// Sends events to partners' endpoints.
    pub carrier: Arc<dyn Carrier>,
    /// Writes the body of an event. The `bool` says whether the event is a test partner's.
    pub event_body: fn(&Event, bool) -> Vec<u8>,
    /// Virus scanner of the operator for documents of claims, if any.
    pub scanner: Option<Arc<dyn PaperScanner>>,
    /// Limits of claims and uploads (D112).
    pub claim_limits: ClaimLimits,
    /// Key in a proposal's context data whose value is the partner's reference of the sale (D79).
    pub reference_key: Arc<str>,
    /// Whether the team approves catalogues here (D141).
    pub catalogue_review: CatalogueReview,
    /// Retention periods of records (D105, D122).
    pub retention: Retention,
    /// Journal of erasures outside the store.
    pub erasures: Arc<dyn ErasureJournal>,
    /// Longest wait for an insurer before its items in a quote become `is_error` (D22).
    pub insurer_deadline: Duration,
    /// Longest wait for an insurer in a job that prices a health quote. After that, the insurer's variants
    /// get no offer (D17).
    pub recommendation_deadline: Duration,
}

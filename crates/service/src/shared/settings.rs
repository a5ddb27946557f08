//! What an operator sets about the use cases.

use std::sync::Arc;
use std::time::Duration;

use domain::event::Event;
use domain::operator::Operator;

use crate::outside::carrier::Carrier;
use crate::outside::erasure_journal::ErasureJournal;
use crate::outside::paper_scanner::PaperScanner;
use crate::outside::payment_gateway::PaymentGateway;
use crate::shared::claim_limits::ClaimLimits;
use crate::shared::retention::Retention;

/// What an operator sets about the use cases.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that partners call, without a slash at its end: issuer and audience of tokens, and the
    /// start of signed addresses.
    pub base_url: Arc<str>,
    /// Who runs this service and sells the insurance, where that is known.
    pub operator: Option<Arc<Operator>>,
    /// The payment gateway, where the operator has one.
    pub gateway: Option<Arc<dyn PaymentGateway>>,
    /// What carries events to partners' endpoints.
    pub carrier: Arc<dyn Carrier>,
    /// What is sent of an event.
    pub event_body: fn(&Event, bool) -> Vec<u8>,
    /// What scans the papers of claims, where the operator has a scanner.
    pub scanner: Option<Arc<dyn PaperScanner>>,
    /// How much may be claimed and uploaded (D112).
    pub claim_limits: ClaimLimits,
    /// The key of a proposal's context data whose value is the partner's own reference of the sale (D79).
    pub reference_key: Arc<str>,
    /// How long records are kept (D105, D122).
    pub retention: Retention,
    /// Where erasures are kept outside of the store.
    pub erasures: Arc<dyn ErasureJournal>,
    /// Longest wait for an insurer before its items become `is_error` (D22).
    pub insurer_deadline: Duration,
    /// Longest wait for an insurer in a job, before its variants are left out (D17).
    pub recommendation_deadline: Duration,
}

//! What other systems do for the service, a trait each: carry events, take payments, scan papers.

pub mod carrier;
pub mod erasure_journal;
pub mod paper_scanner;
pub mod payment_gateway;

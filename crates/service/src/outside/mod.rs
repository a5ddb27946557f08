//! Interfaces to other systems: event delivery, payments, virus scans, the erasure journal.

pub mod carrier;
pub mod erasure_journal;
pub mod paper_scanner;
pub mod payment_gateway;

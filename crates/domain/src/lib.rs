//! Rules of insurance, free of I/O.
//!
//! Nothing here reads a clock, a file, a database or a wire format. Personal data leaves its type only
//! through `.reveal()`.

pub mod access;
pub mod approval;
pub mod bank;
pub mod cancellation;
pub mod claim;
pub mod complaint;
pub mod context;
mod cover_period;
pub mod credit_life;
pub mod date;
pub mod endorsement;
pub mod endorsement_change;
pub mod event;
pub mod health_policy;
pub mod health_proposal;
pub mod health_quote;
pub mod id;
pub mod identifier;
pub mod journey;
pub mod language;
pub mod line;
pub mod money;
pub mod operator;
pub mod partner;
pub mod party;
pub mod period;
pub mod person;
pub mod policy;
pub mod policy_number;
pub mod policy_state;
pub mod premium;
pub mod proposal;
pub mod quote;
pub mod ranking;
pub mod refund;
pub mod renewal;
pub mod sandbox;
pub mod session;
pub mod statement;
pub mod team;
pub mod text;
pub mod webhook;
pub mod work_item;

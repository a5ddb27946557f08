//! Session: one visit of a partner's customer, from the first quote to the policy (D37).

use std::collections::BTreeMap;

use crate::date::Timestamp;
use crate::id::{PartnerId, SessionId};

#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// Partner that opened the session.
    pub partner: PartnerId,
    pub created_at: Timestamp,
    /// Partner's own data about the session. May be personal.
    pub metadata: BTreeMap<String, String>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Session({}, …)", self.id)
    }
}

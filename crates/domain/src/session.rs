//! The session: what a partner's customer does in one go, from the first quote to the policy (D37).

use std::collections::BTreeMap;

use crate::date::Timestamp;
use crate::id::{PartnerId, SessionId};

#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// Whose it is.
    pub partner: PartnerId,
    /// When it was opened.
    pub created_at: Timestamp,
    /// What the partner wants to remember of it. May be personal.
    pub metadata: BTreeMap<String, String>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Session({}, …)", self.id)
    }
}

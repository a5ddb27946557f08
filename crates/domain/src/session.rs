//! Session: one visit of a partner's customer, from the first quote to the policy (D37).

use std::collections::BTreeMap;

use crate::date::Timestamp;
use crate::id::{PartnerId, SessionId};
use crate::identifier::{Identifier, IdentifierKind, each_once};
use crate::person::{Document, DocumentType, Email, IndianMobile, pan_of};
use crate::text::FromText;

#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// Partner that opened the session.
    pub partner: PartnerId,
    pub created_at: Timestamp,
    /// Partner's own data about the session. May be personal.
    pub metadata: BTreeMap<String, String>,
}

impl Session {
    /// Search keys in the metadata: values that are a mobile number, an e-mail address or a PAN. Without duplicates.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let key = |value: &String| {
            let value = value.trim();
            if let Ok(IndianMobile(mobile)) = IndianMobile::from_text(value) {
                return Some(Identifier::of(IdentifierKind::Mobile, mobile.reveal()));
            }
            let email = Email::from_text(value).ok();
            let email = email.map(|email| Identifier::of(IdentifierKind::Email, email.reveal()));
            let pan = Document::of(DocumentType::Pan, value).ok();
            let pan = pan.as_ref().and_then(|pan| pan_of(std::slice::from_ref(pan)));
            email.or(pan.map(|pan| Identifier::of(IdentifierKind::Pan, pan)))
        };
        each_once(self.metadata.values().filter_map(key).collect(), None)
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Session({}, …)", self.id)
    }
}

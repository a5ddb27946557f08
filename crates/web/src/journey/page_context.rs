//! Facts about a page's customer that error pages need.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderValue, header};
use domain::partner::Partner;

use super::words::Words;

/// Facts that extractors record for the outermost layer, which makes error pages and sets the cookie.
#[derive(Clone, Default)]
pub(crate) struct PageContext {
    visitor: Arc<OnceLock<(&'static Words, Partner)>>,
    cookie: Arc<OnceLock<HeaderValue>>,
}

impl PageContext {
    /// Texts in the customer's language, and the customer's partner, once they are known.
    pub(crate) fn visitor(&self) -> Option<&(&'static Words, Partner)> {
        self.visitor.get()
    }

    /// Records the texts in the customer's language, and the customer's partner. Only the first call has an
    /// effect.
    pub(crate) fn set_visitor(&self, words: &'static Words, partner: &Partner) {
        let _ = self.visitor.set((words, partner.clone()));
    }

    /// Records a cookie with a longer lifetime. Only the first call has an effect.
    pub(crate) fn renew_cookie(&self, cookie: HeaderValue) {
        let _ = self.cookie.set(cookie);
    }

    /// Adds the recorded cookie to a response that does not set a cookie yet.
    pub(crate) fn set_cookie(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = self.cookie.get() {
            headers.entry(header::SET_COOKIE).or_insert_with(|| cookie.clone());
        }
    }
}

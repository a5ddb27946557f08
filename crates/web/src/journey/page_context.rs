//! Page context: whose page a request is for.

use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, HeaderValue, header};
use domain::partner::Partner;

use super::words::Words;

/// What a request's extractors learn, for the layer that answers with an error page and sets the cookie.
#[derive(Clone, Default)]
pub(crate) struct PageContext {
    visitor: Arc<OnceLock<(&'static Words, Partner)>>,
    cookie: Arc<OnceLock<HeaderValue>>,
}

impl PageContext {
    /// The customer's words and partner, once they are known.
    pub(crate) fn visitor(&self) -> Option<&(&'static Words, Partner)> {
        self.visitor.get()
    }

    /// Notes the customer's words and partner. The first note stays.
    pub(crate) fn set_visitor(&self, words: &'static Words, partner: &Partner) {
        let _ = self.visitor.set((words, partner.clone()));
    }

    /// Notes the cookie that the browser is to keep for longer. The first note stays.
    pub(crate) fn renew_cookie(&self, cookie: HeaderValue) {
        let _ = self.cookie.set(cookie);
    }

    /// Adds the renewed cookie to a response that sets none itself.
    pub(crate) fn set_cookie(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = self.cookie.get() {
            headers.entry(header::SET_COOKIE).or_insert_with(|| cookie.clone());
        }
    }
}

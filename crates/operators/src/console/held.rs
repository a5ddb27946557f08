//! What cookies hold for the next pages, encrypted: the personal data that a page shows for some minutes, and what was
//! done before.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};
use service::team::SignedIn;

use super::Console;
use super::visitor::{cookie_in, cookie_name, set_cookie};
use crate::act::Action;

/// How long a page shows personal data after the operator gave a reason.
const SEEN_FOR: Duration = Duration::from_secs(10 * 60);

/// Name of the cookie, and what it holds.
const SIGHT: &str = "sight";

/// Which personal data a page shows, and why.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HeldSight {
    session: String,
    act: String,
    record: String,
    pub(super) reason: String,
    /// Kinds of personal data. Empty: all.
    pub(super) only: Vec<String>,
}

/// Header that makes a page show personal data. Without a reason, the page masks them again.
pub(super) fn begin_sight(
    console: &Console,
    signed_in: &SignedIn,
    action: &Action,
    record: &str,
    (reason, only): (&str, Vec<String>),
) -> (header::HeaderName, HeaderValue) {
    let sight = HeldSight {
        session: signed_in.secret.short_id(),
        act: action.about.name.to_owned(),
        record: record.to_owned(),
        reason: reason.to_owned(),
        only,
    };
    let text = serde_json::to_string(&sight).unwrap_or_default();
    let value = match reason {
        "" => String::new(),
        _ => console.service().team.hold(SIGHT, &text, SEEN_FOR),
    };
    set_cookie(console, SIGHT, &value, SEEN_FOR)
}

/// The personal data that a page of this session shows.
pub(super) fn sight(
    console: &Console,
    signed_in: &SignedIn,
    headers: &HeaderMap,
    action: &Action,
    record: &str,
) -> Option<HeldSight> {
    let text = console.service().team.held(SIGHT, &cookie_in(headers, &cookie_name(console, SIGHT))?)?;
    let sight: HeldSight = serde_json::from_str(&text).ok()?;
    let is_of_page = sight.session == signed_in.secret.short_id()
        && sight.act == action.about.name
        && sight.record == record;
    is_of_page.then_some(sight)
}

/// Name of the cookie with what was done, and what it holds.
const TOLD: &str = "told";

/// How long the next page may take to show what was done.
const TOLD_FOR: Duration = Duration::from_secs(60);

/// Most bytes of the sentences that a cookie holds.
const LONGEST_TOLD: usize = 2000;

/// Header that makes the next page say what was done.
pub(super) fn tell(console: &Console, notes: &[String]) -> (header::HeaderName, HeaderValue) {
    let mut text = notes.join("\n");
    text.truncate(text.floor_char_boundary(LONGEST_TOLD));
    set_cookie(console, TOLD, &console.service().team.hold(TOLD, &text, TOLD_FOR), TOLD_FOR)
}

/// What was done before this page, and the header that forgets it.
pub(super) fn told(
    console: &Console,
    headers: &HeaderMap,
) -> Option<(Vec<String>, (header::HeaderName, HeaderValue))> {
    let text = console.service().team.held(TOLD, &cookie_in(headers, &cookie_name(console, TOLD))?)?;
    Some((text.lines().map(str::to_owned).collect(), set_cookie(console, TOLD, "", TOLD_FOR)))
}

//! Cursors: positions in a list that include its filter (D33).
//!
//! A cursor is opaque, versioned, authenticated, bound to its partner and its list.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::date::{Date, Timestamp};
use domain::id::{PartnerId, SessionId, Uuid};
use domain::identifier::Reference;
use domain::period::{Period, PeriodLimits};
use domain::policy_state::PolicyState;
use subtle::ConstantTimeEq;

use crate::keys::Hasher;
use crate::storage::lists::{LARGEST_PAGE, ListPosition, Selection};

/// The list to which a cursor belongs. A cursor of another list is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Quotes = 1,
    Proposals = 2,
    Policies = 3,
    /// Policies of every line of business.
    AnyPolicies = 4,
    /// Proposals of every line of business.
    AnyProposals = 5,
    /// Claims of every line of business.
    Claims = 6,
    /// Policies that are due for renewal.
    Renewals = 7,
}

/// How a list is filtered by days.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DayFilter {
    /// Name of the query parameter with the first day of the period.
    pub(crate) first: &'static str,
    /// Name of the query parameter with the last day of the period.
    pub(crate) last: &'static str,
    pub(crate) limits: PeriodLimits,
}

/// Position in a list, with the list's filter and page size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) which: Selection,
    /// Records per page.
    pub(crate) limit: u8,
    pub(crate) position: ListPosition,
}

const VERSION: u8 = 1;

/// Bytes of the authentication tag: 128 bits.
const TAG: usize = 16;

/// Bytes of a cursor without its authentication tag and its reference.
const BODY: usize = 1 + 1 + 16 + 1 + 8 + 16;

const PERIOD: u8 = 0;
const SESSION: u8 = 1;
const ALL: u8 = 2;
const PERIOD_IN: u8 = 3;
const REFERENCE: u8 = 4;

/// Day as eight bytes. The last byte holds `beside`.
fn day_bytes(day: Date, beside: u8) -> [u8; 8] {
    let [a, b, c, d] = i32::from(day.year()).to_be_bytes();
    [a, b, c, d, day.month() as u8, day.day() as u8, 0, beside]
}

impl ListKind {
    /// Whether the list can be requested without a session and without dates (D31).
    pub(crate) const fn may_be_whole(self) -> bool {
        matches!(self, ListKind::Policies | ListKind::AnyPolicies | ListKind::Claims | ListKind::Renewals)
    }

    /// Whether the list can be filtered by the partner's reference (D79).
    pub(crate) const fn has_references(self) -> bool {
        matches!(self, ListKind::AnyProposals | ListKind::AnyPolicies)
    }

    /// Query parameters by which the list is filtered by days.
    pub(crate) const fn days(self) -> DayFilter {
        match self {
            ListKind::Quotes | ListKind::Proposals | ListKind::Policies => {
                DayFilter { first: "start_date", last: "end_date", limits: PeriodLimits::WEEK }
            }
            ListKind::AnyProposals | ListKind::Claims => {
                DayFilter { first: "created_from", last: "created_to", limits: PeriodLimits::MONTH }
            }
            ListKind::Renewals => {
                DayFilter { first: "ends_from", last: "ends_to", limits: PeriodLimits::QUARTER }
            }
            ListKind::AnyPolicies => {
                DayFilter { first: "issued_from", last: "issued_to", limits: PeriodLimits::MONTH }
            }
        }
    }
}

impl Cursor {
    /// Bytes of the cursor: version, kind and value of the filter, page size, position.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BODY + TAG);
        bytes.push(VERSION);
        match &self.which {
            Selection::All => {
                bytes.push(ALL);
                bytes.extend_from_slice(&[0; 16]);
            }
            Selection::Period(Period { first, last }) => {
                bytes.push(PERIOD);
                bytes.extend_from_slice(&day_bytes(*first, 0));
                bytes.extend_from_slice(&day_bytes(*last, 0));
            }
            Selection::PeriodIn(Period { first, last }, state) => {
                bytes.push(PERIOD_IN);
                bytes.extend_from_slice(&day_bytes(*first, 0));
                let nth = PolicyState::ALL.iter().position(|other| other == state).unwrap_or_default();
                bytes.extend_from_slice(&day_bytes(*last, nth as u8));
            }
            Selection::Session(session) => {
                bytes.push(SESSION);
                bytes.extend_from_slice(session.uuid().as_bytes());
            }
            // A reference has no fixed length, so it is at the end.
            Selection::Reference(_) => {
                bytes.push(REFERENCE);
                bytes.extend_from_slice(&[0; 16]);
            }
        }
        bytes.push(self.limit);
        bytes.extend_from_slice(&self.position.created_at.as_microsecond().to_be_bytes());
        bytes.extend_from_slice(self.position.id.as_bytes());
        if let Selection::Reference(reference) = &self.which {
            bytes.extend_from_slice(reference.reveal().as_bytes());
        }
        bytes
    }

    /// Text of the cursor for a partner, with the tag that binds it to partner and list.
    pub(crate) fn to_text(&self, hasher: &Hasher, of: PartnerId, list: ListKind) -> String {
        let mut bytes = self.to_bytes();
        let tag = tag(hasher, of, list, &bytes);
        bytes.extend_from_slice(&tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Cursor of a text. `None` if the text is forged, truncated, or of another list or partner.
    pub(crate) fn of_text(text: &str, hasher: &Hasher, of: PartnerId, list: ListKind) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, found) = bytes.split_last_chunk::<TAG>()?;
        let genuine = bool::from(tag(hasher, of, list, body).ct_eq(found));
        genuine.then(|| Cursor::from_bytes(body)).flatten()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[version, kind], rest) = bytes.split_first_chunk()?;
        let (filter, rest) = rest.split_first_chunk::<16>()?;
        let (&[limit], rest) = rest.split_first_chunk()?;
        let (created_at, rest) = rest.split_first_chunk::<8>()?;
        let (id, rest) = rest.split_first_chunk::<16>()?;
        let id = Uuid::from_bytes(*id);
        if kind != REFERENCE && !rest.is_empty() {
            return None;
        }
        let day = |bytes: &[u8]| {
            let year = i32::from_be_bytes(bytes.get(..4)?.try_into().ok()?);
            Date::new(year.try_into().ok()?, *bytes.get(4)? as i8, *bytes.get(5)? as i8).ok()
        };
        let which = match kind {
            PERIOD => Selection::Period(Period { first: day(&filter[..8])?, last: day(&filter[8..])? }),
            PERIOD_IN => {
                let period = Period { first: day(&filter[..8])?, last: day(&filter[8..])? };
                Selection::PeriodIn(period, *PolicyState::ALL.get(usize::from(filter[15]))?)
            }
            SESSION => Selection::Session(SessionId::from_uuid(Uuid::from_bytes(*filter))),
            ALL => Selection::All,
            REFERENCE => Selection::Reference(Reference::of(std::str::from_utf8(rest).ok()?)?),
            _ => return None,
        };
        let created_at = Timestamp::from_microsecond(i64::from_be_bytes(*created_at)).ok()?;
        let sound = version == VERSION && (1..=LARGEST_PAGE).contains(&limit);
        sound.then_some(Cursor { which, limit, position: ListPosition { created_at, id } })
    }
}

fn tag(hasher: &Hasher, of: PartnerId, list: ListKind, body: &[u8]) -> [u8; TAG] {
    let whole = hasher.hash(&[of.uuid().as_bytes(), &[list as u8], body]);
    whole.first_chunk().copied().expect("a hash is longer than a tag")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_cursor_is_read_unchanged_and_one_of_another_length_is_refused() {
        let position = ListPosition { created_at: Timestamp::UNIX_EPOCH, id: Uuid::from_u128(7) };
        let period = Period { first: Date::constant(2026, 11, 14), last: Date::constant(2026, 11, 20) };
        let session = SessionId::from_uuid(Uuid::from_u128(9));
        let in_state = Selection::PeriodIn(period, PolicyState::Cancelled);
        for which in [Selection::All, Selection::Period(period), in_state, Selection::Session(session)] {
            let cursor = Cursor { which, limit: 100, position };
            let bytes = cursor.to_bytes();
            assert_eq!(bytes.len(), BODY);
            assert_eq!(Cursor::from_bytes(&[&bytes[..], b"x"].concat()), None);
            assert_eq!(Cursor::from_bytes(&bytes), Some(cursor)); // D33
            for cut in 0..bytes.len() {
                assert_eq!(Cursor::from_bytes(&bytes[..cut]), None);
            }
        }
    }

    #[test]
    fn a_written_cursor_with_a_reference_is_read_unchanged() {
        let position = ListPosition { created_at: Timestamp::UNIX_EPOCH, id: Uuid::from_u128(7) };
        let reference = Reference::kept("LN-आठ-0001");
        let cursor = Cursor { which: Selection::Reference(reference), limit: 20, position };
        let bytes = cursor.to_bytes();
        assert_eq!(Cursor::from_bytes(&bytes), Some(cursor)); // D79
        for cut in 0..=BODY {
            assert_eq!(Cursor::from_bytes(&bytes[..cut]), None);
        }
    }
}

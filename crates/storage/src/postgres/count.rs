//! What an act counts, as columns of a statement (D33).

use domain::id::Uuid;

use super::column::{Group, Value, id, values};
use crate::codes::Coded;
use crate::rows::counted::{Count, day_number_of};

/// Counts of days and of sessions.
#[derive(Default)]
pub(super) struct Counts {
    slot: i16,
    kinds: Vec<i16>,
    days: Vec<i32>,
    session_kinds: Vec<i16>,
    sessions: Vec<Uuid>,
}

impl Counts {
    /// Counts that are kept in a slot.
    pub(super) fn of(slot: i16, counts: impl IntoIterator<Item = Option<Count>>) -> Self {
        let mut columns = Counts { slot, ..Counts::default() };
        for Count { kind, session, at } in counts.into_iter().flatten() {
            columns.kinds.push(kind.code().into());
            columns.days.push(day_number_of(at));
            if let Some(session) = session {
                columns.session_kinds.push(kind.code().into());
                columns.sessions.push(id(session));
            }
        }
        columns
    }
}

impl Group for Counts {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.slot, self.kinds, self.days, self.session_kinds, self.sessions].to_vec()
    }
}

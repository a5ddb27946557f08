//! Counts of the records in lists, by day in Asia/Kolkata or by session (D33).

use std::collections::BTreeMap;

use domain::date::{Timestamp, day_of};
use domain::id::{PartnerId, SessionId};
use domain::line::LineOfBusiness;

use crate::fields::{Coded, day_number, values};
use crate::operation::{Operation, sql};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    HealthQuotes,
    Proposals(LineOfBusiness),
    Policies(LineOfBusiness),
    Claims,
}

/// Proposals have the code of their line of business, policies that code plus 10. Claims of all lines are
/// counted together.
impl Coded for Counted {
    fn code(self) -> u8 {
        match self {
            Counted::HealthQuotes => 0,
            Counted::Proposals(line) => line.code(),
            Counted::Policies(line) => 10 + line.code(),
            Counted::Claims => 100,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Counted::HealthQuotes),
            1..10 => LineOfBusiness::from_code(code).map(Counted::Proposals),
            100 => Some(Counted::Claims),
            10.. => LineOfBusiness::from_code(code - 10).map(Counted::Policies),
        }
    }
}

/// Record that is added to the counts, or subtracted from them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    pub(crate) kind: Counted,
    pub(crate) session: Option<SessionId>,
    pub(crate) at: Timestamp,
}

/// Day in Asia/Kolkata of an instant, as a number in the form YYYYMMDD.
pub(crate) fn day_number_of(at: Timestamp) -> i32 {
    day_number(day_of(at))
}

/// Changes of counts that are written together: by partner, kind and day, and by partner, session and kind.
#[derive(Default)]
pub(crate) struct Counts {
    days: BTreeMap<(PartnerId, u8, i32), i64>,
    sessions: BTreeMap<(PartnerId, SessionId, u8), i64>,
}

impl Counts {
    /// Adds a new record of a partner to the counts.
    pub(crate) fn add(&mut self, of: PartnerId, count: Count) {
        self.change(of, count, 1);
    }

    /// Subtracts a removed record of a partner from the counts.
    pub(crate) fn remove(&mut self, of: PartnerId, count: Count) {
        self.change(of, count, -1);
    }

    fn change(&mut self, of: PartnerId, Count { kind, session, at }: Count, by: i64) {
        *self.days.entry((of, kind.code(), day_number_of(at))).or_default() += by;
        if let Some(session) = session {
            *self.sessions.entry((of, session, kind.code())).or_default() += by;
        }
    }

    /// Writes the counts. All operations do this in the same order and as their last step, because other
    /// operations wait for these rows.
    pub(crate) fn write(&self, to: &mut dyn Operation) {
        self.write_days(to);
        self.write_sessions(to);
    }

    pub(crate) fn write_days(&self, to: &mut dyn Operation) {
        let slot = to.slot();
        for ((of, kind, day), number) in &self.days {
            to.execute_last(sql!(by engine "counts/add_to_day"), values![of, kind, day, number, slot], None);
        }
    }

    pub(crate) fn write_sessions(&self, to: &mut dyn Operation) {
        for ((of, session, kind), number) in &self.sessions {
            to.execute_last(sql!("counts/add_to_session"), values![of, session, kind, number], None);
        }
    }
}

pub(crate) fn count(to: &mut dyn Operation, of: PartnerId, counts: &[Count]) {
    let mut all = Counts::default();
    counts.iter().for_each(|count| all.add(of, *count));
    all.write(to);
}

//! What clients asked to be written, and what they were told.

use std::time::Instant;

use domain::proposal::ProposalStatus;

use crate::http::{Answer, Request};

/// A record that a client asked for. Its label is in the record itself, so that one that nobody acknowledged is found.
pub struct Written {
    pub label: String,
    /// Its id and the moment of the acknowledgement, where there was one.
    pub told: Option<Told>,
}

/// An acknowledgement.
pub struct Told {
    pub id: String,
    /// The mark that the load was given for the moment at which the answer was read.
    pub mark: u64,
}

/// A proposal that a client asked for.
pub struct Proposed {
    pub written: Written,
    /// Each status that was asked for, in order, with the mark of its acknowledgement where there was one.
    pub moves: Vec<(ProposalStatus, Option<u64>)>,
}

/// A recommendation that a client asked for.
pub struct Recommended {
    pub written: Written,
    /// The session that it is in.
    pub session: Option<String>,
}

/// A request with a key and the answer that it got: sent again, it gets the same.
pub struct Answered {
    pub request: Request,
    pub answer: Answer,
}

/// What clients were told.
#[derive(Default)]
pub struct Journal {
    pub sessions: Vec<Written>,
    pub quotes: Vec<Written>,
    pub proposals: Vec<Proposed>,
    pub recommendations: Vec<Recommended>,
    /// Some of the keyed requests.
    pub answered: Vec<Answered>,
    /// When writes were acknowledged.
    pub acknowledged: Vec<Instant>,
    /// When writes were answered that the store is away.
    pub away: Vec<Instant>,
    /// Requests whose answer never came.
    pub cut: usize,
    /// Keyed requests that were sent again.
    pub retried: usize,
    /// What must not be.
    pub faults: Vec<String>,
}

impl Journal {
    /// One of several clients' journals.
    pub fn of_all(all: Vec<Journal>) -> Journal {
        let mut whole = Journal::default();
        for one in all {
            whole.sessions.extend(one.sessions);
            whole.quotes.extend(one.quotes);
            whole.proposals.extend(one.proposals);
            whole.recommendations.extend(one.recommendations);
            whole.answered.extend(one.answered);
            whole.acknowledged.extend(one.acknowledged);
            whole.away.extend(one.away);
            whole.cut += one.cut;
            whole.retried += one.retried;
            whole.faults.extend(one.faults);
        }
        whole.acknowledged.sort();
        whole.away.sort();
        whole
    }

    /// The first acknowledgement from a moment on.
    pub fn acknowledged_after(&self, moment: Instant) -> Option<Instant> {
        self.acknowledged.get(self.acknowledged.partition_point(|at| *at < moment)).copied()
    }

    /// Nothing was answered that must not be.
    #[track_caller]
    pub fn has_no_faults(&self) {
        let some: Vec<&String> = self.faults.iter().take(20).collect();
        assert!(some.is_empty(), "{} answers must not be: {some:#?}", self.faults.len());
    }
}

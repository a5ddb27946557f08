//! The journal of a test: the requests of its clients with the answers they got.

use std::time::{Duration, Instant};

use covernote::wiring::SystemClock;
use domain::credit_life::ProposalStatus;
use service::clock::Clock;

use crate::http::{Answer, Request};

/// A record that a client requested. Its label is in the record, so that an unacknowledged one can be found too.
pub struct Written {
    pub label: String,
    /// Its id and the mark of its acknowledgement, if there was one.
    pub acknowledged: Option<Acknowledged>,
}

/// An acknowledgement.
pub struct Acknowledged {
    pub id: String,
    /// The load's mark at the moment when the answer was read.
    pub mark: u64,
}

/// A proposal that a client requested.
pub struct Proposed {
    pub written: Written,
    /// Each requested status in order, with the mark of its acknowledgement if there was one.
    pub moves: Vec<(ProposalStatus, Option<u64>)>,
}

/// A recommendation that a client requested.
pub struct Recommended {
    pub written: Written,
    /// Its session.
    pub session: Option<String>,
}

/// A claim that a client requested.
pub struct Claimed {
    pub written: Written,
    /// The paper that was uploaded for it, if it was acknowledged.
    pub paper: Option<Acknowledged>,
}

/// A cancellation or an endorsement that a client requested.
#[derive(Clone)]
pub struct Asked {
    /// The policy.
    pub policy: String,
    /// The mark of its acknowledgement, if there was one.
    pub mark: Option<u64>,
}

/// A payment of a premium that a client reported.
pub struct Received {
    pub proposal: String,
    /// What the payment is called.
    pub reference: String,
    /// The mark of its acknowledgement, if there was one.
    pub mark: Option<u64>,
}

/// A request with an idempotency key and its answer: a second request gets the same answer.
pub struct Answered {
    pub request: Request,
    pub answer: Answer,
}

/// All requests and answers.
#[derive(Default)]
pub struct Journal {
    pub sessions: Vec<Written>,
    pub quotes: Vec<Written>,
    pub proposals: Vec<Proposed>,
    pub recommendations: Vec<Recommended>,
    pub claims: Vec<Claimed>,
    pub cancellations: Vec<Asked>,
    /// Endorsements that were asked for.
    pub endorsements: Vec<Asked>,
    /// Refunds of which the operator noted that they were paid: one of each of these policies.
    pub refunds: Vec<Asked>,
    pub receipts: Vec<Received>,
    /// Some of the keyed requests.
    pub answered: Vec<Answered>,
    /// When writes were acknowledged.
    pub acknowledged: Vec<Instant>,
    /// When writes were answered with an unavailable store.
    pub away: Vec<Instant>,
    /// The longest that any request took, with an answer or without.
    pub slowest: Duration,
    /// Requests without an answer.
    pub cut: usize,
    /// Keyed requests that were sent again.
    pub retried: usize,
    /// Faults, with the time of day: logs have it too.
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
            whole.claims.extend(one.claims);
            whole.cancellations.extend(one.cancellations);
            whole.endorsements.extend(one.endorsements);
            whole.refunds.extend(one.refunds);
            whole.receipts.extend(one.receipts);
            whole.answered.extend(one.answered);
            whole.acknowledged.extend(one.acknowledged);
            whole.away.extend(one.away);
            whole.slowest = whole.slowest.max(one.slowest);
            whole.cut += one.cut;
            whole.retried += one.retried;
            whole.faults.extend(one.faults);
        }
        whole.acknowledged.sort();
        whole.away.sort();
        whole
    }

    pub fn notes_fault(&mut self, fault: String) {
        self.faults.push(format!("{}: {fault}", SystemClock.now()));
    }

    /// The first acknowledgement from a moment on.
    pub fn acknowledged_after(&self, moment: Instant) -> Option<Instant> {
        self.acknowledged.get(self.acknowledged.partition_point(|at| *at < moment)).copied()
    }

    /// Asserts that no answer was a fault.
    #[track_caller]
    pub fn has_no_faults(&self) {
        let some: Vec<&String> = self.faults.iter().take(20).collect();
        assert!(some.is_empty(), "{} answers must not be: {some:#?}", self.faults.len());
    }
}

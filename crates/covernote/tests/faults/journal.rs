//! The journal of a test: its clients' requests with their answers.

use std::time::{Duration, Instant};

use covernote::wiring::SystemClock;
use domain::credit_life::ProposalStatus;
use service::clock::Clock;

use crate::http::{Answer, Request};

/// A record that a client requested. The label is part of the record, so that an unacknowledged record can be
/// found, too.
pub struct Written {
    pub label: String,
    /// Id and mark of its acknowledgement, if any.
    pub acknowledged: Option<Acknowledged>,
}

pub struct Acknowledged {
    pub id: String,
    /// The load's mark when the answer was read.
    pub mark: u64,
}

/// A proposal that a client requested.
pub struct Proposed {
    pub written: Written,
    /// Each requested status in order, with the mark of its acknowledgement, if any.
    pub moves: Vec<(ProposalStatus, Option<u64>)>,
}

/// A recommendation that a client requested.
pub struct Recommended {
    pub written: Written,
    pub session: Option<String>,
}

/// A claim that a client requested.
pub struct Claimed {
    pub written: Written,
    /// The paper that was uploaded for the claim, if it was acknowledged.
    pub paper: Option<Acknowledged>,
}

/// A cancellation or an endorsement that a client requested.
#[derive(Clone)]
pub struct Asked {
    pub policy: String,
    /// Mark of its acknowledgement, if any.
    pub mark: Option<u64>,
}

/// A payment of a premium that a client reported.
pub struct Received {
    pub proposal: String,
    /// The payment's reference, such as a UTR.
    pub reference: String,
    /// Mark of its acknowledgement, if any.
    pub mark: Option<u64>,
}

/// A request with an idempotency key, and its answer. A repeat must get the same answer.
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
    /// Requested endorsements.
    pub endorsements: Vec<Asked>,
    /// Refunds that the operator recorded as paid, one for each policy.
    pub refunds: Vec<Asked>,
    pub receipts: Vec<Received>,
    /// Some of the keyed requests.
    pub answered: Vec<Answered>,
    /// Times of acknowledged writes.
    pub acknowledged: Vec<Instant>,
    /// Times at which writes were refused because the store was unavailable.
    pub away: Vec<Instant>,
    /// Longest duration of a request, with or without an answer.
    pub slowest: Duration,
    /// Number of requests without an answer.
    pub cut: usize,
    /// Number of repeated requests with a key.
    pub retried: usize,
    /// Faults, each with the time of day, so that it can be found in logs.
    pub faults: Vec<String>,
}

impl Journal {
    /// The journals of several clients as one.
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

    /// The first acknowledgement after a moment.
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

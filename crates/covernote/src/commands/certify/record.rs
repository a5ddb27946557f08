//! What was seen of an integration: its calls, and how it answered messages.

use std::time::Duration;

use local_http::Received;

use super::operation::Operation;
use super::trouble::Trouble;

/// A call. Times are counted from the begin of the check.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) operation: Operation,
    pub(super) target: String,
    pub(super) body: Vec<u8>,
    pub(super) key: Option<String>,
    pub(super) came_at: Duration,
    pub(super) trouble: Option<Trouble>,
    /// The troubled call that this one sends again.
    pub(super) repeats: Option<usize>,
    /// Its end, and the status that it got, if it got one.
    pub(super) ended: Option<(Duration, Option<u16>)>,
    /// Whether the integration went away before its answer.
    pub(super) was_left: bool,
}

impl Call {
    /// A call of an operation.
    pub(super) fn of(operation: &Operation, received: &Received, came_at: Duration) -> Self {
        Call {
            operation: operation.clone(),
            target: received.target.clone(),
            body: received.body.clone(),
            key: received.header("idempotency-key").map(str::to_owned),
            came_at,
            trouble: None,
            repeats: None,
            ended: None,
            was_left: false,
        }
    }

    /// Whether another call asks for the same, whatever its key.
    pub(super) fn is_same_as(&self, other: &Call) -> bool {
        (&self.operation.name, &self.target, &self.body)
            == (&other.operation.name, &other.target, &other.body)
    }

    /// The status that it got.
    pub(super) fn status(&self) -> Option<u16> {
        self.ended.and_then(|(_, status)| status)
    }
}

/// What a message to the integration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// The first arrival of an event.
    First,
    /// Its second arrival.
    Second,
    /// The arrival of an event that happened some time ago.
    Late,
    /// Signed with another secret.
    Forged,
    /// Signed ten minutes ago.
    Old,
    /// Changed after it was signed.
    Changed,
}

/// A message that got an answer, or that got none however often it was sent.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: MessageKind,
    pub(super) event: String,
    pub(super) answer: Result<u16, String>,
}

/// All that was seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub(super) calls: Vec<Call>,
    pub(super) messages: Vec<Message>,
    /// When the check ended.
    pub(super) ended_at: Duration,
}

impl Record {
    /// Adds a call: finds the troubled call that it sends again, or else lets `trouble` say what it gets. Its place.
    pub(super) fn add(&mut self, mut call: Call, trouble: impl FnOnce() -> Option<Trouble>) -> usize {
        let is_open = |(at, earlier): &(usize, &Call)| {
            let was_slow = earlier.trouble == Some(Trouble::Slow);
            earlier.trouble.is_some()
                && !(was_slow && earlier.ended.is_some() && !earlier.was_left)
                && earlier.is_same_as(&call)
                && self.calls.iter().all(|later| later.repeats != Some(*at))
        };
        call.repeats = self.calls.iter().enumerate().rev().find(is_open).map(|(at, _)| at);
        if call.repeats.is_none() {
            call.trouble = trouble();
        }
        self.calls.push(call);
        self.calls.len() - 1
    }

    /// The troubled calls of some kind, each with the call that sent it again.
    pub(super) fn troubled(
        &self,
        of: impl Fn(Trouble) -> bool,
    ) -> impl Iterator<Item = (Trouble, &Call, Option<&Call>)> {
        self.calls.iter().enumerate().filter_map(move |(at, call)| {
            let trouble = call.trouble.filter(|trouble| of(*trouble))?;
            Some((trouble, call, self.calls.iter().find(|later| later.repeats == Some(at))))
        })
    }
}

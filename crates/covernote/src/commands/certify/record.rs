//! Record of a check: the integration's calls, and its answers to messages.

use std::time::Duration;

use local_http::Received;

use super::operation::Operation;
use super::trouble::Trouble;

/// A call of the integration. Times count from the start of the check.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) operation: Operation,
    pub(super) target: String,
    pub(super) body: Vec<u8>,
    pub(super) key: Option<String>,
    pub(super) came_at: Duration,
    pub(super) trouble: Option<Trouble>,
    /// Index of the earlier call with a simulated failure that this call repeats, if any.
    pub(super) repeats: Option<usize>,
    /// Time at which the call ended, with the HTTP status of its answer, if any.
    pub(super) ended: Option<(Duration, Option<u16>)>,
    /// Whether the integration disconnected before it had its answer.
    pub(super) was_left: bool,
}

impl Call {
    /// A received call that has no answer yet.
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

    /// Whether both calls have the same operation, target and body. Their idempotency keys may differ.
    pub(super) fn is_same_as(&self, other: &Call) -> bool {
        (&self.operation.name, &self.target, &self.body)
            == (&other.operation.name, &other.target, &other.body)
    }

    /// HTTP status of the call's answer, if any.
    pub(super) fn status(&self) -> Option<u16> {
        self.ended.and_then(|(_, status)| status)
    }
}

/// Kind of a message to the integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// First delivery of an event.
    First,
    /// Second delivery of the same event.
    Second,
    /// First delivery of an event, sent late: 20 seconds after the event.
    Late,
    /// Message that was signed with a wrong secret.
    Forged,
    /// Message whose timestamp and signature are ten minutes old.
    Old,
    /// Message whose body was changed after it was signed.
    Changed,
}

/// A message with the HTTP status of its answer, or with the reason why no attempt got an answer.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) kind: MessageKind,
    pub(super) event: String,
    pub(super) answer: Result<u16, String>,
}

/// All calls and messages of a check.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub(super) calls: Vec<Call>,
    pub(super) messages: Vec<Message>,
    /// Duration of the check.
    pub(super) ended_at: Duration,
}

impl Record {
    /// Adds a call, and returns its index. If the call repeats a call with a simulated failure, it gets no
    /// failure itself. Otherwise `trouble` decides.
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

    /// Calls whose simulated failure `of` accepts, each with the later call that repeated it, if any.
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

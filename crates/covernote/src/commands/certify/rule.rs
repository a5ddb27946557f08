//! Judges each rule that an integration must keep, by the record of the check.

use std::collections::BTreeSet;
use std::time::Duration;

use super::record::{Call, MessageKind, Record};
use super::trouble::{RETRY_AFTER, Trouble};

/// The integration must repeat a call with a simulated failure within this time after the end of the call.
const AGAIN_WITHIN: Duration = Duration::from_secs(15);

/// A wait may be too short by this much, since the two programs read their clocks at different moments.
const TOLERANCE: Duration = Duration::from_millis(20);

/// Fewest calls per token, on average, so that the tokens count as reused.
const CALLS_OF_A_TOKEN: usize = 3;

/// Tokens that an integration may always request, however few calls it makes.
const FREE_TOKENS: usize = 2;

/// Result of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The integration follows the rule.
    Passed,
    /// The rule is broken.
    Failed { seen: String, mend: &'static str },
    /// No call or message tested the rule.
    NotSeen { missing: &'static str },
}

/// A rule with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    /// Name of the rule, for scripts.
    pub(super) rule: &'static str,
    /// The rule as a sentence.
    pub(super) told: &'static str,
    /// Whether the check fails if no call or message tested the rule.
    pub(super) is_required: bool,
    pub(super) outcome: Outcome,
}

impl Judged {
    /// Whether the rule passed, or is optional and was not tested.
    pub(super) fn is_good(&self) -> bool {
        match self.outcome {
            Outcome::Passed => true,
            Outcome::Failed { .. } => false,
            Outcome::NotSeen { .. } => !self.is_required,
        }
    }
}

/// Judges every rule.
pub(super) fn judge(record: &Record) -> Vec<Judged> {
    let rule = |rule, told, outcome| Judged { rule, told, is_required: true, outcome };
    let optional = |name, told, outcome| Judged { is_required: false, ..rule(name, told, outcome) };
    vec![
        rule("token-reuse", "One token serves many calls", token_reuse(record)),
        rule(
            "token-wait",
            "A token request that got 429 is repeated, but not before Retry-After",
            token_wait(record),
        ),
        rule("retry-503", "A call that got 503 is repeated unchanged", retry_503(record)),
        rule("retry-after", "A call that got 503 is not repeated before Retry-After", retry_after(record)),
        rule("retry-dropped", "A call whose connection broke is repeated unchanged", retry_dropped(record)),
        rule("same-key", "A repeated call has the same Idempotency-Key", same_key(record)),
        rule("patience", "The integration waits 3 seconds for an answer", patience(record)),
        optional("no-retry-4xx", "A refused call is not repeated", no_retry_4xx(record)),
        rule(
            "webhook-taken",
            "A genuine message is answered with 2xx",
            taken(
                record,
                MessageKind::First,
                "Verify the signature over the received bytes, with this run's secret.",
            ),
        ),
        rule(
            "webhook-twice",
            "A message that is delivered a second time is answered with 2xx",
            taken(
                record,
                MessageKind::Second,
                "Store the webhook-id of each accepted message, and answer 2xx if it comes again.",
            ),
        ),
        rule(
            "webhook-late",
            "A message about an event of 20 seconds ago is answered with 2xx",
            taken(
                record,
                MessageKind::Late,
                "Check webhook-timestamp, not the event's own time, and expect no order.",
            ),
        ),
        rule(
            "webhook-forged",
            "A message that is signed with another secret is refused",
            refused(record, MessageKind::Forged, "Verify webhook-signature before anything else."),
        ),
        rule(
            "webhook-old",
            "A message that was signed 10 minutes ago is refused",
            refused(
                record,
                MessageKind::Old,
                "Refuse a webhook-timestamp more than 5 minutes from your clock.",
            ),
        ),
        rule(
            "webhook-changed",
            "A message that was changed after it was signed is refused",
            refused(record, MessageKind::Changed, "Verify the signature over the received bytes."),
        ),
    ]
}

fn failed(seen: String, mend: &'static str) -> Outcome {
    Outcome::Failed { seen, mend }
}

/// Result of a rule. `seen` has an entry for each case that tested the rule: its fault, or `None`. The rule
/// fails with the first fault.
fn by_first_fault(
    seen: impl IntoIterator<Item = Option<String>>,
    mend: &'static str,
    missing: &'static str,
) -> Outcome {
    let mut any = false;
    for fault in seen {
        any = true;
        if let Some(fault) = fault {
            return failed(fault, mend);
        }
    }
    if any { Outcome::Passed } else { Outcome::NotSeen { missing } }
}

fn token_reuse(record: &Record) -> Outcome {
    let granted = record.calls.iter().filter(|call| call.operation.is_token() && call.status() == Some(200));
    let (granted, calls) =
        (granted.count(), record.calls.iter().filter(|call| !call.operation.is_token()).count());
    if calls < CALLS_OF_A_TOKEN {
        return Outcome::NotSeen { missing: "at least three calls beside those for tokens" };
    }
    if granted > FREE_TOKENS && calls < CALLS_OF_A_TOKEN * granted {
        let seen = format!("{granted} tokens were issued for {calls} calls.");
        return failed(
            seen,
            "Use a token until one minute before it expires, which is one hour after it was issued.",
        );
    }
    Outcome::Passed
}

fn token_wait(record: &Record) -> Outcome {
    let tokens = |trouble| trouble == Trouble::TooManyTokens;
    let mend = "Wait as long as Retry-After says, then request the token again.";
    let missing = "a token request during the check: start the integration after the check has started";
    let judged = record.troubled(tokens).filter_map(|(trouble, call, again)| match again {
        Some(again) => Some(too_soon(trouble, call, again)),
        None => is_overdue(record, call).then(|| Some("The token was not requested again.".to_owned())),
    });
    by_first_fault(judged.collect::<Vec<_>>(), mend, missing)
}

fn retry_503(record: &Record) -> Outcome {
    let refused = |trouble| matches!(trouble, Trouble::Refused | Trouble::DoneButRefused);
    let mend = "Send the same method, path and body again after a 503.";
    let missing = "a call that got 503, long enough before the end: call more operations that read or take an Idempotency-Key";
    by_first_fault(not_repeated(record, refused), mend, missing)
}

fn retry_dropped(record: &Record) -> Outcome {
    let dropped = |trouble| trouble == Trouble::DoneButDropped;
    let mend = "Treat a broken connection like a 503: the service may have done the operation, and the same key prevents it from being done twice.";
    let missing = "a call whose connection broke, long enough before the end: call more operations that read or take an Idempotency-Key";
    by_first_fault(not_repeated(record, dropped), mend, missing)
}

/// An entry for each call with a simulated failure that must be repeated: its fault, or `None` if it was
/// repeated.
fn not_repeated(record: &Record, of: impl Fn(Trouble) -> bool) -> Vec<Option<String>> {
    let judged = record.troubled(of).filter_map(|(trouble, call, again)| match again {
        Some(_) => Some(None),
        None => is_overdue(record, call)
            .then(|| Some(format!("{} got {} and was not repeated.", call.operation.name, trouble.told()))),
    });
    judged.collect()
}

/// Whether a call should have been repeated before the check ended.
fn is_overdue(record: &Record, call: &Call) -> bool {
    call.ended.is_some_and(|(at, _)| record.ended_at > at + AGAIN_WITHIN)
}

fn retry_after(record: &Record) -> Outcome {
    let said = |trouble: Trouble| trouble.says_when() && trouble != Trouble::TooManyTokens;
    let judged =
        record.troubled(said).filter_map(|(trouble, call, again)| Some(too_soon(trouble, call, again?)));
    let missing = "a call that got 503 and was repeated";
    by_first_fault(judged.collect::<Vec<_>>(), "Wait for as many seconds as Retry-After says.", missing)
}

/// The fault of a call that was repeated before `Retry-After`, if any.
fn too_soon(trouble: Trouble, call: &Call, again: &Call) -> Option<String> {
    let ended = call.ended.map_or(call.came_at, |(at, _)| at);
    let waited = again.came_at.saturating_sub(ended);
    (waited + TOLERANCE < RETRY_AFTER).then(|| {
        let (name, asked) = (&call.operation.name, RETRY_AFTER.as_secs());
        let told = trouble.told();
        format!(
            "{name} got {told} with Retry-After: {asked}, and was repeated after {:.1} s.",
            waited.as_secs_f64()
        )
    })
}

fn same_key(record: &Record) -> Outcome {
    let repeated =
        record.troubled(|trouble| trouble != Trouble::TooManyTokens).filter_map(|(_, call, again)| {
            let again = again.filter(|_| call.operation.takes_key)?;
            let name = &call.operation.name;
            Some(match (&call.key, &again.key) {
                (Some(first), Some(second)) if first == second => None,
                (Some(_), Some(_)) => Some(format!("{name} was repeated with another Idempotency-Key.")),
                (None, _) => Some(format!("{name} was repeated, and its first call had no Idempotency-Key.")),
                (Some(_), None) => Some(format!("{name} was repeated without its Idempotency-Key.")),
            })
        });
    let mend = "Make an Idempotency-Key for each operation, and send this key with every attempt: without it, the operation was done twice.";
    let missing = "a call that takes an Idempotency-Key, failed, and was repeated";
    by_first_fault(repeated.collect::<Vec<_>>(), mend, missing)
}

fn patience(record: &Record) -> Outcome {
    let slow = record.troubled(|trouble| trouble == Trouble::Slow).filter_map(|(_, call, again)| {
        let (ended, _) = call.ended?;
        let waited = ended.saturating_sub(call.came_at).as_secs_f64();
        let name = &call.operation.name;
        Some(match (call.was_left, again) {
            (true, _) => Some(format!("The integration cancelled {name} after {waited:.1} s.")),
            (false, Some(_)) => Some(format!("{name} was sent a second time before it was answered.")),
            (false, None) => None,
        })
    });
    let missing = "a call with a slow answer: call more operations";
    by_first_fault(slow.collect::<Vec<_>>(), "Wait for answers for at least 15 seconds.", missing)
}

fn no_retry_4xx(record: &Record) -> Outcome {
    // A repeat makes sense if a new token, time or another request may change the answer.
    let is_final = |call: &Call| {
        call.status()
            .is_some_and(|status| (400..500).contains(&status) && !matches!(status, 401 | 408 | 409 | 429))
            && !call.operation.is_read
    };
    let refused = record.calls.iter().enumerate().filter(|(_, call)| is_final(call));
    let judged = refused.map(|(at, call)| {
        let again = record.calls[at + 1..].iter().any(|later| later.is_same_as(call));
        let status = call.status().unwrap_or_default();
        again.then(|| format!("{} got {status} and was repeated unchanged.", call.operation.name))
    });
    let mend = "Show the refusal to a person: the same request gets the same answer.";
    by_first_fault(
        judged.collect::<Vec<_>>(),
        mend,
        "a call that changes something and that the service refused",
    )
}

fn taken(record: &Record, kind: MessageKind, mend: &'static str) -> Outcome {
    let late = "two events or more, the second at least 20 seconds before the end";
    let missing =
        if kind == MessageKind::Late { late } else { "an event: covernote trigger policy.issued makes one" };
    let judged = record.messages.iter().filter(|message| message.kind == kind).map(|message| {
        let fault = match &message.answer {
            Ok(200..300) => return None,
            Ok(status) => format!("{} got {status}.", message.event),
            Err(why) => format!("{} got no answer: {why}.", message.event),
        };
        Some(fault)
    });
    by_first_fault(judged.collect::<Vec<_>>(), mend, missing)
}

fn refused(record: &Record, kind: MessageKind, mend: &'static str) -> Outcome {
    let answered: BTreeSet<u16> = record
        .messages
        .iter()
        .filter(|message| message.kind == kind)
        .filter_map(|message| message.answer.as_ref().ok().copied())
        .collect();
    let judged = answered
        .iter()
        .map(|status| (200..300).contains(status).then(|| format!("The message got {status}.")));
    by_first_fault(judged.collect::<Vec<_>>(), mend, "an event: covernote trigger policy.issued makes one")
}

#[cfg(test)]
mod tests {
    use super::super::record::Message;
    use super::*;

    /// The outcome of a rule if one message was sent and got this answer.
    fn outcome(rule: &str, kind: MessageKind, answer: Result<u16, String>) -> Outcome {
        let message = Message { kind, event: "evt_1".into(), answer };
        let record = Record { messages: vec![message], ..Record::default() };
        let judged = judge(&record).into_iter().find(|judged| judged.rule == rule);
        judged.expect("a rule").outcome
    }

    #[test]
    fn a_receiver_must_accept_a_genuine_message_even_if_it_is_repeated_or_late() {
        let kinds = [
            ("webhook-taken", MessageKind::First),
            ("webhook-twice", MessageKind::Second),
            ("webhook-late", MessageKind::Late),
        ];
        for (rule, kind) in kinds {
            assert_eq!(outcome(rule, kind, Ok(204)), Outcome::Passed);
            assert!(matches!(outcome(rule, kind, Ok(409)), Outcome::Failed { .. }), "{rule}");
            let nobody = outcome(rule, kind, Err("it cannot be reached".into()));
            assert!(matches!(nobody, Outcome::Failed { .. }), "{rule}");
        }
    }

    #[test]
    fn a_receiver_passes_the_forgery_rule_only_if_it_answers_with_a_refusal() {
        let rule = |answer| outcome("webhook-forged", MessageKind::Forged, answer);
        assert_eq!(rule(Ok(401)), Outcome::Passed);
        assert!(matches!(rule(Ok(200)), Outcome::Failed { .. }));
        assert!(matches!(rule(Err("it cannot be reached".into())), Outcome::NotSeen { .. }));
    }
}

//! Decides which calls get which simulated failure (trouble). An operation that is called often enough gets
//! each kind of failure at least once.

use std::collections::BTreeMap;
use std::time::Duration;

use super::operation::Operation;

/// Failure that the check simulates for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// 503 with `Retry-After`; the service never sees the call.
    Refused,
    /// 503 with `Retry-After`, although the service did the operation.
    DoneButRefused,
    /// The connection is closed, although the service did the operation.
    DoneButDropped,
    /// The answer comes late.
    Slow,
    /// 429 with `Retry-After`, for a token request.
    TooManyTokens,
}

/// How long a slow answer takes.
pub(super) const SLOW: Duration = Duration::from_secs(3);

/// The `Retry-After` in the answers of simulated failures.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(2);

/// All kinds of simulated failures of a call that may be repeated.
const ALL: [Trouble; 4] = [Trouble::Refused, Trouble::DoneButDropped, Trouble::DoneButRefused, Trouble::Slow];

/// After an operation has had each kind of failure, one of this many calls gets a simulated failure.
const LATER: usize = 5;

impl Trouble {
    /// Describes what the integration gets, in the words of the report.
    pub(super) const fn told(self) -> &'static str {
        match self {
            Trouble::Refused | Trouble::DoneButRefused => "503",
            Trouble::DoneButDropped => "a closed connection",
            Trouble::Slow => "a late answer",
            Trouble::TooManyTokens => "429",
        }
    }

    /// Whether the answer has `Retry-After`.
    pub(super) const fn says_when(self) -> bool {
        matches!(self, Trouble::Refused | Trouble::DoneButRefused | Trouble::TooManyTokens)
    }
}

/// Sequence of simulated failures.
pub(super) struct Troubles {
    seed: usize,
    /// For each operation: its rank in the order of first calls, and its number of calls.
    called: BTreeMap<String, (usize, usize)>,
}

impl Troubles {
    /// Starts the sequence that belongs to a seed.
    pub(super) fn new(seed: u64) -> Self {
        Troubles { seed: usize::try_from(seed % 1_000).unwrap_or_default(), called: BTreeMap::new() }
    }

    /// The simulated failure of a call that repeats no other call, if any. Operations start with different
    /// kinds of failures, so that few calls are enough to see all kinds.
    pub(super) fn next(&mut self, operation: &Operation) -> Option<Trouble> {
        let known = self.called.len();
        let (place, calls) = self.called.entry(operation.name.clone()).or_insert((known, 0));
        let (place, nth) = (*place, *calls);
        *calls += 1;
        if operation.is_token() {
            return (nth == 0).then_some(Trouble::TooManyTokens);
        }
        if !operation.is_read && !operation.takes_key {
            // After a failure, the integration could not know whether it was done, and must not repeat it.
            return (nth == 0).then_some(Trouble::Slow);
        }
        (nth < ALL.len() || nth % LATER == 0).then(|| ALL[(self.seed + place + nth) % ALL.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(name: &str, is_read: bool, takes_key: bool) -> Operation {
        Operation { name: name.into(), is_read, takes_key }
    }

    #[test]
    fn four_calls_of_one_operation_or_of_four_get_every_kind_of_simulated_failure() {
        for seed in 0..9 {
            let mut troubles = Troubles::new(seed);
            let read = operation("GET /a", true, false);
            let of_one: Vec<_> = (0..4).filter_map(|_| troubles.next(&read)).collect();
            assert!(ALL.iter().all(|kind| of_one.contains(kind)), "{of_one:?}");
            let mut troubles = Troubles::new(seed);
            let names = ["POST /a", "POST /b", "POST /c", "POST /d"];
            let of_many: Vec<_> =
                names.iter().filter_map(|name| troubles.next(&operation(name, false, true))).collect();
            assert!(ALL.iter().all(|kind| of_many.contains(kind)), "{of_many:?}");
        }
    }

    #[test]
    fn an_unrepeatable_request_is_only_delayed_once_and_a_token_request_only_refused_once() {
        let mut troubles = Troubles::new(1);
        let unsafe_call = operation("DELETE /a", false, false);
        assert_eq!(troubles.next(&unsafe_call), Some(Trouble::Slow));
        assert!((0..20).all(|_| troubles.next(&unsafe_call).is_none()));
        let token = operation("POST /v1/auth/token", false, false);
        assert_eq!((troubles.next(&token), troubles.next(&token)), (Some(Trouble::TooManyTokens), None));
    }
}

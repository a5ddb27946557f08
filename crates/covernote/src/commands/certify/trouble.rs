//! Which calls get which trouble: each kind at least once for each operation that is called often enough.

use std::collections::BTreeMap;
use std::time::Duration;

use super::operation::Operation;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// 503 with `Retry-After`; the service never sees it.
    Refused,
    /// 503 with `Retry-After`, although the service did it.
    DoneButRefused,
    /// The connection is closed, although the service did it.
    DoneButDropped,
    /// The answer comes late.
    Slow,
    /// 429 with `Retry-After`, where a token is asked for.
    TooManyTokens,
}

/// How long a slow answer takes.
pub(super) const SLOW: Duration = Duration::from_secs(3);

/// The `Retry-After` of troubles.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Every trouble of a call that may be sent again.
const ALL: [Trouble; 4] = [Trouble::Refused, Trouble::DoneButDropped, Trouble::DoneButRefused, Trouble::Slow];

/// After each kind came once, one call of so many.
const LATER: usize = 5;

impl Trouble {
    /// What the call is told, for a report.
    pub(super) const fn told(self) -> &'static str {
        match self {
            Trouble::Refused | Trouble::DoneButRefused => "503",
            Trouble::DoneButDropped => "a closed connection",
            Trouble::Slow => "a late answer",
            Trouble::TooManyTokens => "429",
        }
    }

    /// Whether it says how long to wait.
    pub(super) const fn says_when(self) -> bool {
        matches!(self, Trouble::Refused | Trouble::DoneButRefused | Trouble::TooManyTokens)
    }
}

/// The order of troubles.
pub(super) struct Troubles {
    seed: usize,
    /// Of each operation: when it was called first among all, and how often it was called.
    called: BTreeMap<String, (usize, usize)>,
}

impl Troubles {
    /// The order of a seed.
    pub(super) fn new(seed: u64) -> Self {
        Troubles { seed: usize::try_from(seed % 1_000).unwrap_or_default(), called: BTreeMap::new() }
    }

    /// The trouble of a call that is no repeat. Operations begin with different kinds, so that a few calls see all of them.
    pub(super) fn next(&mut self, operation: &Operation) -> Option<Trouble> {
        let known = self.called.len();
        let (place, calls) = self.called.entry(operation.name.clone()).or_insert((known, 0));
        let (place, nth) = (*place, *calls);
        *calls += 1;
        if operation.is_token() {
            return (nth == 0).then_some(Trouble::TooManyTokens);
        }
        if !operation.is_read && !operation.takes_key {
            // Nobody can know whether it was done, so it must not be sent again.
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
    fn four_calls_of_an_operation_see_every_kind_and_so_do_single_calls_of_four() {
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
    fn what_must_not_be_sent_again_is_only_late() {
        let mut troubles = Troubles::new(1);
        let unsafe_call = operation("DELETE /a", false, false);
        assert_eq!(troubles.next(&unsafe_call), Some(Trouble::Slow));
        assert!((0..20).all(|_| troubles.next(&unsafe_call).is_none()));
        let token = operation("POST /v1/auth/token", false, false);
        assert_eq!((troubles.next(&token), troubles.next(&token)), (Some(Trouble::TooManyTokens), None));
    }
}

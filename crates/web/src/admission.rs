//! Admission control: so many requests are worked on at once, shared out fairly among those who ask. One more is refused
//! before anything is done for it, because waiting would only make all responses late.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::id::PartnerId;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::error::Problem;
use crate::peer::Peer;

/// How long a refusal is held back, at least and at most. A client that asks again at once has to wait that long, and so
/// takes next to nothing of what is left for the others: to refuse costs a third of what a quote costs. The times
/// differ, so that not all refused clients come back together.
const HELD_BACK: Range<Duration> = Duration::from_millis(100)..Duration::from_millis(200);

/// How long a client that has less than its share waits for a permit that another gives back.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

/// How long a request waits for its permit again after it waited for insurers.
const LONGEST_RETURN: Duration = Duration::from_secs(5);

/// How long a client counts as one of those who ask, after its last request.
const RECENT: Duration = Duration::from_secs(1);

/// Time between two removals of clients that no longer ask.
const SWEEP_INTERVAL: Duration = Duration::from_millis(250);

/// How often the log says how many requests were refused.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Who asks: a partner, by its bearer token or its customers' journeys; else an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Partner(PartnerId),
    Peer(Peer),
}

/// A limit of requests that are worked on at once.
///
/// A client that asks alone may use all of it. Among several, each is certain of an equal share: who has less waits a
/// moment for the next permit that is given back, and who has more gets none while few are left.
pub(crate) struct Admission(Arc<Shared>);

struct Shared {
    most: usize,
    state: Mutex<State>,
    /// Requests refused since the log last said so.
    refused: Arc<AtomicU64>,
}

struct State {
    in_use: usize,
    /// Those who ask, with what they have.
    clients: HashMap<Client, Share>,
    waiting: usize,
    swept: Instant,
}

struct Share {
    in_use: usize,
    /// When it last asked.
    asked: Instant,
    waiting: VecDeque<oneshot::Sender<Permit>>,
}

/// The right to be worked on, given back when it is dropped.
pub(crate) struct Permit {
    shared: Arc<Shared>,
    client: Client,
}

/// What becomes of a request.
enum Turn {
    Now(Permit),
    Soon(oneshot::Receiver<Permit>),
    Never,
}

impl Admission {
    /// A limit of so many requests.
    pub(crate) fn of(requests: usize) -> Self {
        let state = State { in_use: 0, clients: HashMap::new(), waiting: 0, swept: Instant::now() };
        Admission(Arc::new(Shared { most: requests, state: Mutex::new(state), refused: Arc::default() }))
    }

    /// Admits a request.
    ///
    /// # Errors
    /// [`Problem::overloaded`], after a delay.
    pub(crate) async fn admit(&self, client: Client) -> Result<Permit, Problem> {
        match self.0.turn(client, false) {
            Turn::Now(permit) => Ok(permit),
            Turn::Soon(permit) => match timeout(LONGEST_WAIT, permit).await {
                Ok(Ok(permit)) => Ok(permit),
                _ => {
                    self.note_refusal();
                    Err(Problem::overloaded())
                }
            },
            Turn::Never => {
                let before = self.note_refusal();
                // Evenly over the range, whichever refusals one looks at: 37 and 100 have no divisor in common.
                let part = (before * 37 % 100) as u32;
                sleep(HELD_BACK.start + (HELD_BACK.end - HELD_BACK.start) / 100 * part).await;
                Err(Problem::overloaded())
            }
        }
    }

    /// Admits a request again that gave its permit back while it waited for insurers. What was done for it is not thrown
    /// away at once: it waits for a permit, however much its client has.
    ///
    /// # Errors
    /// [`Problem::overloaded`], after [`LONGEST_RETURN`].
    pub(crate) async fn admit_again(&self, client: Client) -> Result<Permit, Problem> {
        let permit = match self.0.turn(client, true) {
            Turn::Now(permit) => Some(permit),
            Turn::Soon(permit) => timeout(LONGEST_RETURN, permit).await.ok().and_then(Result::ok),
            Turn::Never => None,
        };
        permit.ok_or_else(|| {
            self.note_refusal();
            Problem::overloaded()
        })
    }

    /// Counts a refusal for the log, and returns how many there were before it.
    fn note_refusal(&self) -> u64 {
        let before = self.0.refused.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            tokio::spawn(log_refusals(self.0.refused.clone()));
        }
        before
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `returns`: the request had a permit before.
    fn turn(self: &Arc<Self>, client: Client, returns: bool) -> Turn {
        let now = Instant::now();
        let mut state = self.lock();
        state.sweep(now);
        let asking = state.clients.len() + usize::from(!state.clients.contains_key(&client));
        let fair = (self.most / asking).max(1);
        // What is left for those who have less than their share.
        let kept_free = if asking == 1 { 0 } else { self.most / 8 };
        let (in_use, waiting) = (state.in_use, state.waiting);
        let share = state.clients.entry(client).or_insert_with(|| Share::new(now));
        share.asked = now;
        let is_below_share = share.in_use < fair;
        let has_right = returns || is_below_share;
        if in_use < self.most && (has_right && waiting == 0 || in_use + kept_free < self.most) {
            share.in_use += 1;
            state.in_use += 1;
            return Turn::Now(Permit { shared: self.clone(), client });
        }
        if !returns && (!is_below_share || share.waiting.len() >= fair) {
            return Turn::Never;
        }
        let (give, permit) = oneshot::channel();
        share.waiting.push_back(give);
        state.waiting += 1;
        Turn::Soon(permit)
    }
}

impl State {
    /// Forgets clients that no longer ask.
    fn sweep(&mut self, now: Instant) {
        if now.duration_since(self.swept) < SWEEP_INTERVAL {
            return;
        }
        self.swept = now;
        self.clients.retain(|_, share| {
            share.in_use > 0 || !share.waiting.is_empty() || now.duration_since(share.asked) < RECENT
        });
    }

    /// The waiting request of the client that has least.
    fn next_waiting(&mut self) -> Option<(Client, oneshot::Sender<Permit>)> {
        if self.waiting == 0 {
            return None;
        }
        let waiting = self.clients.iter_mut().filter(|(_, share)| !share.waiting.is_empty());
        let (client, share) = waiting.min_by_key(|(_, share)| share.in_use)?;
        let give = share.waiting.pop_front()?;
        self.waiting -= 1;
        Some((*client, give))
    }
}

impl Share {
    fn new(now: Instant) -> Self {
        Share { in_use: 0, asked: now, waiting: VecDeque::new() }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.in_use -= 1;
        if let Some(share) = state.clients.get_mut(&self.client) {
            share.in_use -= 1;
        }
        // Of those who waited too long, nobody takes the permit. Then the next one gets it.
        while let Some((client, give)) = state.next_waiting() {
            if give.is_closed() {
                continue;
            }
            state.in_use += 1;
            if let Some(share) = state.clients.get_mut(&client) {
                share.in_use += 1;
            }
            drop(state);
            // Where it is not taken after all, it comes back here.
            let _ = give.send(Permit { shared: self.shared.clone(), client });
            return;
        }
    }
}

/// Logs in a while how many requests were refused until then. A line for each would be more work than a refusal saves.
async fn log_refusals(refused: Arc<AtomicU64>) {
    sleep(LOG_INTERVAL).await;
    let refused = refused.swap(0, Ordering::Relaxed);
    tracing::warn!(
        requests.refused = refused,
        "requests refused, since as many as may be were at work: {refused}"
    );
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid;

    use super::*;

    fn partner(number: u128) -> Client {
        Client::Partner(PartnerId::from_uuid(Uuid::from_u128(number)))
    }

    async fn admit(admission: &Admission, client: Client, times: usize) -> Vec<Permit> {
        let mut permits = Vec::new();
        for _ in 0..times {
            permits.extend(admission.admit(client).await.ok());
        }
        permits
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_asks_alone_may_use_everything() {
        let admission = Admission::of(16);
        let permits = admit(&admission, partner(1), 17).await;
        assert_eq!(permits.len(), 16);
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_less_than_its_share_gets_the_next_permit() {
        let admission = Admission::of(16);
        let mut greedy = admit(&admission, partner(1), 16).await;
        let other = admission.admit(partner(2));
        let give_back = async {
            sleep(Duration::from_millis(10)).await;
            greedy.pop();
        };
        let (other, ()) = tokio::join!(other, give_back);
        let other = other.expect("the permit that was given back");
        assert!(admission.admit(partner(1)).await.is_err(), "it has nearly everything");
        drop((greedy, other));
        assert_eq!(admission.0.lock().in_use, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn two_clients_share_equally() {
        let admission = Admission::of(16);
        let second = admit(&admission, partner(2), 1).await;
        let first = admit(&admission, partner(1), 16).await;
        assert_eq!(first.len(), 13, "an eighth is kept free for those who have less");
        let more = admit(&admission, partner(2), 16).await;
        assert_eq!(more.len() + second.len() + first.len(), 16);
    }

    #[tokio::test(start_paused = true)]
    async fn a_permit_that_nobody_waits_for_any_more_is_not_lost() {
        let admission = Admission::of(4);
        let greedy = admit(&admission, partner(1), 4).await;
        assert!(admission.admit(partner(2)).await.is_err(), "nothing was given back in time");
        drop(greedy);
        assert_eq!(admission.0.lock().in_use, 0);
        assert_eq!(admit(&admission, partner(2), 4).await.len(), 4);
    }
}

//! Admission control: a limit of concurrent requests, shared fairly among clients. A request over the limit
//! is refused at once, because a queue would only make all responses late.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use domain::id::PartnerId;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::error::{Problem, Result};
use crate::peer::Peer;

/// Range of delays before a refusal is sent. The delay limits the load of clients that retry at once, because
/// refusing a request costs a third of the work of a quote. The delays differ, so that refused clients do not
/// all return together.
const HELD_BACK: Range<Duration> = Duration::from_millis(100)..Duration::from_millis(200);

/// Longest time that a request waits for a permit, if its client has less than its share.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

/// Longest time that a request waits for a new permit after it waited for insurers.
const LONGEST_RETURN: Duration = Duration::from_secs(5);

/// A client counts as active for this time after its last request.
const RECENT: Duration = Duration::from_secs(1);

/// Time between two removals of inactive clients.
const SWEEP_INTERVAL: Duration = Duration::from_millis(250);

/// Time for which a count of active clients is reused, in milliseconds.
const COUNTED_WITHIN: u64 = 10;

/// The stored time of a client's last request can be too early by this many milliseconds.
const ASKED_WITHIN: u64 = 100;

/// Time between two log lines about refused requests.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Client of a request: the partner of a bearer token or journey, otherwise the network address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Partner(PartnerId),
    Peer(Peer),
}

/// A limit of concurrent requests. A permit is the right to have one request processed.
///
/// A client that is the only active one can use all permits. If several clients are active, each is
/// guaranteed an equal share: a client below its share waits briefly for the next free permit. No client gets
/// more than its share or a quarter of all permits, whichever is more. Otherwise, the requests of other
/// clients would wait behind its requests.
///
/// As long as enough permits are free, a request of a known client takes only a read lock on the clients.
pub(crate) struct Admission(Arc<Shared>);

struct Shared {
    most: usize,
    in_use: AtomicUsize,
    /// Length of `queue`. It can be read without the lock of `queue`.
    waiting: AtomicUsize,
    clients: RwLock<HashMap<Client, Arc<Share>>>,
    queue: Mutex<VecDeque<Waiting>>,
    opened: Instant,
    /// Time of the last removal of inactive clients, in milliseconds after `opened`.
    swept: AtomicU64,
    /// Number of active clients at the last count, and the time of that count in milliseconds after `opened`.
    /// The number is 0 before the first count.
    counted: AtomicUsize,
    counted_at: AtomicU64,
    /// Number of requests refused since the last log line about refusals.
    refused: Arc<AtomicU64>,
    /// Number of refusals that were delayed so far.
    held_back: AtomicU64,
}

/// What a client uses of the limits now: its permits and its arriving bodies.
pub(crate) struct Share {
    in_use: AtomicUsize,
    /// Number of request bodies of this client that are arriving.
    pub(crate) arriving: AtomicUsize,
    /// Time of the client's last request, in milliseconds after [`Shared::opened`].
    asked: AtomicU64,
}

/// A request that waits for a permit.
struct Waiting {
    share: Arc<Share>,
    give: oneshot::Sender<Permit>,
}

/// The right to have one request processed. Dropping a permit frees it for another request.
pub(crate) struct Permit {
    limit: Arc<Shared>,
    share: Arc<Share>,
}

/// Result of requesting a permit: a permit, a place in the queue, or a refusal.
enum Turn {
    Now(Permit),
    Soon(oneshot::Receiver<Permit>),
    Never,
}

impl Admission {
    pub(crate) fn of(requests: usize) -> Self {
        Admission(Arc::new(Shared {
            most: requests,
            in_use: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            clients: RwLock::default(),
            queue: Mutex::default(),
            opened: Instant::now(),
            swept: AtomicU64::new(0),
            counted: AtomicUsize::new(0),
            counted_at: AtomicU64::new(0),
            refused: Arc::default(),
            held_back: AtomicU64::new(0),
        }))
    }

    /// Current use of the limits by this client. Notes the time of the client's request.
    pub(crate) fn share(&self, client: Client) -> Arc<Share> {
        self.0.share(client)
    }

    /// Gets a permit for a request.
    ///
    /// # Errors
    /// [`Problem::overloaded`], after a delay, if no permit is free.
    pub(crate) async fn admit(&self, share: &Arc<Share>) -> Result<Permit> {
        match self.0.turn(share, false) {
            Turn::Now(permit) => Ok(permit),
            Turn::Soon(permit) => match timeout(LONGEST_WAIT, permit).await {
                Ok(Ok(permit)) => Ok(permit),
                _ => {
                    self.note_refusal();
                    Err(Problem::overloaded())
                }
            },
            Turn::Never => {
                self.note_refusal();
                self.hold_back().await;
                Err(Problem::overloaded())
            }
        }
    }

    /// Gets a new permit for a request that waited for insurers without its permit. The request waits for the
    /// permit even if its client is above its share, so that the work already done is not lost.
    ///
    /// # Errors
    /// [`Problem::overloaded`] if no permit becomes free within [`LONGEST_RETURN`].
    pub(crate) async fn admit_again(&self, share: &Arc<Share>) -> Result<Permit> {
        let permit = match self.0.turn(share, true) {
            Turn::Now(permit) => Some(permit),
            Turn::Soon(permit) => timeout(LONGEST_RETURN, permit).await.ok().and_then(Result::ok),
            Turn::Never => None,
        };
        permit.ok_or_else(|| {
            self.note_refusal();
            Problem::overloaded()
        })
    }

    /// Waits for a time in the range [`HELD_BACK`], before a refusal is sent.
    pub(crate) async fn hold_back(&self) {
        let before = self.0.held_back.fetch_add(1, Ordering::Relaxed);
        // The delays are spread evenly over the range, because 37 and 100 have no common divisor.
        let part = (before * 37 % 100) as u32;
        sleep(HELD_BACK.start + (HELD_BACK.end - HELD_BACK.start) / 100 * part).await;
    }

    /// Counts a refusal for the next log line about refusals.
    fn note_refusal(&self) {
        if self.0.refused.fetch_add(1, Ordering::Relaxed) == 0 {
            tokio::spawn(log_refusals(self.0.refused.clone()));
        }
    }
}

impl Shared {
    fn now(&self) -> u64 {
        self.opened.elapsed().as_millis() as u64
    }

    fn share(&self, client: Client) -> Arc<Share> {
        let now = self.now();
        let known = self.clients.read().unwrap_or_else(PoisonError::into_inner).get(&client).cloned();
        if let Some(share) = known {
            share.note_asked(now);
            return share;
        }
        let mut clients = self.clients.write().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_sub(self.swept.load(Ordering::Relaxed)) >= SWEEP_INTERVAL.as_millis() as u64 {
            self.swept.store(now, Ordering::Relaxed);
            clients.retain(|_, share| Arc::strong_count(share) > 1 || share.asks(now));
        }
        let new = || Share { in_use: 0.into(), arriving: 0.into(), asked: now.into() };
        clients.entry(client).or_insert_with(|| Arc::new(new())).clone()
    }

    /// Number of active clients now, at least 1.
    fn asking(&self) -> usize {
        let now = self.now();
        let clients = self.clients.read().unwrap_or_else(PoisonError::into_inner);
        clients.values().filter(|share| share.asks(now)).count().max(1)
    }

    /// Maximum number of permits for one client while other clients are active.
    fn most_of_one(&self) -> usize {
        let now = self.now();
        let mut asking = self.counted.load(Ordering::Relaxed);
        if asking == 0 || now.saturating_sub(self.counted_at.load(Ordering::Relaxed)) > COUNTED_WITHIN {
            asking = self.asking();
            self.counted.store(asking, Ordering::Relaxed);
            self.counted_at.store(now, Ordering::Relaxed);
        }
        (self.most / asking).max(self.most / 4)
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a permit if more than `left` permits are free. `None` otherwise.
    fn take(self: &Arc<Self>, share: &Arc<Share>, left: usize) -> Option<Permit> {
        let most = self.most.saturating_sub(left);
        let more = |in_use: usize| (in_use < most).then_some(in_use + 1);
        self.in_use.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).ok()?;
        share.in_use.fetch_add(1, Ordering::AcqRel);
        Some(Permit { limit: self.clone(), share: share.clone() })
    }

    /// Decides whether a request gets a permit, waits for one, or is refused. `returns`: the request already
    /// had a permit before it waited for insurers.
    fn turn(self: &Arc<Self>, share: &Arc<Share>, returns: bool) -> Turn {
        // One eighth of the permits is reserved for clients below their share.
        let kept_free = self.most / 8;
        let in_use = share.in_use.load(Ordering::Acquire);
        let may_have_more = returns || in_use < self.most / 4 || in_use < self.most_of_one();
        if may_have_more && let Some(permit) = self.take(share, kept_free) {
            return Turn::Now(permit);
        }
        let asking = self.asking();
        let fair = (self.most / asking).max(1);
        let is_below_share = share.in_use.load(Ordering::Acquire) < fair;
        let mut queue = self.queue();
        let may_have_last = asking == 1 || (returns || is_below_share) && queue.is_empty();
        if may_have_last && let Some(permit) = self.take(share, 0) {
            return Turn::Now(permit);
        }
        let waits = queue.iter().filter(|waiting| Arc::ptr_eq(&waiting.share, share)).count();
        if !returns && (!is_below_share || waits >= fair) {
            return Turn::Never;
        }
        let (give, permit) = oneshot::channel();
        queue.push_back(Waiting { share: share.clone(), give });
        self.waiting.store(queue.len(), Ordering::SeqCst);
        drop(queue);
        // A permit may have become free before this request was in the queue.
        self.hand_over();
        Turn::Soon(permit)
    }

    /// Gives free permits to waiting requests. The request of the client with the fewest permits comes first.
    fn hand_over(self: &Arc<Self>) {
        loop {
            let mut queue = self.queue();
            // Remove requests that stopped waiting.
            queue.retain(|waiting| !waiting.give.is_closed());
            self.waiting.store(queue.len(), Ordering::SeqCst);
            let least = |(_, waiting): &(usize, &Waiting)| waiting.share.in_use.load(Ordering::Acquire);
            let Some((at, _)) = queue.iter().enumerate().min_by_key(least) else { return };
            let Some(permit) = self.take(&queue[at].share.clone(), 0) else { return };
            let waiting = queue.remove(at);
            self.waiting.store(queue.len(), Ordering::SeqCst);
            drop(queue);
            // If the receiver is gone, the permit is dropped here, and goes to the next request.
            let _ = waiting.map(|waiting| waiting.give.send(permit));
        }
    }
}

impl Share {
    fn note_asked(&self, now: u64) {
        // Written rarely, because all threads read it.
        if now.saturating_sub(self.asked.load(Ordering::Relaxed)) > ASKED_WITHIN {
            self.asked.store(now, Ordering::Relaxed);
        }
    }

    fn asks(&self, now: u64) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        self.in_use.load(Ordering::Acquire) > 0 || now.saturating_sub(asked) < RECENT.as_millis() as u64
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.share.in_use.fetch_sub(1, Ordering::AcqRel);
        self.limit.in_use.fetch_sub(1, Ordering::SeqCst);
        if self.limit.waiting.load(Ordering::SeqCst) > 0 {
            self.limit.hand_over();
        }
    }
}

/// Logs the number of refusals once per [`LOG_INTERVAL`]. One line for each refusal would cost more work than
/// the refusal saves.
async fn log_refusals(refused: Arc<AtomicU64>) {
    sleep(LOG_INTERVAL).await;
    let refused = refused.swap(0, Ordering::Relaxed);
    tracing::warn!(requests.refused = refused, "requests refused because all permits were in use: {refused}");
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
            permits.extend(admission.admit(&admission.share(client)).await.ok());
        }
        permits
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_without_competitors_may_use_all_permits() {
        let admission = Admission::of(16);
        let permits = admit(&admission, partner(1), 17).await;
        assert_eq!(permits.len(), 16);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_below_its_share_gets_the_next_permit() {
        let admission = Admission::of(16);
        let mut greedy = admit(&admission, partner(1), 16).await;
        let share = admission.share(partner(2));
        let other = admission.admit(&share);
        let give_back = async {
            sleep(Duration::from_millis(10)).await;
            greedy.pop();
        };
        let (other, ()) = tokio::join!(other, give_back);
        let other = other.expect("the permit that was given back");
        assert!(admission.admit(&admission.share(partner(1))).await.is_err(), "it has nearly everything");
        drop((greedy, other));
        assert_eq!(admission.0.in_use.load(Ordering::SeqCst), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn two_clients_share_the_permits_equally() {
        let admission = Admission::of(16);
        let second = admit(&admission, partner(2), 1).await;
        let first = admit(&admission, partner(1), 16).await;
        assert_eq!(first.len(), 8, "the other half is for those who have less");
        let more = admit(&admission, partner(2), 16).await;
        assert_eq!(more.len() + second.len() + first.len(), 16);
    }

    #[test]
    fn clients_without_recent_requests_are_forgotten() {
        let admission = Admission::of(4);
        let started = Instant::now();
        let mut most = 0;
        for number in 0.. {
            admission.share(partner(number));
            let known = admission.0.clients.read().expect("unpoisoned").len();
            if known < most {
                return;
            }
            most = known;
            assert!(started.elapsed() < Duration::from_secs(10), "{most} clients are remembered");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_permit_is_not_lost_if_a_waiting_client_gave_up() {
        let admission = Admission::of(4);
        let greedy = admit(&admission, partner(1), 4).await;
        assert!(
            admission.admit(&admission.share(partner(2))).await.is_err(),
            "nothing was given back in time"
        );
        drop(greedy);
        assert_eq!(admission.0.in_use.load(Ordering::SeqCst), 0);
        assert_eq!(admit(&admission, partner(2), 4).await.len(), 4);
    }
}

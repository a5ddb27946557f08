//! Gathering: records that come at once are kept by one statement, and so by one sync.
//!
//! There is no timer: while a statement is under way, the next group collects. It goes beside that one once it is nearly as
//! large, and else when that one has ended: a small group costs the database almost what a large one does. A group that
//! fails of itself is taken apart, so that one bad record does not sink its neighbours.

use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use domain::id::Uuid;
use ports::storage::{Result, StorageError};
use tokio::sync::{Mutex, mpsc, oneshot, watch};

use super::connections::Connections;
use super::fault::Fault;

/// Records that may wait. One more is refused: the service sheds load instead of queueing it.
const QUEUE: usize = 4096;

/// Records in one statement at most.
const GROUP: usize = 512;

/// Statements under way at once: while one syncs, the next is made ready.
pub(crate) const AT_ONCE: usize = 2;

/// A record that is kept in groups.
pub(crate) trait Batched: Sized + Send + Sync + 'static {
    fn id(&self) -> Uuid;

    /// Keeps a group, or none of it.
    fn keep(
        group: &[&Self],
        connections: &Connections,
        slot: i16,
    ) -> impl Future<Output = Result<KeptRecords, Fault>> + Send;
}

/// Which records of a group are kept. The id of any other was taken.
pub(crate) enum KeptRecords {
    All,
    These(HashSet<Uuid>),
}

struct Waiting<R> {
    record: R,
    reply: oneshot::Sender<Result<()>>,
}

/// Where groups are made.
struct Desk<R> {
    queue: Mutex<Queue<R>>,
    /// Groups under way.
    under_way: watch::Sender<usize>,
}

struct Queue<R> {
    waiting: mpsc::Receiver<Waiting<R>>,
    /// Records of the last group.
    last: usize,
}

/// A group under way, until this is dropped.
struct UnderWay<'d>(&'d watch::Sender<usize>);

impl<R> Desk<R> {
    /// Takes the next group, once there is one to be sent. `None`: there will be none.
    async fn next_group(&self, group: &mut Vec<Waiting<R>>) -> Option<UnderWay<'_>> {
        let mut queue = self.queue.lock().await;
        let Queue { waiting, last } = &mut *queue;
        if waiting.recv_many(group, GROUP).await == 0 {
            return None;
        }
        let mut under_way = self.under_way.subscribe();
        let mut all_ended = pin!(under_way.wait_for(|number| *number == 0));
        while group.len() < *last * 3 / 4 {
            let room = GROUP - group.len();
            tokio::select! {
                biased;
                _ = &mut all_ended => break,
                more = waiting.recv_many(group, room) => if more == 0 { break },
            }
        }
        *last = group.len();
        metrics::gauge!("covernote_storage_queue_length").set(waiting.len() as f64);
        self.under_way.send_modify(|number| *number += 1);
        Some(UnderWay(&self.under_way))
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|number| *number -= 1);
    }
}

/// The queue that requests put records into.
pub(crate) struct Batcher<R> {
    queue: mpsc::Sender<Waiting<R>>,
}

impl<R: Batched> Batcher<R> {
    /// Starts to batch. Each statement under way counts in a slot of its own (D33).
    pub(crate) fn start(connections: Arc<Connections>, slots: [i16; AT_ONCE]) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let desk = Desk { queue: Mutex::new(Queue { waiting, last: 0 }), under_way: watch::Sender::new(0) };
        let desk = Arc::new(desk);
        for slot in slots {
            tokio::spawn(run_batches::<R>(connections.clone(), desk.clone(), slot));
        }
        Batcher { queue }
    }

    /// Keeps a record with whatever comes at once.
    pub(crate) async fn keep(&self, record: R) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("writes are no longer taken".into());
        self.queue.try_send(Waiting { record, reply }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StorageError::Away("too many writes wait already".into()),
            mpsc::error::TrySendError::Closed(_) => gone(),
        })?;
        answer.await.map_err(|_| gone())?
    }
}

async fn run_batches<R: Batched>(connections: Arc<Connections>, desk: Arc<Desk<R>>, slot: i16) {
    let mut group = Vec::with_capacity(GROUP);
    while let Some(_under_way) = desk.next_group(&mut group).await {
        metrics::histogram!("covernote_storage_group_size").record(group.len() as f64);
        let started = Instant::now();
        let records: Vec<&R> = group.iter().map(|waiting| &waiting.record).collect();
        let kept = R::keep(&records, &connections, slot).await;
        metrics::histogram!("covernote_storage_commit_seconds").record(started.elapsed().as_secs_f64());
        match kept {
            Ok(kept) => answer(&mut group, kept),
            Err(fault) if fault.is_its_own() && group.len() > 1 => {
                for waiting in group.drain(..) {
                    let kept = R::keep(&[&waiting.record], &connections, slot).await;
                    match kept {
                        Ok(kept) => answer(&mut vec![waiting], kept),
                        Err(fault) => drop(waiting.reply.send(Err(fault.into()))),
                    }
                }
            }
            Err(fault) => lose(&mut group, fault.into()),
        }
    }
}

/// Tells everyone in a group what became of their record. Of two with one id the first was kept.
fn answer<R: Batched>(group: &mut Vec<Waiting<R>>, mut kept: KeptRecords) {
    for Waiting { record, reply } in group.drain(..) {
        let is_kept = match &mut kept {
            KeptRecords::All => true,
            KeptRecords::These(ids) => ids.remove(&record.id()),
        };
        let outcome = if is_kept { Ok(()) } else { Err(taken()) };
        // Nobody waits any more: the request was given up.
        let _ = reply.send(outcome);
    }
}

fn lose<R>(group: &mut Vec<Waiting<R>>, fault: StorageError) {
    tracing::error!(storage.group = group.len(), "a group of writes was lost: {fault}");
    for Waiting { reply, .. } in group.drain(..) {
        let _ = reply.send(Err(fault.clone()));
    }
}

/// The fault of a record whose id is taken.
pub(crate) fn taken() -> StorageError {
    StorageError::Refused("a record with this id is there already".into())
}

#[cfg(test)]
mod tests {
    use futures_util::future::poll_immediate;

    use super::*;

    /// A desk, where `put` puts records on its queue.
    fn desk() -> (Desk<u32>, impl Fn(usize)) {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let put = move |records| {
            for _ in 0..records {
                let (reply, _) = oneshot::channel();
                queue.try_send(Waiting { record: 0, reply }).unwrap_or_else(|_| panic!("a full queue"));
            }
        };
        (Desk { queue: Mutex::new(Queue { waiting, last: 0 }), under_way: watch::Sender::new(0) }, put)
    }

    #[tokio::test]
    async fn a_group_is_sent_at_once_where_nothing_is_under_way() {
        let (desk, put) = desk();
        for records in [100, 1, 50] {
            put(records);
            let mut group = Vec::new();
            let sent = poll_immediate(pin!(desk.next_group(&mut group))).await;
            assert!(sent.flatten().is_some());
            assert_eq!(group.len(), records);
        }
    }

    #[tokio::test]
    async fn beside_another_a_group_waits_until_it_is_nearly_as_large_or_that_ends() {
        let (desk, put) = desk();
        let mut groups = [const { Vec::new() }; 4];
        let [first, second, third, fourth] = &mut groups;
        put(20);
        let first_under_way = desk.next_group(first).await.expect("sent");

        put(1);
        let mut next = Box::pin(desk.next_group(second));
        assert!(poll_immediate(&mut next).await.is_none(), "one record was sent beside twenty");
        put(13);
        assert!(poll_immediate(&mut next).await.is_none(), "fourteen were sent beside twenty");
        put(1);
        let second_under_way = next.await.expect("sent");

        put(2);
        let mut next = Box::pin(desk.next_group(third));
        assert!(poll_immediate(&mut next).await.is_none());
        drop(first_under_way);
        assert!(poll_immediate(&mut next).await.is_none(), "the second group is under way");
        drop(second_under_way);
        let _third_under_way = next.await.expect("sent");

        // Few come at once: nobody waits for more.
        put(1);
        let sent = poll_immediate(pin!(desk.next_group(fourth))).await;
        assert!(sent.flatten().is_some());
        assert_eq!(groups.map(|group| group.len()), [20, 15, 2, 1]);
    }

    #[tokio::test]
    async fn what_waits_is_sent_at_once_when_the_queue_ends() {
        let (desk, put) = desk();
        put(20);
        let mut group = Vec::new();
        let under_way = desk.next_group(&mut group).await;
        put(1);
        drop(put);
        let mut last = Vec::new();
        assert!(poll_immediate(pin!(desk.next_group(&mut last))).await.flatten().is_some());
        assert_eq!(last.len(), 1);
        let none = desk.next_group(&mut Vec::new()).await;
        assert!(none.is_none());
        drop(under_way);
    }
}

//! Batching: one statement with one sync writes the records that arrive together.
//!
//! There is no timer. While one group is written, the next group collects. The next group is sent at once
//! when it has three quarters of the records of the group before it. A smaller group waits until no group is
//! being written, because a small group costs the database almost as much as a large one. If a group fails
//! because of a record, its records are written one by one, so that one bad record does not fail the others.

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

/// Most records that wait in the queue. If the queue is full, further records are refused: the service sheds
/// load instead of queueing it.
const QUEUE: usize = 4096;

/// Most records in one statement.
const GROUP: usize = 512;

/// Most groups that are written at the same time: while the database syncs one, it prepares the next.
pub(crate) const AT_ONCE: usize = 2;

/// Record that is written in a group with others (group commit).
pub(crate) trait Batched: Sized + Send + Sync + 'static {
    fn id(&self) -> Uuid;

    /// Inserts all rows of a group commit with one SQL statement. If it fails, no row is written.
    fn keep(
        group: &[&Self],
        connections: &Connections,
        slot: i16,
    ) -> impl Future<Output = Result<KeptRecords, Fault>> + Send;
}

/// Which records of a group were written. A record was not written if its id already existed.
pub(crate) enum KeptRecords {
    All,
    These(HashSet<Uuid>),
}

struct Waiting<R> {
    record: R,
    reply: oneshot::Sender<Result<()>>,
}

/// State that the tasks that write groups share.
struct Desk<R> {
    queue: Mutex<Queue<R>>,
    /// Number of groups that are being written now.
    under_way: watch::Sender<usize>,
}

struct Queue<R> {
    waiting: mpsc::Receiver<Waiting<R>>,
    /// Number of records in the group that was taken last.
    last: usize,
}

/// Counts a group as being written, until this value is dropped.
struct UnderWay<'d>(&'d watch::Sender<usize>);

impl<R> Desk<R> {
    /// Takes the next group of records from the queue, as soon as it should be written. `None` if the queue
    /// is closed.
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

/// Queue into which requests put records.
pub(crate) struct Batcher<R> {
    queue: mpsc::Sender<Waiting<R>>,
}

impl<R: Batched> Batcher<R> {
    /// Starts the tasks that write groups. Each task adds to the counts of records in its own slot (row), so
    /// that the tasks do not wait for each other (D33).
    pub(crate) fn start(connections: Arc<Connections>, slots: [i16; AT_ONCE]) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let desk = Desk { queue: Mutex::new(Queue { waiting, last: 0 }), under_way: watch::Sender::new(0) };
        let desk = Arc::new(desk);
        for slot in slots {
            tokio::spawn(run_batches::<R>(connections.clone(), desk.clone(), slot));
        }
        Batcher { queue }
    }

    /// Writes a record, together with others that arrive at the same time. Returns when the record is
    /// committed.
    pub(crate) async fn keep(&self, record: R) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        let gone =
            || StorageError::Away("the store accepts no more writes: its writing tasks have ended".into());
        self.queue.try_send(Waiting { record, reply }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StorageError::Away("too many writes are waiting".into()),
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
            Err(fault) if fault.is_of_statement() && group.len() > 1 => {
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

/// Tells each request of a group whether its record was written. If two records of the group have the same
/// id, only the first one was written.
fn answer<R: Batched>(group: &mut Vec<Waiting<R>>, mut kept: KeptRecords) {
    for Waiting { record, reply } in group.drain(..) {
        let is_kept = match &mut kept {
            KeptRecords::All => true,
            KeptRecords::These(ids) => ids.remove(&record.id()),
        };
        let outcome = if is_kept { Ok(()) } else { Err(taken()) };
        // If sending fails, the request was cancelled.
        let _ = reply.send(outcome);
    }
}

fn lose<R>(group: &mut Vec<Waiting<R>>, fault: StorageError) {
    tracing::error!(storage.group = group.len(), "a group of writes failed: {fault}");
    for Waiting { reply, .. } in group.drain(..) {
        let _ = reply.send(Err(fault.clone()));
    }
}

/// Error for a record whose id already exists.
pub(crate) fn taken() -> StorageError {
    StorageError::Refused("a record with this id already exists".into())
}

#[cfg(test)]
mod tests {
    use futures_util::future::poll_immediate;

    use super::*;

    /// Shared state of writing tasks, and a function that puts records into the queue.
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
    async fn a_group_is_sent_immediately_if_no_other_group_is_being_written() {
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
    async fn a_group_waits_for_the_groups_being_written_unless_it_is_nearly_as_large() {
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

        // The group before was small, so this one does not wait for more records.
        put(1);
        let sent = poll_immediate(pin!(desk.next_group(fourth))).await;
        assert!(sent.flatten().is_some());
        assert_eq!(groups.map(|group| group.len()), [20, 15, 2, 1]);
    }

    #[tokio::test]
    async fn waiting_operations_are_sent_immediately_when_the_queue_is_closed() {
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

//! Gathering: records that come at once are kept by one statement, and so by one sync.
//!
//! There is no timer: while a statement is under way, the next batch collects. A group that fails of itself is taken
//! apart, so that one bad record does not sink its neighbours.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use domain::id::Uuid;
use service::storage::StorageError;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::connections::{Connections, Fault};

/// Records that may wait. One more is refused: the service sheds load instead of queueing it.
const QUEUE: usize = 4096;

/// Records in one statement at most.
const GROUP: usize = 512;

/// Statements under way at once: while one syncs, the next is made ready.
pub(super) const AT_ONCE: usize = 2;

/// A record that is kept in groups.
pub(super) trait Batched: Sized + Send + Sync + 'static {
    fn id(&self) -> Uuid;

    /// Keeps a group, or none of it.
    fn keep(
        group: &[&Self],
        connections: &Connections,
        slot: i16,
    ) -> impl Future<Output = Result<KeptRecords, Fault>> + Send;
}

/// Which records of a group are kept. The id of any other was taken.
pub(super) enum KeptRecords {
    All,
    These(HashSet<Uuid>),
}

struct Waiting<R> {
    record: R,
    reply: oneshot::Sender<Result<(), StorageError>>,
}

/// The queue that requests put records into.
pub(super) struct Batcher<R> {
    queue: mpsc::Sender<Waiting<R>>,
}

impl<R: Batched> Batcher<R> {
    /// Starts to batch. Each statement under way counts in a slot of its own (D33).
    pub(super) fn start(connections: Arc<Connections>, slots: [i16; AT_ONCE]) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        for slot in slots {
            tokio::spawn(run_batches::<R>(connections.clone(), waiting.clone(), slot));
        }
        Batcher { queue }
    }

    /// Keeps a record with whatever comes at once.
    pub(super) async fn keep(&self, record: R) -> Result<(), StorageError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("writes are no longer taken".into());
        self.queue.try_send(Waiting { record, reply }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StorageError::Away("too many writes wait already".into()),
            mpsc::error::TrySendError::Closed(_) => gone(),
        })?;
        answer.await.map_err(|_| gone())?
    }
}

async fn run_batches<R: Batched>(
    connections: Arc<Connections>,
    waiting: Arc<Mutex<mpsc::Receiver<Waiting<R>>>>,
    slot: i16,
) {
    let mut group = Vec::with_capacity(GROUP);
    loop {
        {
            let mut waiting = waiting.lock().await;
            if waiting.recv_many(&mut group, GROUP).await == 0 {
                return;
            }
            metrics::gauge!("covernote_storage_queue_length").set(waiting.len() as f64);
        }
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
pub(super) fn taken() -> StorageError {
    StorageError::Refused("a record with this id is there already".into())
}

//! The writer: one thread that owns the only write connection and commits in groups.
//!
//! It takes what waits in a bounded queue into one transaction and one sync, each act under a savepoint of its
//! own, and answers everyone after the commit. There is no timer: while one sync runs, the next group gathers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use rusqlite::Connection;
use service::storage::StorageError;
use tokio::sync::{mpsc, oneshot};

use super::row::fault;

/// Acts that may wait. One more is refused: the service sheds load instead of queueing it.
const QUEUE: usize = 4096;

/// Acts in one transaction at most.
const GROUP: usize = 512;

/// What an act leaves behind.
pub(super) enum Act<T> {
    /// Its writes, and this result.
    Keep(T),
    /// This result alone: its writes are undone.
    Undo(T),
}

/// An act in the queue.
trait Task: Send {
    /// Does the writes. `true`: they are to stay.
    fn run(&mut self, connection: &Connection) -> bool;

    /// Tells the one who waits. `lost` says why the group was not committed, where it was not.
    fn answer(self: Box<Self>, lost: Option<&str>);
}

struct Waiting<T, F> {
    act: Option<F>,
    result: Option<Result<T, StorageError>>,
    reply: oneshot::Sender<Result<T, StorageError>>,
}

impl<T, F> Task for Waiting<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<Act<T>, StorageError> + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(act) = self.act.take() else { return false };
        let (stays, result) = match act(connection) {
            Ok(Act::Keep(value)) => (true, Ok(value)),
            Ok(Act::Undo(value)) => (false, Ok(value)),
            Err(fault) => (false, Err(fault)),
        };
        self.result = Some(result);
        stays
    }

    fn answer(self: Box<Self>, lost: Option<&str>) {
        let result = match (self.result, lost) {
            (Some(Err(fault)), _) => Err(fault),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(StorageError::Damaged("the write panicked".into())),
            (_, Some(lost)) => Err(StorageError::Away(lost.to_owned())),
        };
        // Nobody waits any more: the request was given up.
        let _ = self.reply.send(result);
    }
}

/// What waits in the queue.
enum Item {
    Task(Box<dyn Task>),
    /// Bring the write-ahead log into the database file, and say so.
    Close(oneshot::Sender<Result<(), StorageError>>),
}

/// The handle that requests hold.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Item>>,
    thread: Option<JoinHandle<()>>,
    sound: Arc<AtomicBool>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Self, StorageError> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let sound = Arc::new(AtomicBool::new(true));
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn({
                let sound = sound.clone();
                move || run(&connection, waiting, &sound)
            })
            .map_err(|cause| StorageError::Away(format!("the writer thread cannot start: {cause}")))?;
        Ok(Writer { queue: Some(queue), thread: Some(thread), sound })
    }

    /// Whether writes are committed: the last group was, or a write made to find out is.
    pub(super) async fn ready(&self) -> Result<(), StorageError> {
        let stopped = self.queue.as_ref().is_none_or(mpsc::Sender::is_closed);
        if self.sound.load(Ordering::Acquire) && !stopped {
            return Ok(());
        }
        self.keep(|to| {
            to.execute(include_str!("../../sql/revision/touch.sql"), ()).map(|_| ()).map_err(fault)
        })
        .await
    }

    /// Does an act whose writes stay when it succeeds.
    pub(super) async fn keep<T, F>(&self, act: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    {
        self.decide(move |connection| act(connection).map(Act::Keep)).await
    }

    /// Does an act that decides itself whether its writes stay.
    pub(super) async fn decide<T, F>(&self, act: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<Act<T>, StorageError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("the writer has stopped".into());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        let task = Item::Task(Box::new(Waiting { act: Some(act), result: None, reply }));
        queue.try_send(task).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StorageError::Away("too many writes wait already".into()),
            mpsc::error::TrySendError::Closed(_) => gone(),
        })?;
        answer.await.map_err(|_| gone())?
    }

    /// Brings the write-ahead log into the database file once what waits is done, so that the file alone is whole.
    pub(super) async fn close(&self) -> Result<(), StorageError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("the writer has stopped".into());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        queue.send(Item::Close(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

impl Drop for Writer {
    /// Finishes what waits, then closes the database.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(connection: &Connection, mut waiting: mpsc::Receiver<Item>, sound: &AtomicBool) {
    let mut group: Vec<Box<dyn Task>> = Vec::with_capacity(GROUP);
    while let Some(first) = waiting.blocking_recv() {
        let mut closing = Vec::new();
        let mut next = Some(first);
        while let Some(item) = next {
            match item {
                Item::Task(task) => group.push(task),
                Item::Close(reply) => closing.push(reply),
            }
            next = if group.len() < GROUP { waiting.try_recv().ok() } else { None };
        }
        metrics::gauge!("covernote_storage_queue_length").set(waiting.len() as f64);
        if !group.is_empty() {
            commit_and_answer(connection, &mut group, sound);
        }
        for reply in closing {
            let _ = reply.send(checkpoint(connection));
        }
    }
}

/// Writes the write-ahead log back. Readers of other processes may keep some of it: that is no loss.
fn checkpoint(connection: &Connection) -> Result<(), StorageError> {
    connection.query_row("pragma wal_checkpoint(truncate)", (), |_| Ok(())).map_err(fault)
}

/// Commits a group and answers everyone in it.
fn commit_and_answer(connection: &Connection, group: &mut Vec<Box<dyn Task>>, sound: &AtomicBool) {
    metrics::histogram!("covernote_storage_group_size").record(group.len() as f64);
    let lost = commit(connection, group).err().map(|fault| match fault {
        StorageError::Away(cause) | StorageError::Damaged(cause) | StorageError::Refused(cause) => cause,
    });
    if let Some(lost) = &lost {
        tracing::error!(storage.group = group.len(), "a group of writes was lost: {lost}");
    }
    sound.store(lost.is_none(), Ordering::Release);
    for task in group.drain(..) {
        task.answer(lost.as_deref());
    }
}

/// Does a group in one transaction. Whatever fails here undoes all of it.
fn commit(connection: &Connection, group: &mut [Box<dyn Task>]) -> Result<(), StorageError> {
    if !connection.is_autocommit() {
        connection.execute_batch("rollback").map_err(fault)?;
    }
    connection.prepare_cached("begin immediate").and_then(|mut begin| begin.execute(())).map_err(fault)?;
    let done = run_group(connection, group);
    let committed = done.and_then(|()| {
        let started = Instant::now();
        let commit =
            connection.prepare_cached("commit").and_then(|mut commit| commit.execute(())).map_err(fault);
        metrics::histogram!("covernote_storage_commit_seconds").record(started.elapsed().as_secs_f64());
        commit.map(|_| ())
    });
    if committed.is_err() && !connection.is_autocommit() {
        // The next group tries again if even this fails.
        let _ = connection.execute_batch("rollback");
    }
    committed
}

fn run_group(connection: &Connection, group: &mut [Box<dyn Task>]) -> Result<(), StorageError> {
    for task in group {
        say(connection, "savepoint act")?;
        // A panic in one act is that act's failure alone; its waiter is told, and the thread goes on.
        let stays = catch_unwind(AssertUnwindSafe(|| task.run(connection))).unwrap_or(false);
        if !stays {
            // A full disk or a failed read may have ended the whole transaction, neighbours and all.
            if connection.is_autocommit() {
                return Err(StorageError::Away("the transaction was ended by a failed write".into()));
            }
            say(connection, "rollback to act")?;
        }
        say(connection, "release act")?;
    }
    Ok(())
}

fn say(connection: &Connection, statement: &str) -> Result<(), StorageError> {
    connection.prepare_cached(statement).and_then(|mut said| said.execute(())).map(|_| ()).map_err(fault)
}

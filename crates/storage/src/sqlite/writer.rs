//! The writer: one thread that owns the only write connection and commits in groups.
//!
//! It executes all writes that wait in a bounded queue in one transaction with one sync. A write of several
//! statements gets its own savepoint. All callers get their answers after the commit. There is no timer:
//! while one sync runs, the next group collects.
//!
//! After a failed sync nothing is written any more. The system shows the unwritten data as if it were on
//! disk, and a later sync succeeds without writing that data. So only a new process can continue, because it
//! writes the log again first ([`super::renew_log`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ports::storage::{Result, StorageError};
use rusqlite::{Connection, ffi};
use tokio::sync::{mpsc, oneshot, watch};

use super::presence::Presence;
use super::read_mark::ReadMark;
use super::row::fault;
use super::{BUSY, leave_log, not_taken};

/// Most writes that wait in the queue. If the queue is full, further writes are refused: the service sheds
/// load instead of queueing it.
const QUEUE: usize = 4096;

/// Most writes in one transaction.
const GROUP: usize = 512;

/// Number of pages in the log at which the log is written back. SQLite could do this by itself, but a failure
/// would go unnoticed.
const LONG_LOG: i32 = 1000;

/// Number of pages in the log at which it is written back after bulk writes. A small log is written back
/// often, so that other writes never wait for a large one.
const LONG_LOG_OF_BULK: i32 = 200;

/// Time between two checks that the database files were not replaced.
const LOOK_PERIOD: Duration = Duration::from_secs(2);

/// How much a write in the queue writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Several statements: all of them take effect, or none.
    Statements,
    /// Several statements that write many pages.
    BulkStatements,
    /// One statement. SQLite makes it atomic by itself.
    OneStatement,
    /// One statement that writes many pages.
    Bulk,
}

/// Write in the queue.
trait Task: Send {
    fn extent(&self) -> Extent;

    /// Executes the write's statements. Returns whether they are to be committed.
    fn run(&mut self, connection: &mut Connection) -> bool;

    /// Answers the caller. `lost`: why the group was not committed, or `None` if it was.
    fn answer(self: Box<Self>, lost: Option<&str>);
}

struct Waiting<T, F> {
    act: Option<F>,
    extent: Extent,
    /// Whether this write is to be committed. If not, its caller gets its result even if the group's commit
    /// fails.
    stays: bool,
    result: Option<T>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T, F> Task for Waiting<T, F>
where
    T: Send,
    F: FnOnce(&mut Connection) -> (bool, T) + Send,
{
    fn extent(&self) -> Extent {
        self.extent
    }

    fn run(&mut self, connection: &mut Connection) -> bool {
        let Some(act) = self.act.take() else { return false };
        let (stays, result) = act(connection);
        self.stays = stays;
        self.result = Some(result);
        stays
    }

    fn answer(self: Box<Self>, lost: Option<&str>) {
        let result = match (self.result, lost) {
            (Some(value), lost) if lost.is_none() || !self.stays => Ok(value),
            (None, None) => Err(StorageError::Damaged("the write panicked".into())),
            (_, lost) => Err(StorageError::Away(lost.unwrap_or_default().to_owned())),
        };
        // If sending fails, the request was cancelled.
        let _ = self.reply.send(result);
    }
}

/// Item in the writer's queue.
enum Item {
    Task(Box<dyn Task>),
    /// Writes the log back and empties it. The reply says whether the log is now empty.
    Cut(oneshot::Sender<Result<bool>>),
    /// The log is large: truncates it if nothing else waits.
    TruncateLog,
    /// The database file seems to have the content of another file: checks it, and ends all writing if this is true.
    CheckContent,
    /// The database is no longer there: ends all writing.
    Stop(String),
}

/// Handle with which requests send writes to the writer's thread.
pub(crate) struct Writer {
    queue: Option<mpsc::Sender<Item>>,
    thread: Option<JoinHandle<()>>,
    sound: Arc<AtomicBool>,
    presence: Arc<Presence>,
    /// Reason why nothing can be written any more. `None` while writes are accepted.
    over: watch::Receiver<Option<String>>,
}

impl Writer {
    pub(crate) fn start(
        mut connection: Connection,
        mark: Arc<ReadMark>,
        presence: Arc<Presence>,
    ) -> Result<Self> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let sound = Arc::new(AtomicBool::new(true));
        let (end, over) = watch::channel(None);
        let log_pages = Arc::new(AtomicI32::new(0));
        let counted = log_pages.clone();
        let count = move |_: &mut _, pages| {
            counted.store(pages, Ordering::Relaxed);
            Ok(())
        };
        connection.wal_hook(Some(count)).map_err(fault)?;
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn({
                let (sound, presence) = (sound.clone(), presence.clone());
                move || Desk { connection, mark, sound, presence, log_pages, end }.run(waiting)
            })
            .map_err(|cause| StorageError::Away(format!("the writer thread cannot start: {cause}")))?;
        Ok(Writer { queue: Some(queue), thread: Some(thread), sound, presence, over })
    }

    /// Waits until nothing can be written any more, and returns the reason. Checks the database files
    /// meanwhile.
    pub(crate) async fn is_over(&self) -> StorageError {
        let mut over = self.over.clone();
        let why = tokio::select! {
            why = over.wait_for(Option::is_some) => why.ok().and_then(|why| why.clone()),
            () = self.look_after_files() => None,
        };
        match why {
            Some(why) => StorageError::Away(why),
            // The writer ended with its store, which is not a fault.
            None => std::future::pending().await,
        }
    }

    /// Checks every two seconds that the database is still there, even if nothing is written. Returns when
    /// the writer's thread has ended.
    async fn look_after_files(&self) {
        let mut period = tokio::time::interval(LOOK_PERIOD);
        period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            period.tick().await;
            let presence = self.presence.clone();
            // A read may remove the log of an overwritten file, so the content is checked before the log.
            let looked = tokio::task::spawn_blocking(move || (presence.is_doubtful(), presence.look())).await;
            let item = match looked {
                Ok((true, _)) => Item::CheckContent,
                Ok((_, Ok(true))) => Item::TruncateLog,
                Ok((_, Err(why))) => Item::Stop(why),
                Ok((_, Ok(false))) | Err(_) => continue,
            };
            let Some(queue) = &self.queue else { return };
            if queue.send(item).await.is_err() {
                return;
            }
        }
    }

    /// Checks that writes are committed: either the last group was committed, or a test write is.
    pub(crate) async fn ready(&self) -> Result<()> {
        let stopped = self.queue.as_ref().is_none_or(mpsc::Sender::is_closed);
        let is_there = self.presence.look().is_ok();
        if is_there && self.sound.load(Ordering::Acquire) && !stopped {
            return Ok(());
        }
        let touch = |to: &mut Connection| {
            let touched = execute(to, include_str!("../../sql/revision/touch.sql"));
            (touched.is_ok(), touched)
        };
        self.act(Extent::OneStatement, touch).await?
    }

    /// Executes `act` in the writer's thread. `act` returns whether its writes are to be committed.
    pub(crate) async fn act<T, F>(&self, extent: Extent, act: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> (bool, T) + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("the thread that writes to the store has stopped".into());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        let task =
            Item::Task(Box::new(Waiting { act: Some(act), extent, stays: false, result: None, reply }));
        queue.try_send(task).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StorageError::Away("too many writes are waiting".into()),
            mpsc::error::TrySendError::Closed(_) => gone(),
        })?;
        answer.await.map_err(|_| gone())?
    }

    /// Writes the log back after all writes that wait in the queue, so that the database file is complete
    /// without the log.
    pub(crate) async fn close(&self) -> Result<()> {
        self.cut_log().await.map(|_| ())
    }

    /// Like [`Writer::close`]. Returns whether the log is now empty. It is not if readers still need a part
    /// of it.
    pub(crate) async fn cut_log(&self) -> Result<bool> {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("the thread that writes to the store has stopped".into());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        queue.send(Item::Cut(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

impl Drop for Writer {
    /// Finishes the writes in the queue, then closes the database.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Why a group or a checkpoint failed.
enum Lost {
    /// The same write may succeed later.
    Now(String),
    /// A sync failed or the files are gone, so nothing can be written any more.
    Over(String),
}

impl From<StorageError> for Lost {
    fn from(fault: StorageError) -> Self {
        Lost::Now(fault.into_why())
    }
}

impl From<rusqlite::Error> for Lost {
    fn from(cause: rusqlite::Error) -> Self {
        match cause.sqlite_error().map(|error| error.extended_code) {
            Some(ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC) => Lost::Over(not_taken(&cause)),
            _ => fault(cause).into(),
        }
    }
}

/// State of the writer's thread.
struct Desk {
    connection: Connection,
    mark: Arc<ReadMark>,
    sound: Arc<AtomicBool>,
    presence: Arc<Presence>,
    /// Number of pages in the write-ahead log after the last commit.
    log_pages: Arc<AtomicI32>,
    end: watch::Sender<Option<String>>,
}

impl Desk {
    fn run(mut self, mut waiting: mpsc::Receiver<Item>) {
        let mut group: Vec<Box<dyn Task>> = Vec::with_capacity(GROUP);
        while let Some(first) = waiting.blocking_recv() {
            let mark = self.mark.clone();
            let _writing = mark.writing();
            let mut cutting = Vec::new();
            let (mut truncates, mut checks) = (false, false);
            let mut next = Some(first);
            while let Some(item) = next {
                match item {
                    Item::Task(task) => group.push(task),
                    Item::Cut(reply) => cutting.push(reply),
                    Item::TruncateLog => truncates = true,
                    Item::CheckContent => checks = true,
                    Item::Stop(why) => drop(self.note(self.gone(&why))),
                }
                next = if group.len() < GROUP { waiting.try_recv().ok() } else { None };
            }
            metrics::gauge!("covernote_storage_queue_length").set(waiting.len() as f64);
            let is_bulk =
                group.iter().any(|task| matches!(task.extent(), Extent::Bulk | Extent::BulkStatements));
            if !group.is_empty() {
                self.commit_and_answer(&mut group);
            }
            let long = if is_bulk { LONG_LOG_OF_BULK } else { LONG_LOG };
            if self.log_pages.load(Ordering::Relaxed) >= long {
                self.shorten_log("passive");
            }
            if checks && let Some(why) = self.presence.overwritten() {
                drop(self.note(self.gone(&why)));
            }
            if truncates && waiting.is_empty() {
                self.shorten_log("truncate");
            }
            for reply in cutting {
                let _ = reply.send(self.cut_log());
            }
        }
    }

    /// Commits a group of writes and answers all their callers.
    fn commit_and_answer(&mut self, group: &mut Vec<Box<dyn Task>>) {
        metrics::histogram!("covernote_storage_group_size").record(group.len() as f64);
        // A commit to a file that has been removed is lost, so it is not acknowledged.
        let done = self.trusted().and_then(|()| commit(&mut self.connection, group));
        let is_there = || self.presence.look().map(|_| ()).map_err(|why| self.gone(&why));
        let done = done.and_then(|()| is_there());
        let lost = done.err().map(|lost| self.note(lost));
        if let Some(lost) = &lost {
            tracing::error!(storage.group = group.len(), "a group of writes failed: {lost}");
        }
        self.sound.store(lost.is_none(), Ordering::Release);
        for task in group.drain(..) {
            task.answer(lost.as_deref());
        }
    }

    /// Writes back the part of the log that no reader needs, so that the log starts again or is truncated.
    /// This does not wait for readers.
    fn shorten_log(&self, how: &str) {
        let shorten = || {
            self.trusted()?;
            self.connection.busy_timeout(Duration::ZERO)?;
            let done = checkpoint(&self.connection, how);
            self.connection.busy_timeout(BUSY)?;
            done.map(|_| ())
        };
        if let Err(lost) = shorten() {
            tracing::warn!("the write-ahead log was not written back: {}", self.note(lost));
        }
    }

    /// Writes the log back and empties it. Returns `false` if a reader still needs a part of the log.
    fn cut_log(&self) -> Result<bool> {
        let done = self.trusted().and_then(|()| checkpoint(&self.connection, "truncate"));
        done.map_err(|lost| StorageError::Away(self.note(lost)))
    }

    /// Fault for files that were removed or replaced. If only the log was removed, first writes its content
    /// back to the database file.
    fn gone(&self, why: &str) -> Lost {
        // This process still has the content of a removed log.
        if self.presence.has_lost_log_alone() && self.trusted().is_ok() {
            let _ = checkpoint(&self.connection, "passive");
        }
        Lost::Over(format!(
            "{why}: no more writes are accepted. Put the right file back, or restore a backup, then start covernote again"
        ))
    }

    /// # Errors
    /// If nothing can be written any more, for example because a sync failed.
    fn trusted(&self) -> Result<(), Lost> {
        self.end.borrow().clone().map_or(Ok(()), |why| Err(Lost::Over(why)))
    }

    /// Message about why writes failed. If nothing can be written any more, also ends [`Writer::is_over`],
    /// and makes the connection leave the log unchanged when it closes.
    fn note(&self, lost: Lost) -> String {
        match lost {
            Lost::Now(why) => why,
            Lost::Over(why) => {
                self.sound.store(false, Ordering::Release);
                // A connection that refuses this will refuse the checkpoint too.
                let _ = leave_log(&self.connection, true);
                self.end.send_replace(Some(why.clone()));
                why
            }
        }
    }
}

/// Writes the log back. Returns `false` if readers still need a part of it.
fn checkpoint(connection: &Connection, how: &str) -> Result<bool, Lost> {
    Ok(connection
        .query_row(&format!("pragma wal_checkpoint({how})"), (), |row| Ok(row.get::<_, i64>(0)? == 0))?)
}

/// Executes a group of writes in one transaction. An error undoes the whole group.
fn commit(connection: &mut Connection, group: &mut [Box<dyn Task>]) -> Result<(), Lost> {
    if !connection.is_autocommit() {
        connection.execute_batch("rollback")?;
    }
    connection.prepare_cached("begin immediate").and_then(|mut begin| begin.execute(()))?;
    let done = run_group(connection, group).map_err(Lost::from);
    let committed = done.and_then(|()| {
        let started = Instant::now();
        let commit = connection.prepare_cached("commit").and_then(|mut commit| commit.execute(()));
        metrics::histogram!("covernote_storage_commit_seconds").record(started.elapsed().as_secs_f64());
        Ok(commit.map(|_| ())?)
    });
    if committed.is_err() && !connection.is_autocommit() {
        // If the rollback fails too, the next group tries it again.
        let _ = connection.execute_batch("rollback");
    }
    committed
}

fn run_group(connection: &mut Connection, group: &mut [Box<dyn Task>]) -> Result<()> {
    for task in group {
        let extent = task.extent();
        let execute = |connection: &Connection, statement| match extent {
            Extent::Statements | Extent::BulkStatements => execute(connection, statement),
            Extent::OneStatement | Extent::Bulk => Ok(()),
        };
        execute(connection, "savepoint act")?;
        // A panic in one write fails only that write. Its caller gets an error, and the thread continues.
        let stays = catch_unwind(AssertUnwindSafe(|| task.run(connection))).unwrap_or(false);
        if !stays {
            // A full disk or a failed read may have ended the whole transaction, including the other writes.
            if connection.is_autocommit() {
                return Err(StorageError::Away(
                    "another write of the same group failed and ended the transaction".into(),
                ));
            }
            execute(connection, "rollback to act")?;
        }
        execute(connection, "release act")?;
    }
    Ok(())
}

fn execute(connection: &Connection, statement: &str) -> Result<()> {
    connection
        .prepare_cached(statement)
        .and_then(|mut prepared| prepared.execute(()))
        .map(|_| ())
        .map_err(fault)
}

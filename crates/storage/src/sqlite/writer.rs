//! The writer: one thread that owns the only write connection and commits in groups.
//!
//! It takes what waits in a bounded queue into one transaction and one sync, each act of several statements under a
//! savepoint of its own, and answers everyone after the commit. There is no timer: while one sync runs, the next group
//! collects.
//!
//! Once a sync failed, nothing is written any more. The system shows what it could not write as if it were written, and
//! a later sync succeeds without it; so only a process that begins with what is left can go on ([`super::renew_log`]).

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

/// Acts that may wait. One more is refused: the service sheds load instead of queueing it.
const QUEUE: usize = 4096;

/// Acts in one transaction at most.
const GROUP: usize = 512;

/// Pages in the write-ahead log from which on it is brought into the database file, as SQLite itself would do it. Then
/// nobody would learn that this failed.
const LONG_LOG: i32 = 1000;

/// The same after acts that write much: then a small log is written back often, so that others never wait for a large one.
const LONG_LOG_OF_BULK: i32 = 200;

/// Time between two looks at the files.
const LOOK_PERIOD: Duration = Duration::from_secs(2);

/// How much an act writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Several statements, which stay or go together.
    Statements,
    /// One statement alone, which SQLite does whole or not at all.
    OneStatement,
    /// One statement, of many pages.
    Bulk,
}

/// An act in the queue.
trait Task: Send {
    fn extent(&self) -> Extent;

    /// Does the writes. `true`: they are to stay.
    fn run(&mut self, connection: &mut Connection) -> bool;

    /// Tells the one who waits. `lost` says why the group was not committed, where it was not.
    fn answer(self: Box<Self>, lost: Option<&str>);
}

struct Waiting<T, F> {
    act: Option<F>,
    extent: Extent,
    /// Whether its writes stay: of one whose writes do not, nothing is lost with its group.
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
        // Nobody waits any more: the request was given up.
        let _ = self.reply.send(result);
    }
}

/// What waits in the queue.
enum Item {
    Task(Box<dyn Task>),
    /// Bring the write-ahead log into the database file, and say so.
    Cut(oneshot::Sender<Result<bool>>),
    /// The log is large: truncate it if nothing else waits.
    TruncateLog,
    /// The database is no longer there: write nothing any more.
    Stop(String),
}

/// The handle that requests hold.
pub(crate) struct Writer {
    queue: Option<mpsc::Sender<Item>>,
    thread: Option<JoinHandle<()>>,
    sound: Arc<AtomicBool>,
    presence: Arc<Presence>,
    /// Why nothing is written any more, once it is so.
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

    /// Waits until nothing is written any more, whatever is tried, and says why. Meanwhile it looks after the files.
    pub(crate) async fn is_over(&self) -> StorageError {
        let mut over = self.over.clone();
        let why = tokio::select! {
            why = over.wait_for(Option::is_some) => why.ok().and_then(|why| why.clone()),
            () = self.look_after_files() => None,
        };
        match why {
            Some(why) => StorageError::Away(why),
            // The writer is gone with its store: that is no reason to stop.
            None => std::future::pending().await,
        }
    }

    /// Checks every two seconds that the database is still there, also if nothing is written. Ends with the writer.
    async fn look_after_files(&self) {
        let mut period = tokio::time::interval(LOOK_PERIOD);
        period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            period.tick().await;
            let presence = self.presence.clone();
            let item = match tokio::task::spawn_blocking(move || presence.read()).await {
                Ok(Ok(false)) | Err(_) => continue,
                Ok(Ok(true)) => Item::TruncateLog,
                Ok(Err(why)) => Item::Stop(why),
            };
            let Some(queue) = &self.queue else { return };
            if queue.send(item).await.is_err() {
                return;
            }
        }
    }

    /// Whether writes are committed: the last group was, or a write made to find out is.
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

    /// Does an act, which says whether its writes stay.
    pub(crate) async fn act<T, F>(&self, extent: Extent, act: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> (bool, T) + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("the writer has stopped".into());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        let task =
            Item::Task(Box::new(Waiting { act: Some(act), extent, stays: false, result: None, reply }));
        queue.try_send(task).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StorageError::Away("too many writes wait already".into()),
            mpsc::error::TrySendError::Closed(_) => gone(),
        })?;
        answer.await.map_err(|_| gone())?
    }

    /// Brings the write-ahead log into the database file once what waits is done, so that the file alone is whole.
    pub(crate) async fn close(&self) -> Result<()> {
        self.cut_log().await.map(|_| ())
    }

    /// The same. Whether the log is empty: readers may keep some of it.
    pub(crate) async fn cut_log(&self) -> Result<bool> {
        let (reply, answer) = oneshot::channel();
        let gone = || StorageError::Away("the writer has stopped".into());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        queue.send(Item::Cut(reply)).await.map_err(|_| gone())?;
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

/// Why a group or a checkpoint was not done.
enum Lost {
    /// The same may be done later.
    Now(String),
    /// A sync failed.
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

/// Where the writer's thread works.
struct Desk {
    connection: Connection,
    mark: Arc<ReadMark>,
    sound: Arc<AtomicBool>,
    presence: Arc<Presence>,
    /// Pages in the write-ahead log after the last commit.
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
            let mut truncates = false;
            let mut next = Some(first);
            while let Some(item) = next {
                match item {
                    Item::Task(task) => group.push(task),
                    Item::Cut(reply) => cutting.push(reply),
                    Item::TruncateLog => truncates = true,
                    Item::Stop(why) => drop(self.note(self.gone(&why))),
                }
                next = if group.len() < GROUP { waiting.try_recv().ok() } else { None };
            }
            metrics::gauge!("covernote_storage_queue_length").set(waiting.len() as f64);
            let is_bulk = group.iter().any(|task| task.extent() == Extent::Bulk);
            if !group.is_empty() {
                self.commit_and_answer(&mut group);
            }
            let long = if is_bulk { LONG_LOG_OF_BULK } else { LONG_LOG };
            if self.log_pages.load(Ordering::Relaxed) >= long {
                self.shorten_log("passive");
            }
            if truncates && waiting.is_empty() {
                self.shorten_log("truncate");
            }
            for reply in cutting {
                let _ = reply.send(self.cut_log());
            }
        }
    }

    /// Commits a group and answers everyone in it.
    fn commit_and_answer(&mut self, group: &mut Vec<Box<dyn Task>>) {
        metrics::histogram!("covernote_storage_group_size").record(group.len() as f64);
        // A commit to a file that has no name any more is lost, so it is not acknowledged.
        let done = self.trusted().and_then(|()| commit(&mut self.connection, group));
        let is_there = || self.presence.look().map(|_| ()).map_err(|why| self.gone(&why));
        let done = done.and_then(|()| is_there());
        let lost = done.err().map(|lost| self.note(lost));
        if let Some(lost) = &lost {
            tracing::error!(storage.group = group.len(), "a group of writes was lost: {lost}");
        }
        self.sound.store(lost.is_none(), Ordering::Release);
        for task in group.drain(..) {
            task.answer(lost.as_deref());
        }
    }

    /// Brings what no reader needs in the write-ahead log into the database file, so that the log begins anew, or is cut.
    /// It waits for no reader.
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

    /// Writes the write-ahead log back, and empties it: whether readers kept none of it.
    fn cut_log(&self) -> Result<bool> {
        let done = self.trusted().and_then(|()| checkpoint(&self.connection, "truncate"));
        done.map_err(|lost| StorageError::Away(self.note(lost)))
    }

    /// The files are not those any more that are written to.
    fn gone(&self, why: &str) -> Lost {
        // Where the log alone is gone, this process still has what it held.
        if self.presence.has_database() && self.trusted().is_ok() {
            let _ = checkpoint(&self.connection, "passive");
        }
        Lost::Over(format!(
            "{why}: nothing is kept any more. Put the right file back, or restore a backup, then start covernote again"
        ))
    }

    /// # Errors
    /// Where a sync failed before.
    fn trusted(&self) -> Result<(), Lost> {
        self.end.borrow().clone().map_or(Ok(()), |why| Err(Lost::Over(why)))
    }

    /// What was lost, in words. Where it is everything from now on, whoever waits for that is told, and the log stays as
    /// it is also when the connection closes.
    fn note(&self, lost: Lost) -> String {
        match lost {
            Lost::Now(why) => why,
            Lost::Over(why) => {
                self.sound.store(false, Ordering::Release);
                // A connection that refuses this will refuse the checkpoint as well.
                let _ = leave_log(&self.connection, true);
                self.end.send_replace(Some(why.clone()));
                why
            }
        }
    }
}

/// Writes the log back. `false`: readers keep some of it.
fn checkpoint(connection: &Connection, how: &str) -> Result<bool, Lost> {
    Ok(connection
        .query_row(&format!("pragma wal_checkpoint({how})"), (), |row| Ok(row.get::<_, i64>(0)? == 0))?)
}

/// Does a group in one transaction. Whatever fails here undoes all of it.
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
        // The next group tries again if even this fails.
        let _ = connection.execute_batch("rollback");
    }
    committed
}

fn run_group(connection: &mut Connection, group: &mut [Box<dyn Task>]) -> Result<()> {
    for task in group {
        let extent = task.extent();
        let execute = |connection: &Connection, statement| match extent {
            Extent::Statements => execute(connection, statement),
            Extent::OneStatement | Extent::Bulk => Ok(()),
        };
        execute(connection, "savepoint act")?;
        // A panic in one act is that act's failure alone; its waiter is told, and the thread goes on.
        let stays = catch_unwind(AssertUnwindSafe(|| task.run(connection))).unwrap_or(false);
        if !stays {
            // A full disk or a failed read may have ended the whole transaction, neighbours and all.
            if connection.is_autocommit() {
                return Err(StorageError::Away("the transaction was ended by a failed write".into()));
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

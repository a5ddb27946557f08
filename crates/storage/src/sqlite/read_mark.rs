//! The read mark: a read transaction that stays open between groups of writes, so that other reads need not
//! lock a file.
//!
//! A read in SQLite locks a byte of the file beside the log, and unlocks it afterwards. Both are system calls
//! under a mutex that all connections of a process share. So threads that read at the same moment wait for
//! each other. If a connection of the process already holds the lock, SQLite only increments a counter.
//!
//! An open read transaction holds the log: the log can neither be written back nor start again. So the mark
//! ends before each write. It starts again after a thread has read a few times in quick succession. If there
//! are few reads, there is no mark, because it would hinder another process that closes the store.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ports::storage::Result;
use rusqlite::Connection;

use super::row::fault;

/// Number of reads by one connection since the last write after which a read mark is worthwhile. A mark costs
/// about as much as one read.
const WORTH_IT: u32 = 4;

/// Time within which [`WORTH_IT`] reads must happen for a read mark.
const SOON: Duration = Duration::from_millis(100);

pub(crate) struct ReadMark {
    /// Number of begun writes plus number of ended writes. Odd while something is written.
    writes: AtomicU64,
    standing: Mutex<Standing>,
}

/// The read mark: a connection with an open read transaction, if any.
struct Standing {
    path: PathBuf,
    connection: Option<Connection>,
}

/// Number of reads on a connection since the last write that it noticed.
pub(crate) struct ReadsSince {
    writes: u64,
    first: Instant,
    reads: u32,
}

impl ReadsSince {
    /// No reads yet since the write with the number `writes`.
    pub(crate) fn new(writes: u64) -> Self {
        ReadsSince { writes, first: Instant::now(), reads: 0 }
    }
}

/// Prevents a read mark until this value is dropped.
pub(crate) struct Writing<'m>(&'m ReadMark);

impl ReadMark {
    pub(crate) fn new(path: PathBuf) -> Self {
        let standing = Mutex::new(Standing { path, connection: None });
        ReadMark { writes: AtomicU64::new(0), standing }
    }

    /// Counts a read. After a few reads since the last write, sets the read mark.
    pub(crate) fn note(&self, since: &mut ReadsSince) {
        let writes = self.writes.load(Ordering::SeqCst);
        if since.writes != writes {
            *since = ReadsSince::new(writes);
        }
        since.reads = since.reads.saturating_add(1);
        if since.reads != WORTH_IT || writes % 2 == 1 {
            return;
        }
        if since.first.elapsed() > SOON {
            *since = ReadsSince::new(writes);
            return;
        }
        // The thread that holds the lock sets the mark, or is about to write.
        let Ok(mut standing) = self.standing.try_lock() else { return };
        if self.writes.load(Ordering::SeqCst) == writes
            && !standing.stands()
            && let Err(fault) = standing.begin()
        {
            tracing::debug!("reads continue without a read mark: {}", fault.into_why());
        }
    }

    /// Ends the read mark. No new mark is set until the returned value is dropped.
    pub(crate) fn writing(&self) -> Writing<'_> {
        // First raise the counter, then take the lock. A thread that held the lock before saw no write and
        // may have set a mark. That mark is ended here.
        self.writes.fetch_add(1, Ordering::SeqCst);
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).end();
        Writing(self)
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.writes.fetch_add(1, Ordering::SeqCst);
    }
}

impl Standing {
    fn stands(&self) -> bool {
        self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit())
    }

    /// Sets the read mark. If that fails, the connection is closed.
    fn begin(&mut self) -> Result<()> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => super::connect_to_read(&self.path)?,
        };
        // A transaction begins to read with its first statement that reads.
        let run = |statement: &str| {
            let mut statement = connection.prepare_cached(statement)?;
            statement.query(())?.next().map(|_| ())
        };
        run("begin").and_then(|()| run("select 1 from sqlite_schema limit 1")).map_err(fault)?;
        self.connection = Some(connection);
        Ok(())
    }

    fn end(&mut self) {
        let Some(connection) = self.connection.take_if(|connection| !connection.is_autocommit()) else {
            return;
        };
        let ended = connection.prepare_cached("rollback").and_then(|mut rollback| rollback.execute(()));
        // After an error the connection is closed, which releases its locks.
        self.connection = ended.is_ok().then_some(connection);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::super::presence::Presence;
    use super::super::reader::Readers;
    use super::super::writer::{Extent, Writer};
    use super::super::{FILE, connect};
    use super::*;
    use crate::fields::values;

    struct Store {
        folder: tempfile::TempDir,
        mark: Arc<ReadMark>,
        readers: Readers,
        writer: Writer,
    }

    fn store() -> Store {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let connection = connect(&path).expect("a store");
        connection.execute_batch("create table things (thing blob)").expect("a table");
        let mark = Arc::new(ReadMark::new(path.clone()));
        let presence = Arc::new(Presence::of(&path, String::new()).expect("files"));
        let writer = Writer::start(connection, mark.clone(), presence).expect("a writer");
        Store { readers: Readers::new(path, mark.clone()), folder, mark, writer }
    }

    impl Store {
        fn count(&self) -> i64 {
            let count = |from: &Connection| {
                let mut count = from.prepare_cached("select count(*) from things").map_err(fault)?;
                count.query_row((), |row| row.get(0)).map_err(fault)
            };
            self.readers.read(count).expect("read")
        }

        async fn add(&self, bytes: i64) {
            let add = "insert into things values (zeroblob($1))";
            self.writer.write(add, values![bytes], Extent::OneStatement).await.expect("kept");
        }

        /// Reads until a read mark is set. The writer may still be busy after it has answered.
        fn read_until_a_mark_stands(&self) {
            let begun = Instant::now();
            while !self.stands() {
                assert!(begun.elapsed() < Duration::from_secs(20), "no mark stands however much is read");
                self.count();
            }
        }

        fn stands(&self) -> bool {
            self.mark.standing.lock().expect("unpoisoned").stands()
        }

        /// Whether a read transaction prevents another connection from truncating the log now.
        fn log_is_held(&self) -> bool {
            let other = Connection::open(self.folder.path().join(FILE)).expect("opened");
            other.busy_timeout(std::time::Duration::ZERO).expect("set");
            let held = other.query_row("pragma wal_checkpoint(truncate)", (), |row| row.get::<_, i64>(0));
            held.expect("asked") == 1
        }

        fn log_bytes(&self) -> u64 {
            let log = self.folder.path().join(format!("{FILE}-wal"));
            std::fs::metadata(log).expect("a log").len()
        }
    }

    #[tokio::test]
    async fn a_read_mark_begins_after_a_few_reads_and_ends_with_the_next_write() {
        let store = store();
        for written in 1..=3 {
            store.add(100).await;
            assert!(!store.stands());
            for _ in 1..WORTH_IT {
                assert_eq!(store.count(), written);
                assert!(!store.stands());
            }
            store.read_until_a_mark_stands();
            assert!(store.log_is_held());
            assert_eq!(store.count(), written);
        }
        let writing = store.mark.writing();
        assert!(!store.log_is_held());
        for _ in 0..50 * WORTH_IT {
            store.count();
        }
        assert!(!store.stands(), "a mark stands while something is written");
        drop(writing);
        store.read_until_a_mark_stands();
    }

    #[tokio::test]
    async fn no_read_mark_begins_if_reads_are_rare() {
        let store = store();
        store.add(100).await;
        for _ in 0..3 * WORTH_IT {
            store.count();
            std::thread::sleep(SOON / (WORTH_IT - 1) + Duration::from_millis(5));
        }
        assert!(!store.stands());
    }

    #[tokio::test]
    async fn the_write_ahead_log_stays_small_under_constant_reads() {
        let store = Arc::new(store());
        let over = Arc::new(AtomicBool::new(false));
        let reading = {
            let (store, over) = (store.clone(), over.clone());
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    store.count();
                }
            })
        };
        let mut longest = 0;
        for _ in 0..400 {
            store.add(50_000).await;
            longest = longest.max(store.log_bytes());
        }
        over.store(true, Ordering::Relaxed);
        reading.join().expect("ended");
        // The log is written back at four megabytes. Some more may be added until no reader needs its end.
        assert!(longest < 12_000_000, "of 20 MB written, {longest} bytes lay in the log");
        assert_eq!(store.count(), 400);
    }

    #[tokio::test]
    async fn reads_and_writes_continue_if_no_read_mark_can_begin() {
        let store = store();
        store.mark.standing.lock().expect("unpoisoned").path = store.folder.path().join("missing");
        for written in 1..=3 {
            store.add(100).await;
            for _ in 0..50 * WORTH_IT {
                assert_eq!(store.count(), written);
            }
            assert!(!store.stands());
        }
    }
}

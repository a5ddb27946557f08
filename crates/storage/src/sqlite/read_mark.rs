//! The read mark: a read that stands open between two groups of writes, so that those that come meanwhile find what they
//! need locked already.
//!
//! A read of SQLite locks a byte of the file beside the log, and unlocks it behind itself. Both are calls of the system,
//! under a mutex that all connections of a process share: threads that read at the same moment put each other to sleep
//! there. Where a connection of the process holds the byte already, SQLite only counts one more.
//!
//! What stands open would hold the log: it could neither be written back nor begin anew. So it ends before anything is
//! written, and stands again once a thread has read a few times in quick succession since. Where little is read, none
//! stands: another process that closes the store would wait for it in vain.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ports::storage::Result;
use rusqlite::Connection;

use super::row::fault;

/// Reads of one thread since the last write, behind which a mark is worth what it costs: about as much as one of them.
const WORTH_IT: u32 = 4;

/// The time within which they must come.
const SOON: Duration = Duration::from_millis(100);

/// The read mark of a store.
pub(crate) struct ReadMark {
    /// Odd while something is written.
    writes: AtomicU64,
    standing: Mutex<Standing>,
}

/// What stands: an open transaction of the connection.
struct Standing {
    path: PathBuf,
    connection: Option<Connection>,
}

/// How often a reader has read since the last write that it knows of.
pub(crate) struct ReadsSince {
    writes: u64,
    first: Instant,
    reads: u32,
}

impl ReadsSince {
    /// None yet since so many writes.
    pub(crate) fn new(writes: u64) -> Self {
        ReadsSince { writes, first: Instant::now(), reads: 0 }
    }
}

/// While this lives, no mark stands.
pub(crate) struct Writing<'m>(&'m ReadMark);

impl ReadMark {
    pub(crate) fn new(path: PathBuf) -> Self {
        let standing = Mutex::new(Standing { path, connection: None });
        ReadMark { writes: AtomicU64::new(0), standing }
    }

    /// Notes a read. Where there have been some since the last write, the mark stands before the next.
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
        // Whoever holds it sets the mark, or is about to write.
        let Ok(mut standing) = self.standing.try_lock() else { return };
        if self.writes.load(Ordering::SeqCst) == writes
            && !standing.stands()
            && let Err(fault) = standing.begin()
        {
            tracing::debug!("reads go on without a mark: {}", fault.into_why());
        }
    }

    /// Ends the mark, until what is written now is written.
    pub(crate) fn writing(&self) -> Writing<'_> {
        // First the number, then the lock: who has the lock before us saw no writes, and what it began is ended here.
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

    /// A connection that met a fault is closed.
    fn begin(&mut self) -> Result<()> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => super::connect_to_read(&self.path)?,
        };
        // A transaction reads nothing before its first statement does.
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
        // A connection that met a fault is closed, and its locks go with it.
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

        /// Reads until a mark stands. Who wrote was answered before the writer was done.
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

        /// Whether somebody else, who waits for nobody, could let the log begin anew.
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
    async fn a_mark_stands_after_a_few_reads_and_ends_with_the_next_write() {
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
    async fn no_mark_stands_where_little_is_read() {
        let store = store();
        store.add(100).await;
        for _ in 0..3 * WORTH_IT {
            store.count();
            std::thread::sleep(SOON / (WORTH_IT - 1) + Duration::from_millis(5));
        }
        assert!(!store.stands());
    }

    #[tokio::test]
    async fn the_log_is_written_back_and_begins_anew_however_much_is_read() {
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
        // The log is written back at four megabytes, and some more may come before no reader needs its end.
        assert!(longest < 12_000_000, "of 20 MB written, {longest} bytes lay in the log");
        assert_eq!(store.count(), 400);
    }

    #[tokio::test]
    async fn reads_and_writes_go_on_where_no_mark_can_stand() {
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

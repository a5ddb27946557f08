//! Readers: read-only connections, taken and given back; a read runs where it is asked for.
//!
//! A point read takes 3 to 6 µs warm, less than handing it to another thread would cost. A thread takes the connection that it
//! used last: what that has in memory is near its processor then, and no other thread waits for it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, TryLockError};

use rusqlite::Connection;
use service::storage::StorageError;
use service::thread_number::thread_number;

use super::read_mark::{ReadMark, ReadsSince};

/// Connections kept for the next reader; more are opened when more read at once.
const KEPT: usize = 16;

/// The place of a connection that waits for the next reader. Each has its own line of the processors' memory.
#[derive(Default)]
#[repr(align(128))]
struct Place(Mutex<Option<Box<Reader>>>);

/// A connection that reads.
struct Reader {
    connection: Connection,
    since: ReadsSince,
}

pub(crate) struct Readers {
    path: PathBuf,
    mark: Arc<ReadMark>,
    places: [Place; KEPT],
}

impl Readers {
    pub(crate) fn new(path: PathBuf, mark: Arc<ReadMark>) -> Self {
        Readers { path, mark, places: Default::default() }
    }

    /// Runs a read on a connection of its own.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let mut reader = match self.take() {
            Some(reader) => reader,
            None => Box::new(Reader {
                connection: super::connect_to_read(&self.path)?,
                since: ReadsSince::new(0),
            }),
        };
        let result = read(&reader.connection);
        // A connection that met a fault is not given to the next reader.
        if result.is_ok() {
            self.mark.note(&mut reader.since);
            self.give_back(reader);
        }
        result
    }

    /// The places, this thread's own first.
    fn places(&self) -> impl Iterator<Item = &Place> {
        let own = thread_number() % KEPT;
        self.places[own..].iter().chain(&self.places[..own])
    }

    fn take(&self) -> Option<Box<Reader>> {
        self.places().find_map(|place| place.with(Option::take))
    }

    fn give_back(&self, reader: Box<Reader>) {
        let mut left = Some(reader);
        for place in self.places() {
            place.with(|kept| {
                if kept.is_none() {
                    *kept = left.take();
                }
            });
            if left.is_none() {
                return;
            }
        }
    }
}

impl Place {
    /// Looks into the place, unless another thread does so at this moment: then it has nothing, and takes nothing.
    fn with<T: Default>(&self, look: impl FnOnce(&mut Option<Box<Reader>>) -> T) -> T {
        match self.0.try_lock() {
            Ok(mut kept) => look(&mut kept),
            Err(TryLockError::Poisoned(poisoned)) => look(&mut poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => T::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::super::row::fault;
    use super::*;

    fn kept(readers: &Readers) -> usize {
        readers.places.iter().filter(|place| place.0.lock().expect("unpoisoned").is_some()).count()
    }

    #[test]
    fn a_thread_gets_the_connection_that_it_used_last_and_no_more_are_kept_than_may_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.db");
        Connection::open(&path)
            .and_then(|store| store.execute_batch("create table things (thing)"))
            .expect("a store");
        let readers = Readers::new(path.clone(), Arc::new(ReadMark::new(path)));
        let mark = |name: &'static str| {
            readers.read(|from| from.execute_batch(&format!("pragma cache_size = {name}")).map_err(fault))
        };
        let marked = || {
            readers.read(|from| {
                from.query_row("pragma cache_size", (), |row| row.get::<_, i64>(0)).map_err(fault)
            })
        };
        mark("-11").expect("marked");
        let all = Barrier::new(KEPT + 4);
        std::thread::scope(|scope| {
            for _ in 0..KEPT + 4 {
                scope.spawn(|| {
                    readers
                        .read(|_| {
                            all.wait();
                            Ok(())
                        })
                        .expect("read")
                });
            }
        });
        assert_eq!(kept(&readers), KEPT);
        mark("-12").expect("marked");
        std::thread::scope(|scope| {
            scope.spawn(|| mark("-13")).join().expect("ended").expect("marked");
        });
        assert_eq!(marked().expect("read"), -12);
        let broken: Result<(), _> = readers.read(|_| Err(StorageError::Damaged("as planted".into())));
        assert!(broken.is_err());
        assert_eq!(kept(&readers), KEPT - 1, "a connection that met a fault is closed");
    }
}

//! Migrations: numbered, applied in order at start, each in a transaction with the note that it was.
//!
//! They are never edited once released and only ever widen, so that a program of the version before still works.
//! The caller holds the lock under which stores are opened.

use domain::date::Timestamp;
use rusqlite::{Connection, params};
use service::storage::StorageError;

use super::row::fault;

/// Number, name and statements.
type Migration = (i64, &'static str, &'static str);

/// Every migration in order: number and name as in the file's, and its statements.
const MIGRATIONS: &[(i64, &str, &str)] =
    &[(1, "store", include_str!("../../migrations/sqlite/0001_store.sql"))];

/// The newest version that this program knows.
pub(super) fn known() -> i64 {
    MIGRATIONS.last().map_or(0, |(number, ..)| *number)
}

/// The version of a store's schema.
pub(super) fn newest(from: &Connection) -> Result<i64, StorageError> {
    from.query_row(include_str!("../../sql/migrations/newest.sql"), (), |row| row.get(0)).map_err(fault)
}

/// Brings the schema up to this program's.
///
/// # Errors
/// [`StorageError::Damaged`] when the schema is newer than this program: nothing is done then.
pub(super) fn apply(connection: &mut Connection, at: Timestamp) -> Result<(), StorageError> {
    apply_all(connection, MIGRATIONS, at)
}

fn apply_all(
    connection: &mut Connection,
    migrations: &[Migration],
    at: Timestamp,
) -> Result<(), StorageError> {
    connection.execute_batch(include_str!("../../sql/migrations/make_table.sqlite.sql")).map_err(fault)?;
    let (newest, known) = (newest(connection)?, migrations.last().map_or(0, |(number, ..)| *number));
    if newest > known {
        let message =
            format!("its schema has version {newest}, this program knows {known}: use a newer covernote");
        return Err(StorageError::Damaged(message));
    }
    for (number, name, statements) in migrations.iter().filter(|(number, ..)| *number > newest) {
        let transaction = connection.transaction().map_err(fault)?;
        transaction.execute_batch(statements).map_err(fault)?;
        let note = include_str!("../../sql/migrations/note.sql");
        transaction.execute(note, params![number, name, at.as_microsecond()]).map_err(fault)?;
        transaction.commit().map_err(fault)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second migration, as the next release might bring one: it only widens.
    const NEXT: Migration = (
        2,
        "channel",
        "alter table proposals add column channel text; create table channels (partner_id blob primary key) strict;",
    );

    const PROPOSAL: &str = "insert into proposals \
        (partner_id, proposal_id, created_at, changed_at, line, status, body) \
        values (x'01', x'02', 3, 3, 1, 0, x'04')";

    fn next_release() -> Vec<Migration> {
        MIGRATIONS.iter().copied().chain([NEXT]).collect()
    }

    #[test]
    fn a_store_of_the_version_before_is_brought_up_with_what_it_holds() {
        let mut store = Connection::open_in_memory().expect("memory");
        apply(&mut store, Timestamp::UNIX_EPOCH).expect("this release's schema");
        store.execute(PROPOSAL, ()).expect("kept");
        apply_all(&mut store, &next_release(), Timestamp::UNIX_EPOCH).expect("the next release's schema");
        let read = "select count(*) from proposals where channel is null";
        let proposals: i64 = store.query_row(read, (), |row| row.get(0)).expect("read");
        assert_eq!((proposals, newest(&store).expect("read")), (1, known() + 1));
        // Applied again, it changes nothing.
        apply_all(&mut store, &next_release(), Timestamp::UNIX_EPOCH).expect("nothing to do");
        assert_eq!(newest(&store).expect("read"), known() + 1);
    }

    #[test]
    fn a_migration_that_fails_leaves_the_schema_as_it_was() {
        let mut store = Connection::open_in_memory().expect("memory");
        apply(&mut store, Timestamp::UNIX_EPOCH).expect("this release's schema");
        let broken = (NEXT.0, NEXT.1, "alter table proposals add column channel text; this is no statement;");
        let migrations: Vec<Migration> = MIGRATIONS.iter().copied().chain([broken]).collect();
        apply_all(&mut store, &migrations, Timestamp::UNIX_EPOCH).expect_err("a statement that fails");
        assert_eq!(newest(&store).expect("read"), known());
        store.prepare("select channel from proposals").expect_err("the column is not half there");
    }

    #[test]
    fn a_schema_of_the_next_release_is_refused_at_the_start() {
        let mut store = Connection::open_in_memory().expect("memory");
        apply_all(&mut store, &next_release(), Timestamp::UNIX_EPOCH).expect("the next release's schema");
        let refused = apply(&mut store, Timestamp::UNIX_EPOCH).expect_err("an older program");
        assert!(refused.to_string().contains("use a newer covernote"), "{refused}");
    }

    #[test]
    fn migrations_are_numbered_without_a_gap_and_every_file_is_one() {
        let numbers: Vec<i64> = MIGRATIONS.iter().map(|(number, ..)| *number).collect();
        assert_eq!(numbers, (1..=MIGRATIONS.len() as i64).collect::<Vec<_>>());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("a folder")
            .map(|file| file.expect("one").file_name().into_string().expect("text"))
            .collect();
        files.sort();
        let named: Vec<String> =
            MIGRATIONS.iter().map(|(number, name, _)| format!("{number:04}_{name}.sql")).collect();
        assert_eq!(files, named);
    }
}

//! Migrations: numbered, applied in order at start, each in a transaction with the note that it was.
//!
//! They are never edited once released and only ever widen, so that a program of the version before still works.
//! The caller holds the lock under which stores are opened.

use domain::date::Timestamp;
use rusqlite::{Connection, params};
use service::storage::StorageError;

use super::row::fault;

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
    connection.execute_batch(include_str!("../../sql/migrations/make_table.sqlite.sql")).map_err(fault)?;
    let (newest, known) = (newest(connection)?, known());
    if newest > known {
        let message =
            format!("its schema has version {newest}, this program knows {known}: use a newer covernote");
        return Err(StorageError::Damaged(message));
    }
    for (number, name, statements) in MIGRATIONS.iter().filter(|(number, ..)| *number > newest) {
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

    #[test]
    fn a_store_of_the_version_before_is_brought_up_with_what_it_holds() {
        let mut connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch(include_str!("../../sql/migrations/make_table.sqlite.sql")).expect("made");
        let (number, name, statements) = MIGRATIONS[0];
        connection.execute_batch(statements).expect("applied");
        let note = include_str!("../../sql/migrations/note.sql");
        connection.execute(note, params![number, name, 0]).expect("noted");
        let policy = "insert into policies (partner_id, proposal_id, policy_id, number, check_code, body, certificate) values (x'01', x'02', x'03', 'N', x'04', x'05', x'06')";
        connection.execute(policy, ()).expect("kept");
        apply(&mut connection, Timestamp::UNIX_EPOCH).expect("migrated");
        let read = "select count(*) from policies where insurer_number is null";
        let policies: i64 = connection.query_row(read, (), |row| row.get(0)).expect("read");
        assert_eq!(policies, 1);
        assert_eq!(newest(&connection).expect("read"), MIGRATIONS.len() as i64);
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

//! Migrations: numbered, and applied in order at start. One transaction contains a migration and the note
//! that it was applied.
//!
//! Never edit a released migration. Migrations only widen the schema, so that a program of the previous
//! version still works. The caller holds the lock for opening stores.

use domain::date::Timestamp;
use ports::storage::{Result, StorageError};
use rusqlite::{Connection, params};

use super::row::fault;
use crate::migrations::{self, Migration};

/// Newest version of the schema that this program knows.
pub(crate) fn known() -> i32 {
    migrations::newest(&migrations::on_sqlite())
}

/// Version of a store's schema.
pub(crate) fn newest(from: &Connection) -> Result<i32> {
    from.query_row(include_str!("../../sql/migrations/newest.sql"), (), |row| row.get(0)).map_err(fault)
}

/// Migrates the schema to this program's version.
///
/// # Errors
/// [`StorageError::Damaged`] if the schema is newer than this program. Nothing is changed then.
pub(crate) fn apply(connection: &mut Connection, at: Timestamp) -> Result<()> {
    apply_all(connection, &migrations::on_sqlite(), at)
}

fn apply_all(connection: &mut Connection, migrations: &[Migration], at: Timestamp) -> Result<()> {
    connection.execute_batch(include_str!("../../sql/migrations/make_table.sqlite.sql")).map_err(fault)?;
    let (newest, known) = (newest(connection)?, migrations::newest(migrations));
    if newest > known {
        let message = format!(
            "the store's schema has version {newest}, but this program supports at most {known}: use a newer covernote"
        );
        return Err(StorageError::Damaged(message));
    }
    for Migration { number, name, statements } in migrations.iter().filter(|next| next.number > newest) {
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
    use crate::migrations::{on_sqlite, with_next_release};

    const NEXT: &str = "alter table proposals add column channel text; \
        create table channels (partner_id blob primary key) strict;";

    const PROPOSAL: &str = "insert into proposals \
        (partner_id, proposal_id, quote_id, variant_id, created_at, changed_at, line, status, body) \
        values (x'01', x'02', x'05', x'06', 3, 3, 1, 0, x'04')";

    fn next_release(statements: &'static str) -> Vec<Migration> {
        with_next_release(on_sqlite(), statements)
    }

    #[test]
    fn a_store_of_the_previous_version_is_migrated_with_its_records() {
        let mut store = Connection::open_in_memory().expect("memory");
        apply(&mut store, Timestamp::UNIX_EPOCH).expect("this release's schema");
        store.execute(PROPOSAL, ()).expect("kept");
        apply_all(&mut store, &next_release(NEXT), Timestamp::UNIX_EPOCH).expect("the next release's schema");
        let read = "select count(*) from proposals where channel is null";
        let proposals: i64 = store.query_row(read, (), |row| row.get(0)).expect("read");
        assert_eq!((proposals, newest(&store).expect("read")), (1, known() + 1));
        // Applying it again changes nothing.
        apply_all(&mut store, &next_release(NEXT), Timestamp::UNIX_EPOCH).expect("nothing to do");
        assert_eq!(newest(&store).expect("read"), known() + 1);
    }

    #[test]
    fn a_failed_migration_leaves_the_schema_unchanged() {
        let mut store = Connection::open_in_memory().expect("memory");
        apply(&mut store, Timestamp::UNIX_EPOCH).expect("this release's schema");
        let broken = next_release("alter table proposals add column channel text; this is no statement;");
        apply_all(&mut store, &broken, Timestamp::UNIX_EPOCH).expect_err("a statement that fails");
        assert_eq!(newest(&store).expect("read"), known());
        store.prepare("select channel from proposals").expect_err("the column is not half there");
    }

    #[test]
    fn a_schema_of_the_next_release_is_refused_at_the_start() {
        let mut store = Connection::open_in_memory().expect("memory");
        apply_all(&mut store, &next_release(NEXT), Timestamp::UNIX_EPOCH).expect("the next release's schema");
        let refused = apply(&mut store, Timestamp::UNIX_EPOCH).expect_err("an older program");
        assert!(refused.to_string().contains("use a newer covernote"), "{refused}");
    }
}

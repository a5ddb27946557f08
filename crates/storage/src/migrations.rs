//! The migrations of each engine: a file for each, `migrations/<engine>/<number>_<name>.sql`, applied in order at start.
//!
//! They are never edited once released and only ever widen, so that a program of the version before still works.

use include_dir::{Dir, include_dir};

static ON_SQLITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/migrations/sqlite");
static ON_POSTGRES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/migrations/postgres");

/// One step of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Migration {
    /// Counts from 1.
    pub(crate) number: i32,
    pub(crate) name: &'static str,
    pub(crate) statements: &'static str,
}

/// Those of SQLite, in order.
pub(crate) fn on_sqlite() -> Vec<Migration> {
    of(&ON_SQLITE)
}

/// Those of PostgreSQL, in order.
pub(crate) fn on_postgres() -> Vec<Migration> {
    of(&ON_POSTGRES)
}

/// The number of the newest, 0 where there is none.
pub(crate) fn newest(migrations: &[Migration]) -> i32 {
    migrations.last().map_or(0, |migration| migration.number)
}

/// The files of a folder, whose names a test judges.
fn of(folder: &'static Dir<'_>) -> Vec<Migration> {
    let migration = |file: &'static include_dir::File<'_>| {
        let (number, name) = file.path().file_stem()?.to_str()?.split_once('_')?;
        Some(Migration { number: number.parse().ok()?, name, statements: file.contents_utf8()? })
    };
    let mut migrations: Vec<Migration> = folder.files().filter_map(migration).collect();
    migrations.sort_by_key(|migration| migration.number);
    migrations
}

/// What the next release's migration might be on an engine: it only widens.
#[cfg(test)]
pub(crate) fn with_next_release(mut migrations: Vec<Migration>, statements: &'static str) -> Vec<Migration> {
    migrations.push(Migration { number: newest(&migrations) + 1, name: "channel", statements });
    migrations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_migration_numbered_without_a_gap_and_named_alike_on_both_engines() {
        let names = |migrations: Vec<Migration>| -> Vec<(i32, &str)> {
            migrations.into_iter().map(|migration| (migration.number, migration.name)).collect()
        };
        let (sqlite, postgres) = (names(on_sqlite()), names(on_postgres()));
        assert_eq!(sqlite, postgres);
        assert_eq!((sqlite.len(), postgres.len()), (ON_SQLITE.files().count(), ON_POSTGRES.files().count()));
        assert!(sqlite.iter().map(|(number, _)| *number).eq(1..=sqlite.len() as i32), "{sqlite:?}");
    }
}

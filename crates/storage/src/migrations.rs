//! The migrations of each engine: files `migrations/<engine>/<number>_<name>.sql`, applied in order at start.
//!
//! Never edit a released migration. Migrations only widen the schema, so that a program of the previous
//! version still works.

use include_dir::{Dir, include_dir};

static ON_SQLITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/migrations/sqlite");
static ON_POSTGRES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/migrations/postgres");

/// One migration of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Migration {
    /// Number of the migration, counted from 1 without gaps.
    pub(crate) number: i32,
    pub(crate) name: &'static str,
    pub(crate) statements: &'static str,
}

/// Migrations of SQLite, in order.
pub(crate) fn on_sqlite() -> Vec<Migration> {
    of(&ON_SQLITE)
}

/// Migrations of PostgreSQL, in order.
pub(crate) fn on_postgres() -> Vec<Migration> {
    of(&ON_POSTGRES)
}

/// Number of the newest migration, or 0 if there is none.
pub(crate) fn newest(migrations: &[Migration]) -> i32 {
    migrations.last().map_or(0, |migration| migration.number)
}

/// Migrations in a folder. A test checks their file names.
fn of(folder: &'static Dir<'_>) -> Vec<Migration> {
    let migration = |file: &'static include_dir::File<'_>| {
        let (number, name) = file.path().file_stem()?.to_str()?.split_once('_')?;
        Some(Migration { number: number.parse().ok()?, name, statements: file.contents_utf8()? })
    };
    let mut migrations: Vec<Migration> = folder.files().filter_map(migration).collect();
    migrations.sort_by_key(|migration| migration.number);
    migrations
}

/// Adds a migration such as the next release may have. `statements` should only widen the schema.
#[cfg(test)]
pub(crate) fn with_next_release(mut migrations: Vec<Migration>, statements: &'static str) -> Vec<Migration> {
    migrations.push(Migration { number: newest(&migrations) + 1, name: "channel", statements });
    migrations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_without_gaps_and_named_alike_on_both_engines() {
        let names = |migrations: Vec<Migration>| -> Vec<(i32, &str)> {
            migrations.into_iter().map(|migration| (migration.number, migration.name)).collect()
        };
        let (sqlite, postgres) = (names(on_sqlite()), names(on_postgres()));
        assert_eq!(sqlite, postgres);
        assert_eq!((sqlite.len(), postgres.len()), (ON_SQLITE.files().count(), ON_POSTGRES.files().count()));
        assert!(sqlite.iter().map(|(number, _)| *number).eq(1..=sqlite.len() as i32), "{sqlite:?}");
    }
}

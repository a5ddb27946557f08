//! `covernote database`: distributes the tables of a store over database servers (D106).

use serde_json::json;
use storage::Postgres;

use super::{block_on, settings};
use crate::cli::{Database, DatabaseVerb};
use crate::failure::{Failure, Result};
use crate::output;
use crate::wiring::{Engine, engine};

pub(super) fn run(Database { verb, flags }: Database) -> Result<()> {
    let DatabaseVerb::Distribute { shards, json } = verb;
    let Engine::Postgres(database) = engine(&settings(&flags)?)? else {
        return Err(Failure::Configuration(
            "database: the store is SQLite, and only a PostgreSQL database with Citus can distribute its tables".into(),
        ));
    };
    let spread = block_on(async { Ok(Postgres::spread(&database, shards).await?) })?;
    if json {
        output::json(&json!({ "nodes": spread.nodes, "tables": spread.tables }));
    }
    output::message(&match spread.tables.len() {
        0 => "every table is already distributed".to_owned(),
        tables => format!("{tables} tables were distributed over {} nodes", spread.nodes),
    });
    Ok(())
}

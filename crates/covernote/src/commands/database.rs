//! `covernote database`: how the tables of a store lie (D106).

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
            "database: tables are spread over the nodes of a PostgreSQL database with Citus, and the store is SQLite".into(),
        ));
    };
    let spread = block_on(async { Ok(Postgres::spread(&database, shards).await?) })?;
    if json {
        output::json(&json!({ "nodes": spread.nodes, "tables": spread.tables }));
    }
    output::message(&match spread.tables.len() {
        0 => "every table is spread already".to_owned(),
        tables => format!("{tables} tables are spread over {} nodes", spread.nodes),
    });
    Ok(())
}

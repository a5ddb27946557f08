//! Whether each pool that requests use could write now.

use std::time::Duration;

use service::storage::StorageError;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::column::values;
use super::connections::Connections;

/// How long a success serves others who ask: anybody may ask, and each look writes.
const FRESH: Duration = Duration::from_millis(500);

/// When it was last found that they could. One looks at a time.
#[derive(Default)]
pub(super) struct Readiness(Mutex<Option<Instant>>);

impl Readiness {
    /// Writes through each pool, unless that was done a moment ago.
    ///
    /// # Errors
    /// What the first write failed of that did.
    pub(super) async fn of(&self, pools: [&Connections; 2]) -> Result<(), StorageError> {
        let mut last = self.0.lock().await;
        if last.is_none_or(|at| at.elapsed() >= FRESH) {
            *last = None;
            look(pools).await?;
            *last = Some(Instant::now());
        }
        Ok(())
    }
}

async fn look(pools: [&Connections; 2]) -> Result<(), StorageError> {
    let (touch, take_room) =
        (include_str!("../../sql/revision/touch.sql"), include_str!("../../sql/settings/probe.postgres.sql"));
    for pool in pools {
        pool.write(touch, values![]).await?;
        match pool.write(take_room, values![]).await {
            // A role that may make no temporary table finds out by its own writes.
            Err(fault) if fault.is_forbidden() => {}
            outcome => drop(outcome?),
        }
    }
    Ok(())
}

//! Whether each pool that requests use could write now.

use std::time::Duration;

use ports::storage::Result;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::connections::Connections;
use crate::fields::Value;

/// How long a success serves others who ask: anybody may ask, and each look writes.
const FRESH: Duration = Duration::from_millis(500);

/// The last look. One looks at a time.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<Look>>);

struct Look {
    began: Instant,
    ended: Instant,
    outcome: Result<()>,
}

impl Readiness {
    /// Writes through each pool, unless that was done a moment ago. A caller that waits for another one's look gets its outcome.
    ///
    /// # Errors
    /// What the first write failed of that did.
    pub(crate) async fn of(&self, pools: [&Connections; 2]) -> Result<()> {
        let asked = Instant::now();
        let mut last = self.0.lock().await;
        if let Some(Look { began, ended, outcome }) = &*last
            && (*began >= asked || outcome.is_ok() && ended.elapsed() < FRESH)
        {
            return outcome.clone();
        }
        let began = Instant::now();
        let outcome = look(pools).await;
        *last = Some(Look { began, ended: Instant::now(), outcome: outcome.clone() });
        outcome
    }
}

async fn look(pools: [&Connections; 2]) -> Result<()> {
    let (touch, take_room) =
        (include_str!("../../sql/revision/touch.sql"), include_str!("../../sql/settings/probe.postgres.sql"));
    for pool in pools {
        pool.write::<Value<'_>>(touch, &[]).await?;
        match pool.write::<Value<'_>>(take_room, &[]).await {
            // A role that may make no temporary table finds out by its own writes.
            Err(fault) if fault.is_forbidden() => {}
            outcome => drop(outcome?),
        }
    }
    Ok(())
}

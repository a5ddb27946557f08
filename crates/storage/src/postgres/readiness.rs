//! Checks that each connection pool can write to the database now.

use std::time::Duration;

use ports::storage::Result;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::connections::Connections;
use crate::fields::Value;

/// How long the result of a successful check is reused, because anyone may request a check, and each check
/// writes.
const FRESH: Duration = Duration::from_millis(500);

/// Result of the last check. Only one check runs at a time.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<Look>>);

struct Look {
    began: Instant,
    ended: Instant,
    outcome: Result<()>,
}

impl Readiness {
    /// Writes through each pool, unless a check succeeded a moment ago. If a check of another caller began
    /// after this call, its result is returned.
    ///
    /// # Errors
    /// The fault of the first write that failed.
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
            // A role that may not create temporary tables skips this check. Ordinary writes will then show
            // the fault.
            Err(fault) if fault.is_forbidden() => {}
            outcome => drop(outcome?),
        }
    }
    Ok(())
}

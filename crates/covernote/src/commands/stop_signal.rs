//! Stop signal for commands that run until they are stopped.

use tokio::signal::unix::{SignalKind, signal};

use crate::failure::{Failure, Result};

/// Completes at SIGTERM or Ctrl-C. The signals are caught from the moment of the call.
///
/// # Errors
/// [`Failure::Failed`] if the signal handlers cannot be installed.
pub(super) fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static> {
    let caught =
        |kind| signal(kind).map_err(|cause| Failure::Failed(format!("signals cannot be caught: {cause}")));
    let (mut terminations, mut interrupts) =
        (caught(SignalKind::terminate())?, caught(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminations.recv() => {}
            _ = interrupts.recv() => {}
        }
    })
}

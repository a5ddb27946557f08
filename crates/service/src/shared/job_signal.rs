//! Signal to the workers of this process that a job is due.

use std::sync::Arc;

use tokio::sync::Notify;

/// Only the workers of this process receive the signal. The workers of other processes poll the store.
#[derive(Clone, Default)]
pub(crate) struct JobSignal(Arc<Notify>);

impl JobSignal {
    /// Signals to the workers that a job is due.
    pub(crate) fn wake_workers(&self) {
        self.0.notify_one();
    }

    /// Waits for the signal. A signal that came earlier is remembered.
    pub(crate) async fn heard(&self) {
        self.0.notified().await;
    }
}

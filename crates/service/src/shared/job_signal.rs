//! Tells the workers of this process that there is a job.

use std::sync::Arc;

use tokio::sync::Notify;

/// Heard by the workers of this process; those of others look for themselves.
#[derive(Clone, Default)]
pub(crate) struct JobSignal(Arc<Notify>);

impl JobSignal {
    /// There is a job.
    pub(crate) fn wake_workers(&self) {
        self.0.notify_one();
    }

    /// Until there is one. It was missed by nobody: one that came before is remembered.
    pub(crate) async fn heard(&self) {
        self.0.notified().await;
    }
}

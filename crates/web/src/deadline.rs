//! Work within a time of its own.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::error::Elapsed;
use tokio::time::timeout;

/// Does work unless it takes longer. No clock is set for what is done at once, as most requests are.
///
/// # Errors
/// [`Elapsed`]: it took longer, and was given up.
pub(crate) async fn within<T>(longest: Duration, work: impl Future<Output = T>) -> Result<T, Elapsed> {
    let mut work = pin!(work);
    match poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => timeout(longest, work).await,
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_takes_longer_is_given_up() {
        const LONGEST: Duration = Duration::from_secs(1);
        assert_eq!(within(LONGEST, ready(1)).await, Ok(1));
        let soon = async {
            tokio::time::sleep(LONGEST / 2).await;
            2
        };
        assert_eq!(within(LONGEST, soon).await, Ok(2));
        assert!(within(LONGEST, pending::<()>()).await.is_err());
    }
}

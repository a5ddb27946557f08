//! Runs work with a time limit.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// Error: the work took too long and was dropped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Late;

/// Runs work for at most `longest`. Sets no timer if the work is ready at once, as for most requests.
///
/// # Errors
/// [`Late`], if the work takes longer.
pub(crate) async fn within<T>(longest: Duration, work: impl Future<Output = T>) -> Result<T, Late> {
    let (mut work, mut clock) = (pin!(work), pin!(None::<Sleep>));
    poll_fn(|context| {
        if let Poll::Ready(done) = work.as_mut().poll(context) {
            return Poll::Ready(Ok(done));
        }
        if clock.is_none() {
            clock.set(Some(sleep(longest)));
        }
        match clock.as_mut().as_pin_mut() {
            Some(clock) => clock.poll(context).map(|()| Err(Late)),
            None => Poll::Pending,
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn work_that_exceeds_its_time_limit_ends_as_late() {
        const LONGEST: Duration = Duration::from_secs(1);
        assert_eq!(within(LONGEST, ready(1)).await, Ok(1));
        let soon = async {
            tokio::time::sleep(LONGEST / 2).await;
            2
        };
        assert_eq!(within(LONGEST, soon).await, Ok(2));
        assert_eq!(within(LONGEST, pending::<()>()).await, Err(Late));
    }
}

//! Quote of a journey: requests the quote, and waits for its prices.

use std::time::Duration;

use domain::health_quote::JobStatus;
use domain::id::Uuid;
use domain::journey::Journey;
use service::quote::health::HealthQuoteShown;
use tokio::time::{Instant, sleep};

use super::visitor::Visitor;
use crate::app::App;
use crate::context::RequestContext;
use crate::error::{Problem, Result};

/// Longest time that a page waits for new prices or a new status.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Maximum number of pages of one journey that can wait at once.
pub(super) const MOST_WAITING: usize = 8;

/// Time between two reads of the quote while a page waits.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Requests prices for the journey's answers, within the rate limit. `None` if an earlier step is unanswered.
pub(crate) async fn recommend(app: &App, journey: Journey) -> Result<Option<Journey>> {
    app.pricing_limit.count(journey.id)?;
    Ok(app.service.journeys.recommend(journey).await?)
}

/// The journey's quote. Requests one if the journey has none yet.
pub(crate) async fn quote_of(app: &App, mut visitor: Visitor) -> Result<(Visitor, HealthQuoteShown)> {
    let partner = visitor.partner.id;
    let known = match visitor.journey.answers.quote {
        Some(id) => id,
        None => {
            let asked = recommend(app, visitor.journey).await?;
            visitor.journey =
                asked.ok_or_else(|| Problem::unexpected("the journey lacks answers for a quote"))?;
            let asked = visitor.journey.answers.quote;
            asked.ok_or_else(|| Problem::unexpected("the journey lacks the quote that was just requested"))?
        }
    };
    let quote = app.service.health_quotes.find(partner, known).await?;
    Ok((visitor, quote))
}

/// Waits until the quote is complete, has more than `seen` completed variants, or [`LONGEST_WAIT`] is over.
/// Returns the latest quote.
pub(crate) async fn wait_for_more(
    app: &App,
    context: &RequestContext,
    journey: Uuid,
    mut shown: HealthQuoteShown,
    seen: usize,
) -> Result<HealthQuoteShown> {
    let until = Instant::now() + LONGEST_WAIT;
    let has_more = |shown: &HealthQuoteShown| {
        shown.quote.status() == JobStatus::Success || shown.quote.completed_variants() > seen
    };
    if has_more(&shown) {
        return Ok(shown);
    }
    // With many open pages, only some wait. The others return at once.
    let Some(_waits) = app.waiting_pages.add(journey, MOST_WAITING) else { return Ok(shown) };
    let wait = async {
        while !has_more(&shown) && Instant::now() < until && !app.is_draining() {
            sleep(POLL_INTERVAL).await;
            shown = app.service.health_quotes.find(shown.quote.partner, shown.quote.id).await?;
        }
        Ok(shown)
    };
    context.without_permit(app, wait).await?
}

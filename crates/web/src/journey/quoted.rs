//! A customer who has answered what prices need, with the quote that came of it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use service::health_quote::HealthQuoteShown;

use super::arrive::unanswered;
use super::lead_to;
use super::visitor::{Traveller, Visitor};
use crate::app::App;
use crate::error::Problem;

/// Whoever has not answered everything is led to the first page that is not.
pub(crate) struct Quoted {
    pub(crate) visitor: Visitor,
    pub(crate) quote: HealthQuoteShown,
}

impl FromRequestParts<App> for Quoted {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let Traveller(visitor) = Traveller::from_request_parts(parts, app).await?;
        if let Some(page) = unanswered(&visitor.journey.answers) {
            return Err(lead_to(page));
        }
        let (visitor, quote) = quote_of(app, visitor).await.map_err(IntoResponse::into_response)?;
        Ok(Quoted { visitor, quote })
    }
}

/// The quote of a journey; one is asked for where there is none yet.
pub(crate) async fn quote_of(
    app: &App,
    mut visitor: Visitor,
) -> Result<(Visitor, HealthQuoteShown), Problem> {
    let of = visitor.partner.id;
    let known = match visitor.journey.answers.quote {
        Some(id) => id,
        None => {
            let asked = app.service.recommend_for(visitor.journey).await?;
            visitor.journey = asked.ok_or_else(|| Problem::unexpected("a journey without its answers"))?;
            let asked = visitor.journey.answers.quote;
            asked.ok_or_else(|| Problem::unexpected("a quote that was asked for is not noted"))?
        }
    };
    let quote = app.service.health_quote(of, known).await?;
    Ok((visitor, quote))
}

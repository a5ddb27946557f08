//! Journey of a customer on the hosted pages, until it has a quote (interface §14; D38).
//!
//! A token opens the journey. A cookie in the browser finds the journey again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::access::Scopes;
use domain::event::EventType;
use domain::health_quote::{Attribution, Customer, HealthRequest};
use domain::id::{PartnerId, SessionId};
use domain::journey::{Answers, Journey};
use domain::language::Language;
use domain::partner::Partner;
use domain::person::PlatformId;
use domain::session::Session;
use domain::text::FromText;

use crate::access::session::SessionService;
use crate::access::token::TokenService;
use crate::error::{Error, Result};
use crate::keys::{Hasher, KeyPurpose};
use crate::quote::health::HealthQuoteService;
use crate::shared::Shared;
use crate::storage::NewEvent;
use crate::storage::journeys::OldJourney;

/// How long a journey is stored after the customer was last seen.
pub const KEPT_FOR: Duration = Duration::from_secs(24 * 3600);

/// A journey's `seen_at` is updated once it is older than this.
const SEEN: Duration = Duration::from_secs(60);

/// Journeys removed in one transaction.
const FORGOTTEN_AT_ONCE: usize = 500;

/// Most attempts to save a change while another tab changes the journey.
const ATTEMPTS: usize = 8;

/// First request of a browser to the journey's address.
#[derive(Clone, Copy)]
pub struct Arrival<'a> {
    /// The token in the address.
    pub token: &'a str,
    /// The session named in the address.
    pub session: Option<&'a str>,
    /// Return URL in the address.
    pub return_url: Option<&'a str>,
    /// Language in the address, otherwise the browser's language.
    pub language: Language,
    /// Content of the browser's cookie, if any.
    pub cookie: Option<&'a str>,
}

/// Result of a browser's arrival.
pub enum Arrived {
    /// A new journey was opened.
    Opened {
        /// Content to set in the cookie.
        cookie: String,
    },
    /// The token opened a journey in this browser before. That journey continues.
    Resumed,
}

/// Why a browser cannot begin, with the partner if known. The partner's origins may show the message in a
/// frame.
#[derive(Debug)]
pub struct Turned {
    /// Partner that owns the token, if the token was issued here.
    pub partner: Option<Partner>,
    pub why: TurnedWhy,
}

/// Why a browser cannot begin a journey.
#[derive(Debug)]
pub enum TurnedWhy {
    /// The token was not issued here, or its scope is not `business.session` alone.
    Wrong,
    /// Another browser used the token.
    Used,
    /// The token has expired.
    Expired,
    /// The partner is disabled.
    Disabled,
    /// The session in the address does not belong to the partner.
    UnknownSession,
    /// The store failed, or there was an internal error.
    Failed(Error),
}

/// Journey that continues, with its partner.
#[derive(Debug, Clone)]
pub struct Visit {
    pub journey: Journey,
    /// Partner of the journey. If the partner is disabled, its customers cannot continue.
    pub partner: Partner,
    /// Whether `seen_at` was just updated, so that the journey is stored for its whole time again.
    pub kept_anew: bool,
}

/// Session of a journey.
enum JourneySession {
    /// The partner opened the session before, and named it in the address.
    Known(SessionId),
    /// The session begins with the journey, and is saved together with it.
    New(Session),
}

impl JourneySession {
    fn id(&self) -> SessionId {
        match self {
            JourneySession::Known(id) => *id,
            JourneySession::New(session) => session.id,
        }
    }

    fn to_keep(&self) -> Option<&Session> {
        match self {
            JourneySession::Known(_) => None,
            JourneySession::New(session) => Some(session),
        }
    }
}

/// Opens and finds journeys, and saves their customers' answers.
pub struct JourneyService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) tokens: Arc<TokenService>,
    pub(crate) sessions: Arc<SessionService>,
    pub(crate) quotes: Arc<HealthQuoteService>,
}

impl JourneyService {
    /// Opens a journey with an unused token, or continues the one that the token opened in this browser
    /// (D38).
    ///
    /// # Errors
    /// [`Turned`] says why the browser cannot begin.
    pub async fn arrive(&self, arrival: Arrival<'_>) -> Result<Arrived, Turned> {
        let facts = match self.tokens.read_token(arrival.token).await {
            Ok(facts) => facts,
            Err(Error::RefusedBearer(_)) => return Err(Turned { partner: None, why: TurnedWhy::Wrong }),
            Err(fault) => return Err(Turned { partner: None, why: TurnedWhy::Failed(fault) }),
        };
        let partner = facts.partner.clone();
        let turned = |why| Turned { partner: Some(partner.clone()), why };
        let failed = |fault: Error| turned(TurnedWhy::Failed(fault));
        if !partner.enabled {
            return Err(turned(TurnedWhy::Disabled));
        }
        let opened = self.shared.storage.journey_opened_by(partner.id, facts.id).await;
        if let Some(opened) = opened.map_err(|fault| failed(fault.into()))? {
            return match arrival.cookie.map(cookie_hash) {
                Some(hash) if hash == opened => Ok(Arrived::Resumed),
                _ => Err(turned(TurnedWhy::Used)),
            };
        }
        if facts.expired {
            return Err(turned(TurnedWhy::Expired));
        }
        if facts.scopes != Scopes::default_of_all() {
            return Err(turned(TurnedWhy::Wrong));
        }
        let session = self.session_of_journey(partner.id, arrival.session).await.map_err(turned)?;
        let now = self.shared.clock.now();
        let mut secret = [0; 32];
        self.shared.random.fill(&mut secret);
        let cookie = URL_SAFE_NO_PAD.encode(secret);
        let registered = |asked: &&str| partner.return_urls.iter().any(|url| url == asked);
        let return_url = arrival.return_url.filter(registered).map(str::to_owned);
        let journey = Journey {
            id: self.shared.ids.uuid(),
            partner: partner.id,
            session: session.id(),
            token: facts.id,
            cookie: cookie_hash(&cookie),
            opened_at: now,
            seen_at: now,
            version: 1,
            language: arrival.language,
            user: facts.user_id.as_deref().and_then(|user| PlatformId::from_text(user).ok()),
            return_url: return_url.or_else(|| partner.return_urls.first().cloned()),
            answers: Answers::default(),
            as_read: None,
        };
        let opened = self.shared.storage.open_journey(&journey, session.to_keep()).await;
        match opened.map_err(|fault| failed(fault.into()))? {
            true => {
                self.shared.used_tokens.add(facts.id);
                tracing::info!(partner.id = %partner.id, session.id = %journey.session, "a journey was opened");
                Ok(Arrived::Opened { cookie })
            }
            false => Err(turned(TurnedWhy::Used)),
        }
    }

    /// Session of a journey: the named one, otherwise a new one.
    async fn session_of_journey(
        &self,
        of: PartnerId,
        named: Option<&str>,
    ) -> Result<JourneySession, TurnedWhy> {
        let Some(named) = named else {
            return Ok(JourneySession::New(self.sessions.make(of, BTreeMap::new())));
        };
        let id: SessionId = named.parse().map_err(|_| TurnedWhy::UnknownSession)?;
        match self.sessions.exists(of, id).await {
            Ok(true) => Ok(JourneySession::Known(id)),
            Ok(false) => Err(TurnedWhy::UnknownSession),
            Err(fault) => Err(TurnedWhy::Failed(fault)),
        }
    }

    /// Journey of a browser by its cookie. `None` if it has ended.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn visit(&self, cookie: &str) -> Result<Option<Visit>> {
        let Some(mut journey) = self.shared.storage.journey(cookie_hash(cookie)).await? else {
            return Ok(None);
        };
        let now = self.shared.clock.now();
        if now.duration_since(journey.seen_at).unsigned_abs() > KEPT_FOR {
            return Ok(None);
        }
        let Some(partner) = self.shared.directory.known().partner(journey.partner).cloned() else {
            return Ok(None);
        };
        if !partner.enabled {
            return Ok(Some(Visit { journey, partner, kept_anew: false }));
        }
        let mut kept_anew = false;
        if now.duration_since(journey.seen_at).unsigned_abs() > SEEN {
            let mut seen = journey.clone();
            seen.seen_at = now;
            seen.version = seen.version.wrapping_add(1);
            // If another tab was first, it updated `seen_at`.
            if self.shared.storage.change_journey(&seen).await? {
                (journey, kept_anew) = (seen, true);
            }
        }
        Ok(Some(Visit { journey, partner, kept_anew }))
    }

    /// Changes a journey. If another tab changes it meanwhile, the change is applied again to the new state.
    ///
    /// # Errors
    /// [`Error::Conflict`] if other tabs change the journey again and again; [`Error::Unknown`] if the
    /// journey no longer exists.
    pub async fn change(
        &self,
        mut journey: Journey,
        change: impl Fn(&mut Journey) + Send + Sync,
    ) -> Result<Journey> {
        for _ in 0..ATTEMPTS {
            let before = journey.clone();
            change(&mut journey);
            if journey == before {
                return Ok(journey);
            }
            journey.seen_at = self.shared.clock.now();
            journey.version = journey.version.wrapping_add(1);
            if self.shared.storage.change_journey(&journey).await? {
                return Ok(journey);
            }
            let stands = self.shared.storage.journey(before.cookie).await?;
            journey = stands.ok_or_else(|| Error::Unknown { what: "journey", id: String::new() })?;
        }
        Err(Error::conflict("The journey is being changed by another request. Try again.".into()))
    }

    /// Requests a quote for the answers of a journey, and stores the quote's id in the journey. `None` if an
    /// earlier page has no answer.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Conflict`] if other tabs change the answers again and again.
    pub async fn recommend(&self, mut journey: Journey) -> Result<Option<Journey>> {
        for _ in 0..ATTEMPTS {
            let Some(request) = request_of(&journey) else { return Ok(None) };
            let quote = self.quotes.make(journey.partner, request.clone());
            let id = quote.id;
            // The journey has no idempotency key, so no response is stored.
            let _new = self.quotes.keep(quote, None).await?;
            // If another tab has changed the answers, this quote does not fit the new answers.
            let note = |journey: &mut Journey| {
                if request_of(journey).as_ref() == Some(&request) {
                    journey.answers.quote = Some(id);
                }
            };
            journey = self.change(journey, note).await?;
            if journey.answers.quote.is_some() {
                return Ok(Some(journey));
            }
        }
        Err(Error::conflict("The journey is being changed by another request. Try again.".into()))
    }

    /// CSRF token in every form of a journey: a keyed hash of the journey's id.
    pub fn form_proof(&self, journey: &Journey) -> String {
        form_proof(&self.shared.directory.hasher(KeyPurpose::Address), journey)
    }

    /// Whether a form came from a page of this journey.
    pub fn is_form_proof(&self, journey: &Journey, given: &str) -> bool {
        let is_it = |hasher: &Hasher| {
            verify_slices_are_equal(form_proof(hasher, journey).as_bytes(), given.as_bytes()).is_ok()
        };
        self.shared.directory.accepts(KeyPurpose::Address, is_it)
    }

    /// Removes journeys whose customers were not seen for a day. Returns their number.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn forget_old(&self) -> Result<usize> {
        let before = self.shared.clock.now() - KEPT_FOR;
        let mut forgotten = 0;
        loop {
            let old = self.shared.storage.old_journeys(before, FORGOTTEN_AT_ONCE).await?;
            let found = old.len();
            let told = |old: OldJourney| {
                // A journey that became a proposal has not expired.
                let expired = old.journey.as_ref().filter(|journey| journey.answers.proposal.is_none());
                let event = expired.map(|journey| {
                    self.shared.events().of_journey(
                        EventType::JourneyExpired,
                        journey,
                        journey.seen_at + KEPT_FOR,
                    )
                });
                (old, event)
            };
            let old: Vec<(OldJourney, Option<NewEvent>)> = old.into_iter().map(told).collect();
            forgotten += self.shared.storage.forget_journeys(&old).await?;
            if found < FORGOTTEN_AT_ONCE {
                return Ok(forgotten);
            }
        }
    }
}

fn form_proof(hasher: &Hasher, journey: &Journey) -> String {
    URL_SAFE_NO_PAD.encode(&hasher.hash(&[b"form", journey.id.as_bytes()])[..16])
}

/// SHA-256 of a cookie. The store holds only this hash of the cookie.
fn cookie_hash(cookie: &str) -> [u8; 32] {
    digest(&SHA256, cookie.as_bytes()).as_ref().try_into().expect("SHA-256 is 32 bytes")
}

/// Recommendation request from a journey's answers. `None` until all required pages are answered.
pub fn request_of(journey: &Journey) -> Option<HealthRequest> {
    let answers = &journey.answers;
    let cover = answers.cover?;
    let mut illnesses: Vec<String> = Vec::new();
    for illness in answers.family.iter().flat_map(|member| &member.illnesses) {
        if !illnesses.contains(illness) {
            illnesses.push(illness.clone());
        }
    }
    // Prices need neither name nor phone number. The partner may read the customer's entries only with the
    // application, after the consents.
    let request = HealthRequest {
        lead: None,
        user: journey.user.clone(),
        session: Some(journey.session),
        customer: Customer {
            name: None,
            gender: None,
            phone: None,
            pincode: answers.pincode.clone()?,
            email: None,
        },
        members: answers.family.iter().map(|member| member.member).collect(),
        has_ped: answers.has_illness?,
        selected_peds: illnesses,
        plan: cover.plan,
        sum_insured: cover.sum_insured,
        deductible: cover.deductible,
        porting: answers.porting?,
        attribution: Attribution::default(),
        covered_since: None,
    };
    (!request.members.is_empty()).then_some(request)
}

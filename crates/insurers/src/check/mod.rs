//! Checks of an insurer's server against the protocol, with results for the server's engineers.

mod access;
mod notices;
mod prices;
mod proposals;
mod sample;

use std::sync::Arc;
use std::time::Duration;

use domain::date::{Date, Timestamp, day_of};
use domain::health_quote::{HealthOffer, TenurePrice};
use domain::id::{ProposalId, VariantId};
use domain::money::{Premium, Rupees};
use rating::Authentication;
use service::clock::{Clock, Ids, Random};
use tokio::time::Instant;

use self::access::Reach;
use self::proposals::Family;
use crate::client::{Answer, Client, ClientError, Request};
use crate::secret::SecretFile;
use crate::signature::{Credentials, SecretSource};
use crate::tuning::Tuning;

/// Longest time that the check waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Longest time that an answer may take. It is the default deadline of a quote.
const LIMIT: Duration = Duration::from_secs(2);

/// Insurer's server that is checked.
#[derive(Debug)]
pub struct Subject {
    /// Base URL of the server, without a slash at the end.
    pub url: String,
    /// How requests are authenticated. `None` if the server accepts every request.
    pub authentication: Option<(Authentication, SecretFile)>,
    /// Credit-life variants that the insurer prices.
    pub credit_variants: Vec<VariantId>,
    pub health_variants: Vec<VariantId>,
    /// Whether the check submits a proposal of a fictional customer.
    pub with_proposals: bool,
}

/// Result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The server conforms to the protocol.
    Good,
    /// The server violates the protocol.
    Bad,
    /// The check could not be made.
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Short stable name for programs.
    pub name: String,
    pub state: State,
    /// What the protocol requires, as a sentence.
    pub wanted: &'static str,
    /// What the server did, as a sentence. Can be empty if the result is good.
    pub found: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Results, in the order of the checks.
    pub findings: Vec<Finding>,
    /// Whether the server answered at all.
    pub reachable: bool,
}

impl Report {
    /// Number of bad results.
    pub fn bad(&self) -> usize {
        self.findings.iter().filter(|finding| finding.state == State::Bad).count()
    }
}

/// Checks an insurer's server.
///
/// # Errors
/// The reason why no check can be made: a bad URL, an unusable secret, or no variant to price.
pub async fn check(
    subject: Subject,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Report, String> {
    if subject.credit_variants.is_empty() && subject.health_variants.is_empty() {
        return Err("the insurer has no variant whose price can be requested".into());
    }
    let credentials = subject.authentication.map(|(authentication, file)| {
        file.validate()?;
        Ok::<_, String>(Arc::new(Credentials { authentication, source: SecretSource::File(file) }))
    });
    let credentials = credentials.transpose()?;
    let checker = Checker {
        today: day_of(clock.now()),
        server: client(&subject.url, credentials.clone(), clock.clone())?,
        url: subject.url,
        credentials,
        ids: Ids::new(clock.clone(), random.clone()),
        clock,
        random,
        slowest: Duration::ZERO,
        findings: Vec::new(),
    };
    Ok(checker.run(&subject.credit_variants, &subject.health_variants, subject.with_proposals).await)
}

fn client(url: &str, credentials: Option<Arc<Credentials>>, clock: Arc<dyn Clock>) -> Result<Client, String> {
    Client::to(url, credentials, clock, Tuning::default().max_answer_bytes)
}

/// A check that is running, with its results so far.
struct Checker {
    url: String,
    credentials: Option<Arc<Credentials>>,
    server: Client,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    ids: Ids,
    today: Date,
    slowest: Duration,
    findings: Vec<Finding>,
}

impl Checker {
    async fn run(mut self, credit: &[VariantId], health: &[VariantId], with_proposals: bool) -> Report {
        let probe = self.probe(credit, health);
        let reach = self.check_access(&probe).await;
        if reach == Reach::Admitted {
            self.unauthenticated_requests(&probe).await;
            let priced = self.credit_prices(credit).await;
            let offered = self.health_prices(health).await;
            if with_proposals {
                self.unknown_proposal().await;
                if !credit.is_empty() {
                    self.credit_proposals(priced).await;
                }
                if !health.is_empty() {
                    self.health_proposals(offered).await;
                }
                self.notices().await;
            }
            let slowest = self.slowest;
            self.note(
                "in-time",
                "Every answer arrives within 2 s.",
                slowest <= LIMIT,
                format!("The slowest answer took {} ms.", slowest.as_millis()),
            );
        }
        Report { findings: self.findings, reachable: reach != Reach::Unreachable }
    }

    async fn credit_proposals(&mut self, priced: Option<(VariantId, Premium)>) {
        let today = self.today;
        let propose = priced.map(|(variant, premium)| {
            move |id: ProposalId, more: Rupees| {
                sample::proposal(id, variant, with_higher_base(premium, more), today)
            }
        });
        self.proposals(Family {
            name: "proposal",
            unpriced: "No proposal was sent, because no price of a credit-life variant could be read.",
            propose: propose.as_ref().map(|propose| propose as _),
        })
        .await;
    }

    async fn health_proposals(&mut self, offered: Option<(VariantId, HealthOffer)>) {
        let today = self.today;
        let shortest = offered.and_then(|(variant, offer)| Some((variant, *offer.tenures.first()?, offer)));
        let propose = shortest.map(|(variant, TenurePrice { years, premium }, offer)| {
            move |id: ProposalId, more: Rupees| {
                let price = TenurePrice { years, premium: with_higher_base(premium, more) };
                sample::health_proposal(id, variant, &offer, price, today)
            }
        });
        self.proposals(Family {
            name: "health-proposal",
            unpriced: "No proposal was sent, because no price of a health variant could be read.",
            propose: propose.as_ref().map(|propose| propose as _),
        })
        .await;
    }

    /// Sends a request once to the server, and records how long the slowest answer took.
    async fn send(&mut self, request: &Request) -> Result<Answer, ClientError> {
        let started = Instant::now();
        let answer = send_to(&self.server, request).await;
        self.slowest = self.slowest.max(started.elapsed());
        answer
    }

    fn note(&mut self, name: impl Into<String>, wanted: &'static str, good: bool, found: impl Into<String>) {
        let state = if good { State::Good } else { State::Bad };
        self.findings.push(Finding { name: name.into(), state, wanted, found: found.into() });
    }

    fn skip(&mut self, name: impl Into<String>, wanted: &'static str, why: &str) {
        let name = name.into();
        self.findings.push(Finding { name, state: State::Skipped, wanted, found: why.into() });
    }
}

/// Sends a request once to a server. Waits at most [`TIMEOUT`].
async fn send_to(server: &Client, request: &Request) -> Result<Answer, ClientError> {
    let silence =
        ClientError::Unreachable(format!("the server did not answer within {} s", TIMEOUT.as_secs()));
    tokio::time::timeout(TIMEOUT, server.send(request)).await.unwrap_or(Err(silence))
}

fn with_higher_base(premium: Premium, more: Rupees) -> Premium {
    Premium::of_parts(premium.base() + more, premium.gst()).unwrap_or(premium)
}

/// Converts an error's text to a sentence.
fn sentence(words: impl std::fmt::Display) -> String {
    let words = words.to_string();
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// Describes an answer in a sentence.
fn describe(answer: &Result<Answer, ClientError>) -> String {
    match answer {
        Ok(answer) => format!("The server answered {}.", answer.status.as_u16()),
        Err(fault) => sentence(fault),
    }
}

/// Whether the answer has a status from 400 to 499.
fn refuses(answer: &Result<Answer, ClientError>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.status.is_client_error())
}

/// A clock that is behind another clock by a number of seconds.
struct LateClock(Arc<dyn Clock>, i64);

impl Clock for LateClock {
    fn now(&self) -> Timestamp {
        let now = self.0.now();
        Timestamp::from_second(now.as_second() - self.1).unwrap_or(now)
    }
}

//! Whether an insurer's server speaks the protocol: for its engineers, thing by thing.

mod door;
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

use self::door::Reached;
use self::proposals::Family;
use crate::exchange::{Answer, Exchange, Fault, Request};
use crate::secret::SecretFile;
use crate::signature::{Credentials, Source};
use crate::tuning::Tuning;

/// How long any answer is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long an answer may take: what the service waits for a quote unless its operator set another time.
const LONGEST: Duration = Duration::from_secs(2);

/// The server that is checked.
#[derive(Debug)]
pub struct Subject {
    /// Its address, without a slash at its end.
    pub url: String,
    /// How it knows us; `None` where it takes everybody.
    pub authentication: Option<(Authentication, SecretFile)>,
    /// Its credit-life variants.
    pub credit_variants: Vec<VariantId>,
    /// Its health variants.
    pub health_variants: Vec<VariantId>,
    /// Whether it is handed a proposal of a fictional customer.
    pub with_proposals: bool,
}

/// How one thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// As wanted.
    Good,
    /// Not as wanted.
    Bad,
    /// It could not be looked at.
    Skipped,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A short name that does not change, for programs.
    pub name: String,
    /// How it was found.
    pub state: State,
    /// What is wanted, as a sentence.
    pub wanted: &'static str,
    /// What was found, as a sentence; may be empty where all is good.
    pub found: String,
}

/// Everything that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// In the order looked at.
    pub findings: Vec<Finding>,
    /// Whether anything answered.
    pub reachable: bool,
}

impl Report {
    /// How many things are not as wanted.
    pub fn bad(&self) -> usize {
        self.findings.iter().filter(|finding| finding.state == State::Bad).count()
    }
}

/// Looks at a server.
///
/// # Errors
/// Why it cannot even be tried: the address, the secret, no variant to ask for.
pub async fn check(
    subject: Subject,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
) -> Result<Report, String> {
    if subject.credit_variants.is_empty() && subject.health_variants.is_empty() {
        return Err("there is no variant to ask for".into());
    }
    let credentials = subject.authentication.map(|(authentication, file)| {
        file.judge()?;
        Ok::<_, String>(Arc::new(Credentials { authentication, source: Source::File(file) }))
    });
    let credentials = credentials.transpose()?;
    let examiner = Examiner {
        today: day_of(clock.now()),
        server: exchange(&subject.url, credentials.clone(), clock.clone())?,
        url: subject.url,
        credentials,
        ids: Ids::new(clock.clone(), random.clone()),
        clock,
        random,
        slowest: Duration::ZERO,
        findings: Vec::new(),
    };
    Ok(examiner.look(&subject.credit_variants, &subject.health_variants, subject.with_proposals).await)
}

fn exchange(
    url: &str,
    credentials: Option<Arc<Credentials>>,
    clock: Arc<dyn Clock>,
) -> Result<Exchange, String> {
    Exchange::to(url, credentials, clock, Tuning::default().largest_answer)
}

/// Who looks, with what was found so far.
struct Examiner {
    url: String,
    credentials: Option<Arc<Credentials>>,
    server: Exchange,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    ids: Ids,
    today: Date,
    slowest: Duration,
    findings: Vec<Finding>,
}

impl Examiner {
    async fn look(mut self, credit: &[VariantId], health: &[VariantId], with_proposals: bool) -> Report {
        let knock = self.knock(credit, health);
        let reached = self.reaches(&knock).await;
        if reached == Reached::Inside {
            self.strangers(&knock).await;
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
            }
            let slowest = self.slowest;
            self.note(
                "in-time",
                "Every answer is there within 2 s.",
                slowest <= LONGEST,
                format!("The slowest took {} ms.", slowest.as_millis()),
            );
        }
        Report { findings: self.findings, reachable: reached != Reached::Nobody }
    }

    async fn credit_proposals(&mut self, priced: Option<(VariantId, Premium)>) {
        let today = self.today;
        let propose = priced.map(|(variant, premium)| {
            move |id: ProposalId, more: Rupees| sample::proposal(id, variant, dearer(premium, more), today)
        });
        self.proposals(Family {
            name: "proposal",
            unpriced: "No price of a credit-life variant could be read, so that there is none to propose.",
            propose: propose.as_ref().map(|propose| propose as _),
        })
        .await;
    }

    async fn health_proposals(&mut self, offered: Option<(VariantId, HealthOffer)>) {
        let today = self.today;
        let shortest = offered.and_then(|(variant, offer)| Some((variant, *offer.tenures.first()?, offer)));
        let propose = shortest.map(|(variant, TenurePrice { years, premium }, offer)| {
            move |id: ProposalId, more: Rupees| {
                let price = TenurePrice { years, premium: dearer(premium, more) };
                sample::health_proposal(id, variant, &offer, price, today)
            }
        });
        self.proposals(Family {
            name: "health-proposal",
            unpriced: "No price of a health variant could be read, so that there is none to propose.",
            propose: propose.as_ref().map(|propose| propose as _),
        })
        .await;
    }

    /// Sends a request once, and measures it.
    async fn send(&mut self, request: &Request) -> Result<Answer, Fault> {
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

/// Sends a request once to a server, and waits as long as patience lasts.
async fn send_to(server: &Exchange, request: &Request) -> Result<Answer, Fault> {
    let silence = Fault::Unreachable(format!("it did not answer within {} s", PATIENCE.as_secs()));
    tokio::time::timeout(PATIENCE, server.send(request)).await.unwrap_or(Err(silence))
}

/// A premium with so many rupees more.
fn dearer(premium: Premium, more: Rupees) -> Premium {
    Premium::of_parts(premium.base() + more, premium.gst()).unwrap_or(premium)
}

/// A sentence from the words of a fault.
fn sentence(words: impl std::fmt::Display) -> String {
    let words = words.to_string();
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// What was answered, in words.
fn told(answer: &Result<Answer, Fault>) -> String {
    match answer {
        Ok(answer) => format!("It answered {}.", answer.status.as_u16()),
        Err(fault) => sentence(fault),
    }
}

/// Whether an answer refuses a request: a status from 400 to 499.
fn refuses(answer: &Result<Answer, Fault>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.status.is_client_error())
}

/// A clock that is so many seconds behind.
struct Behind(Arc<dyn Clock>, i64);

impl Clock for Behind {
    fn now(&self) -> Timestamp {
        let now = self.0.now();
        Timestamp::from_second(now.as_second() - self.1).unwrap_or(now)
    }
}

//! Connects to that host of a database address that takes writes.
//!
//! A frozen server still accepts connections, but then says nothing. So the whole connection attempt has a
//! limit, including the handshake and the first queries. Otherwise the hosts after it would never be tried. A
//! server that was replaced while it was frozen behaves as the primary when it wakes up. So all hosts are
//! queried at once. Of the hosts that take writes, the one on the newest timeline is used.
//!
//! Querying all hosts is a survey. Only one survey runs at a time, and its result serves all tasks that wait
//! for it. No survey runs while the host that was found answers, so that an overloaded server gets no further
//! queries.

use std::future::Future;
use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use deadpool_postgres::ClientWrapper;
use futures_util::future::{FutureExt, join_all};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::address;
use super::fault::{CONNECTING, Fault, FaultKind};
use super::timeline::{Newest, Timeline};
use super::tls::Tls;

/// Connection that returns to its pool when it is dropped.
pub(crate) type Connection = managed::Object<Maker>;

/// Makes the connections of a pool. Pools with the same hosts share the results of surveys, which find the
/// primary.
pub(crate) struct Maker(pub(crate) Arc<Hosts>);

/// Session at a database server, as the pool stores it.
pub(crate) struct Session {
    client: ClientWrapper,
    /// Timeline of the server. `None` if the server was not asked for it, or does not report it.
    timeline: Option<Timeline>,
}

impl Session {
    /// Number of the server's timeline, or 0 if unknown.
    fn number(&self) -> u32 {
        self.timeline.map_or(0, |timeline| timeline.number)
    }
}

impl Deref for Session {
    type Target = ClientWrapper;

    fn deref(&self) -> &ClientWrapper {
        &self.client
    }
}

/// Why a host is not used. If there are several reasons, the last variant of them is reported, because later
/// variants explain more.
enum Refusal {
    Silent,
    /// No server answers, or the server takes no writes.
    Away(Fault),
    /// The server refused the connection and said why.
    Refused(Fault),
    /// The server takes writes, but was replaced by another one.
    Replaced(Fault),
}

impl Refusal {
    fn weight(&self) -> u8 {
        match self {
            Refusal::Silent => 0,
            Refusal::Away(_) => 1,
            Refusal::Refused(_) => 2,
            Refusal::Replaced(_) => 3,
        }
    }
}

impl From<tokio_postgres::Error> for Refusal {
    fn from(fault: tokio_postgres::Error) -> Self {
        let is_said = fault.as_db_error().is_some();
        let fault = Fault::at_connecting(fault);
        if is_said { Refusal::Refused(fault) } else { Refusal::Away(fault) }
    }
}

/// Why a survey found no host that can be used.
#[derive(Clone)]
struct Nowhere {
    why: String,
    /// Whether a later try may succeed, because a host was too busy to answer, or a replaced server woke up
    /// and will be stopped.
    may_pass: bool,
}

impl Nowhere {
    fn of(refusals: Vec<Refusal>) -> Self {
        let may_pass = refusals.iter().any(|one| matches!(one, Refusal::Silent | Refusal::Replaced(_)));
        let why = match refusals.into_iter().max_by_key(Refusal::weight) {
            Some(Refusal::Away(fault) | Refusal::Refused(fault) | Refusal::Replaced(fault)) => fault.text,
            Some(Refusal::Silent) | None => "the database did not accept a connection in time".to_owned(),
        };
        Nowhere { why, may_pass }
    }
}

/// Result of the last survey, which queries all hosts to find the primary.
#[derive(Clone)]
struct Surveyed {
    /// Number of surveys of the hosts so far.
    surveys: u64,
    /// When the last survey ended, if any.
    at: Option<Instant>,
    found: Result<Config, Nowhere>,
}

/// Hosts of a database address, with the result of the last survey, which finds the primary.
pub(crate) struct Hosts {
    each: Vec<Config>,
    tls: Tls,
    /// Longest time to connect to one address of a host.
    limit: Duration,
    /// Longest time that a caller waits, including the time to connect.
    pub(crate) patience: Duration,
    /// SQL that is executed at the start of every session.
    begin: Option<String>,
    /// Newest timeline that was seen on the hosts. `None` if hosts that take no writes are used too.
    newest: Option<Newest>,
    surveyed: Mutex<Surveyed>,
    /// How often it became doubtful which host is the primary. The field `settled` is this number at the
    /// start of the last survey.
    doubts: AtomicU64,
    settled: AtomicU64,
    /// Lock that is held while a survey runs.
    surveying: tokio::sync::Mutex<()>,
}

impl Hosts {
    /// All hosts of an address. `patience`: longest time that a caller waits. `named`: there is no pooler, so
    /// every session sets `patience` as its statement timeout. Behind a pooler, the database role must have a
    /// timeout.
    pub(crate) fn of(config: &Config, tls: Tls, patience: Duration, named: bool) -> Self {
        let nowhere = Nowhere { why: "no host of the database was asked yet".to_owned(), may_pass: true };
        Hosts {
            each: address::each_host(config),
            tls,
            limit: config.get_connect_timeout().copied().unwrap_or(CONNECTING),
            patience,
            begin: named.then(|| {
                let limit = patience.as_millis();
                format!("set statement_timeout = {limit}; set idle_in_transaction_session_timeout = {limit}")
            }),
            newest: None,
            surveyed: Mutex::new(Surveyed { surveys: 0, at: None, found: Err(nowhere) }),
            doubts: AtomicU64::new(0),
            settled: AtomicU64::new(0),
            surveying: tokio::sync::Mutex::new(()),
        }
    }

    /// The same hosts, but a host is refused if its timeline is older than the newest that was seen.
    pub(crate) fn on_newest_timeline(self) -> Self {
        // The known host may not answer, and then another one. The limit leaves time to try all.
        Hosts { newest: Some(Newest::default()), limit: self.limit.min(self.patience / 3), ..self }
    }

    /// Call this after a connection broke: the primary is searched again (surveyed) before the next use. A
    /// recent survey is enough, because many connections break at once.
    pub(crate) fn doubt(&self) {
        self.doubt_unless_surveyed_within(self.limit);
    }

    /// Call this after a statement got no answer: the primary is searched again (surveyed), unless that
    /// happened after the statement was sent. If a lock is held long, many statements wait, but one survey is
    /// enough.
    pub(crate) fn doubt_in_silence(&self) {
        self.doubt_unless_surveyed_within(self.patience);
    }

    fn doubt_unless_surveyed_within(&self, time: Duration) {
        if self.surveyed().at.is_none_or(|at| at.elapsed() > time) {
            self.doubts.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn is_doubted(&self) -> bool {
        self.doubts.load(Ordering::Relaxed) != self.settled.load(Ordering::Relaxed)
    }

    fn surveyed(&self) -> MutexGuard<'_, Surveyed> {
        self.surveyed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects to the host that was found last, or surveys the hosts to find a suitable one.
    async fn connect(&self) -> Result<Session, Fault> {
        let begun = Instant::now();
        let mut limit = self.limit;
        loop {
            let round = Instant::now();
            let before = self.surveyed().clone();
            if let Ok(found) = before.found
                && !self.is_doubted()
                && let Ok(session) = within(limit, self.connect_to(&found)).await
            {
                return Ok(session);
            }
            if let Some(session) = self.survey(before.surveys, limit).await {
                return Ok(session);
            }
            let Err(nowhere) = self.surveyed().found.clone() else { continue };
            if !nowhere.may_pass {
                return Err(Fault::lost(nowhere.why));
            }
            sleep_until(round + limit).await;
            // A host that did not answer in time may answer if it gets more time. Some time must remain to
            // use the answer.
            limit = (limit * 2).min((self.patience - self.limit / 2).saturating_sub(begun.elapsed()));
            if limit < self.limit {
                return Err(Fault::lost(nowhere.why));
            }
        }
    }

    /// Whether a timeline newer than that of the session's server was seen. If it is doubtful which host is
    /// the primary, surveys the hosts first.
    async fn is_replaced(&self, session: &Session) -> bool {
        let Some(newest) = &self.newest else { return false };
        if self.is_doubted() {
            let before = self.surveyed().surveys;
            drop(self.survey(before, self.limit).boxed().await);
        }
        newest.is_newer_than(session.timeline)
    }

    /// Surveys all hosts and connects to a suitable one. `None` if no host is suitable, or if another task
    /// has made a survey after survey number `since`.
    async fn survey(&self, since: u64, limit: Duration) -> Option<Session> {
        let _alone = self.surveying.lock().await;
        if self.surveyed().surveys != since {
            return None;
        }
        // Doubts that arise meanwhile are left for the next survey.
        let doubts = self.doubts.load(Ordering::Relaxed);
        let (found, session) = match self.ask_all(limit).await {
            Ok((host, session)) => (Ok(host), Some(session)),
            Err(refusals) => (Err(Nowhere::of(refusals)), None),
        };
        *self.surveyed() = Surveyed { surveys: since + 1, at: Some(Instant::now()), found };
        self.settled.store(doubts, Ordering::Relaxed);
        session
    }

    /// Connects to all hosts at once. Returns the host on the newest timeline, with its session.
    async fn ask_all(&self, limit: Duration) -> Result<(Config, Session), Vec<Refusal>> {
        let addresses = join_all(self.each.iter().map(|one| self.addresses_of(one))).await;
        let asked = addresses.into_iter().flatten().map(async |one| {
            let session = within(limit, self.open(&one)).await?;
            Ok((one, session))
        });
        let (mut best, mut refusals) = (None::<(Config, Session)>, Vec::new());
        for outcome in join_all(asked).await {
            match outcome {
                Ok(found) if best.as_ref().is_none_or(|best| best.1.number() < found.1.number()) => {
                    best = Some(found);
                }
                Ok(_) => {}
                Err(refusal) => refusals.push(refusal),
            }
        }
        let Some((host, session)) = best else { return Err(refusals) };
        match within(limit, self.begin(session)).await {
            Ok(session) => Ok((host, session)),
            Err(refusal) => {
                refusals.push(refusal);
                Err(refusals)
            }
        }
    }

    async fn connect_to(&self, host: &Config) -> Result<Session, Refusal> {
        self.begin(self.open(host).await?).await
    }

    /// Refuses a server that another server has replaced. Otherwise sets up the session.
    async fn begin(&self, session: Session) -> Result<Session, Refusal> {
        if let (Some(newest), Some(timeline)) = (&self.newest, session.timeline) {
            newest.note(timeline).map_err(|newest| {
                let number = timeline.number;
                Refusal::Replaced(Fault::lost(format!(
                    "the server that takes writes is on timeline {number}, but timeline {newest} was seen before: another server \
                     has replaced it. If the database was restored from a backup, restart covernote",
                )))
            })?;
        }
        if let Some(begin) = &self.begin {
            session.batch_execute(begin).await?;
        }
        Ok(session)
    }

    async fn open(&self, host: &Config) -> Result<Session, Refusal> {
        let (client, connection) = host.connect(self.tls.clone()).await?;
        let drive = tokio::spawn(async move {
            if let Err(fault) = connection.await {
                tracing::debug!("a connection to the database ended: {fault}");
            }
        });
        let client = ClientWrapper::new(client, drive);
        let timeline = match &self.newest {
            Some(_) => Timeline::of(&client).await?,
            None => None,
        };
        Ok(Session { client, timeline })
    }

    /// One configuration for each IP address of a host's name. If the name cannot be resolved, only the
    /// unchanged configuration.
    async fn addresses_of(&self, one: &Config) -> Vec<Config> {
        let ([Host::Tcp(name)], [port], []) = (one.get_hosts(), one.get_ports(), one.get_hostaddrs()) else {
            return vec![one.clone()];
        };
        let found = timeout(self.limit, tokio::net::lookup_host((name.as_str(), *port))).await;
        let Ok(Ok(found)) = found else {
            // Connecting to it will fail and say why.
            return vec![one.clone()];
        };
        let at = |address: SocketAddr| {
            let mut at = one.clone();
            at.hostaddr(address.ip());
            at
        };
        let found: Vec<Config> = found.map(at).collect();
        if found.is_empty() { vec![one.clone()] } else { found }
    }
}

/// Answer of a host, or [`Refusal::Silent`] if the answer takes longer than `limit`.
async fn within<T>(limit: Duration, asked: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
    timeout(limit, asked).await.unwrap_or_else(|_| {
        tracing::debug!("a host of the database did not answer within {limit:?}");
        Err(Refusal::Silent)
    })
}

impl managed::Manager for Maker {
    type Type = Session;
    type Error = Fault;

    async fn create(&self) -> Result<Session, Fault> {
        self.0.connect().boxed().await
    }

    async fn recycle(&self, session: &mut Session, _: &Metrics) -> RecycleResult<Fault> {
        if session.is_closed() {
            self.0.doubt();
            return Err(RecycleError::message("the database connection broke"));
        }
        if self.0.is_replaced(session).await {
            return Err(RecycleError::message("the server of this database connection was replaced"));
        }
        Ok(())
    }
}

impl Fault {
    /// If the fault concerns the server, requires that the primary is searched again (surveyed). Also closes
    /// idle connections if the server is gone or takes no writes.
    pub(crate) fn doubts_server_of(&self, connection: &Connection) {
        let Some(pool) = Connection::pool(connection) else { return };
        match self.kind {
            FaultKind::Lost | FaultKind::NotDone => {
                pool.retain(|_, _| false);
                pool.manager().0.doubt();
            }
            FaultKind::Slow => pool.manager().0.doubt_in_silence(),
            _ => {}
        }
    }
}

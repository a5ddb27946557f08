//! How a connection is made: to that host of the address which takes writes.
//!
//! A server that is frozen still takes connections, and then says nothing. So the whole of a connection has a limit, the handshake
//! and what is asked of the server included: else the hosts behind such a one would never be heard. One that was replaced while it
//! was frozen wakes up as if it were still the primary. So all hosts are asked at once, and of those that take writes the one on the
//! newest timeline is used.
//!
//! That is a survey. There is one at a time, whose outcome serves all who wait for it, and none while the host that it found answers:
//! a server that is slow since too much is asked of it is not asked for more.

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

/// A connection, which the pool takes back.
pub(crate) type Connection = managed::Object<Maker>;

/// Makes the connections of a pool. Several pools may be to the same hosts, and know of them what each finds out.
pub(crate) struct Maker(pub(crate) Arc<Hosts>);

/// What the pool holds: a session at a server.
pub(crate) struct Session {
    client: ClientWrapper,
    /// The server's timeline, where that was asked and told.
    timeline: Option<Timeline>,
}

impl Session {
    /// The number of its timeline, nought where there is none.
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

/// Why a host is not used: the more telling, the later.
enum Refusal {
    Silent,
    /// Nobody is there, or somebody who takes no writes.
    Away(Fault),
    /// It says why.
    Refused(Fault),
    /// It takes writes, and was replaced.
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

/// Why no host is used.
#[derive(Clone)]
struct Nowhere {
    why: String,
    /// Whether that may be otherwise in a moment: a host was too busy to answer, or was woken and will be stopped.
    may_pass: bool,
}

impl Nowhere {
    fn of(refusals: Vec<Refusal>) -> Self {
        let may_pass = refusals.iter().any(|one| matches!(one, Refusal::Silent | Refusal::Replaced(_)));
        let why = match refusals.into_iter().max_by_key(Refusal::weight) {
            Some(Refusal::Away(fault) | Refusal::Refused(fault) | Refusal::Replaced(fault)) => fault.text,
            Some(Refusal::Silent) | None => "the database did not take a connection in time".to_owned(),
        };
        Nowhere { why, may_pass }
    }
}

/// What the last survey found.
#[derive(Clone)]
struct Surveyed {
    /// How many there were.
    surveys: u64,
    /// When it ended, where there was one.
    at: Option<Instant>,
    found: Result<Config, Nowhere>,
}

/// The hosts of an address.
pub(crate) struct Hosts {
    each: Vec<Config>,
    tls: Tls,
    /// Longest wait for one address of a host.
    limit: Duration,
    /// Longest wait of who uses a connection, with which a wait for the connection itself begins.
    pub(crate) patience: Duration,
    /// What every session begins with.
    begin: Option<String>,
    /// The newest timeline, where only a server that takes writes is wanted.
    newest: Option<Newest>,
    surveyed: Mutex<Surveyed>,
    /// How often it was doubted where the primary is, and how many of these doubts a survey has settled.
    doubts: AtomicU64,
    settled: AtomicU64,
    /// Held by the one who makes a survey.
    surveying: tokio::sync::Mutex<()>,
}

impl Hosts {
    /// Every host of an address, for who has so much patience. `named`: a session is the client's own, and ends every statement after
    /// that time; behind a pooler that gives transactions to other sessions the role has to have such a limit.
    pub(crate) fn of(config: &Config, tls: Tls, patience: Duration, named: bool) -> Self {
        let nowhere = Nowhere { why: "no host was asked".to_owned(), may_pass: true };
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

    /// The same, of which none is used on an older timeline than was seen.
    pub(crate) fn on_newest_timeline(self) -> Self {
        // The one that was found may be silent, and then another one: there is to be time for all.
        Hosts { newest: Some(Newest::default()), limit: self.limit.min(self.patience / 3), ..self }
    }

    /// Lets a survey say where the primary is, before anything else is asked of it: a connection broke. Many break at once.
    pub(crate) fn doubt(&self) {
        self.doubt_unless_surveyed_within(self.limit);
    }

    /// The same where a statement got no answer: unless there was a survey since it was sent. Many wait where a lock is held for long.
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

    /// A connection to the host that is as wanted.
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
            // Who did not answer in time may answer in more. There is to be some left in which the answer is heard.
            limit = (limit * 2).min((self.patience - self.limit / 2).saturating_sub(begun.elapsed()));
            if limit < self.limit {
                return Err(Fault::lost(nowhere.why));
            }
        }
    }

    /// Whether a newer timeline was seen than that of a session. Where the primary is in doubt, a survey says so first.
    async fn is_replaced(&self, session: &Session) -> bool {
        let Some(newest) = &self.newest else { return false };
        if self.is_doubted() {
            let before = self.surveyed().surveys;
            drop(self.survey(before, self.limit).boxed().await);
        }
        newest.is_newer_than(session.timeline)
    }

    /// Finds the host that is as wanted. `None`: there is none, or somebody else has looked since so many surveys.
    async fn survey(&self, since: u64, limit: Duration) -> Option<Session> {
        let _alone = self.surveying.lock().await;
        if self.surveyed().surveys != since {
            return None;
        }
        // One that comes meanwhile is for the next survey.
        let doubts = self.doubts.load(Ordering::Relaxed);
        let (found, session) = match self.ask_all(limit).await {
            Ok((host, session)) => (Ok(host), Some(session)),
            Err(refusals) => (Err(Nowhere::of(refusals)), None),
        };
        *self.surveyed() = Surveyed { surveys: since + 1, at: Some(Instant::now()), found };
        self.settled.store(doubts, Ordering::Relaxed);
        session
    }

    /// Asks all hosts at once, and takes the one on the newest timeline.
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

    /// Refuses a server that was replaced, and makes a session of any other one ready.
    async fn begin(&self, session: Session) -> Result<Session, Refusal> {
        if let (Some(newest), Some(timeline)) = (&self.newest, session.timeline) {
            newest.note(timeline).map_err(|newest| {
                let number = timeline.number;
                Refusal::Replaced(Fault::lost(format!(
                    "the server that takes writes is on timeline {number}, and timeline {newest} was seen: it was replaced, and \
                     will be stopped; if the database was restored from a backup, restart covernote",
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

    /// A host once for each of its addresses: a name may have several, and what has none is asked by its name.
    async fn addresses_of(&self, one: &Config) -> Vec<Config> {
        let ([Host::Tcp(name)], [port], []) = (one.get_hosts(), one.get_ports(), one.get_hostaddrs()) else {
            return vec![one.clone()];
        };
        let found = timeout(self.limit, tokio::net::lookup_host((name.as_str(), *port))).await;
        let Ok(Ok(found)) = found else {
            // Who connects to it is told why.
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

/// What a host answers, where it does so in time.
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
            return Err(RecycleError::message("it broke"));
        }
        if self.0.is_replaced(session).await {
            return Err(RecycleError::message("its server was replaced"));
        }
        Ok(())
    }
}

impl Fault {
    /// Doubts where the primary is, after a fault that tells of it; and closes what waits in the pool of a connection, where all of it
    /// leads to a server that is gone, or takes no writes.
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

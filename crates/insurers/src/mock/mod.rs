//! The mock insurer: the protocol served from a catalogue, with scripted failures.

mod answer;
mod behaviour;
mod handlers;
mod malformed;
mod router;

use std::collections::HashMap;
use std::io;
use std::net::TcpListener;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use rating::{Authentication, Catalogue};
use serde_json::Value;
use service::clock::Clock;

use tokio::time::Instant;

use crate::client::Client;
use crate::secret::SecretFile;
use crate::signature::{Credentials, SecretSource};
use crate::tuning::Tuning;

pub use behaviour::Behaviour;
pub use handlers::Verdict;
pub use malformed::Malformed;
pub use router::RequestCounts;

/// Grace period for requests in flight at a stop. Some of them hang on purpose.
const DRAIN: Duration = Duration::from_secs(1);

/// Settings of a mock insurer.
#[derive(Debug, Default)]
pub struct MockSettings {
    /// Scripted behaviour; it can be changed later.
    pub behaviour: Behaviour,
    /// Seed of the pseudo-random sequence: the same seed gives the same bad answers to the same requests.
    pub seed: u64,
    /// The decision on every proposal.
    pub verdict: Verdict,
    /// Time from a submission to its decision.
    pub decide_after: Duration,
    /// How requests are authenticated; `None` accepts every request.
    pub authentication: Option<(Authentication, SecretFile)>,
    /// Address of the service that receives decisions, without a slash at its end; `None` sends none.
    pub callback_url: Option<String>,
}

/// A mock insurer. It prices every variant of its catalogue from rate tables and ignores the catalogue's connectors.
#[derive(Clone)]
pub struct Mock(Arc<State>);

/// The state that all requests share.
struct State {
    catalogue: Arc<Catalogue>,
    clock: Arc<dyn Clock>,
    credentials: Option<Arc<Credentials>>,
    behaviour: Mutex<Behaviour>,
    sequence: AtomicU64,
    counts: Arc<router::Counters>,
    submissions: handlers::Submissions,
    /// The notices that were taken, each once.
    notices: Mutex<Vec<Value>>,
    /// Since when each request is known.
    requests: Mutex<HashMap<String, Instant>>,
}

impl Mock {
    /// A mock insurer.
    ///
    /// # Errors
    /// Why it cannot be created: an unusable secret, an invalid address of the service.
    pub fn new(
        catalogue: Arc<Catalogue>,
        settings: MockSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, String> {
        let credentials = settings.authentication.map(|(authentication, file)| {
            file.validate()?;
            Ok::<_, String>(Arc::new(Credentials { authentication, source: SecretSource::File(file) }))
        });
        let credentials = credentials.transpose()?;
        let largest = Tuning::default().max_answer_bytes;
        let callback = settings
            .callback_url
            .map(|url| Client::to(&url, credentials.clone(), clock.clone(), largest))
            .transpose()?;
        Ok(Mock(Arc::new(State {
            catalogue,
            clock,
            credentials,
            behaviour: Mutex::new(settings.behaviour),
            sequence: AtomicU64::new(settings.seed),
            counts: Arc::default(),
            submissions: handlers::Submissions::new(settings.verdict, settings.decide_after, callback),
            notices: Mutex::default(),
            requests: Mutex::default(),
        })))
    }

    /// Changes the scripted behaviour from now on.
    pub fn set_behaviour(&self, behaviour: Behaviour) {
        *self.0.behaviour.lock().unwrap_or_else(PoisonError::into_inner) = behaviour;
    }

    /// Counts of the requests so far.
    pub fn counts(&self) -> RequestCounts {
        self.0.counts.read()
    }

    /// What it was told of policies, each notice once, in the order in which they came.
    pub fn notices(&self) -> Vec<Value> {
        self.0.notices.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its routes.
    pub fn router(&self) -> Router {
        router::router(self.0.clone())
    }

    /// Serves until `stop` completes.
    ///
    /// # Errors
    /// The system's error on the listener.
    pub async fn serve(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let (stopping, stopped) = tokio::sync::oneshot::channel::<()>();
        let stop = async move {
            stop.await;
            drop(stopping);
        };
        let late = async move {
            let _ = stopped.await;
            tokio::time::sleep(DRAIN).await;
        };
        tokio::select! {
            served = axum::serve(listener, self.router()).with_graceful_shutdown(stop) => served,
            () = late => Ok(()),
        }
    }
}

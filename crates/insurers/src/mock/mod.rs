//! Mock insurer: serves the protocol from a catalogue, with scripted failures.

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

/// Time that requests in flight may take at a stop. It is short, because some of them hang on purpose.
const DRAIN: Duration = Duration::from_secs(1);

/// Settings of a mock insurer.
#[derive(Debug, Default)]
pub struct MockSettings {
    /// Scripted behaviour at the start. [`Mock::set_behaviour`] changes it.
    pub behaviour: Behaviour,
    /// Seed of the pseudo-random sequence. With the same seed, the same requests get the same bad answers.
    pub seed: u64,
    /// Decision on every proposal.
    pub verdict: Verdict,
    /// Time from the submission of a proposal to its decision.
    pub decide_after: Duration,
    /// How requests must be authenticated. `None`: every request is accepted.
    pub authentication: Option<(Authentication, SecretFile)>,
    /// Base URL of the service that receives decisions, without a slash at the end. `None`: no decisions are
    /// sent.
    pub callback_url: Option<String>,
}

/// Mock insurer. It prices every variant of its catalogue from rate tables, and ignores the catalogue's
/// connectors.
#[derive(Clone)]
pub struct Mock(Arc<State>);

/// State that all requests to the mock insurer share.
struct State {
    catalogue: Arc<Catalogue>,
    clock: Arc<dyn Clock>,
    credentials: Option<Arc<Credentials>>,
    behaviour: Mutex<Behaviour>,
    sequence: AtomicU64,
    counts: Arc<router::Counters>,
    submissions: handlers::Submissions,
    /// Received notices, each stored once.
    notices: Mutex<Vec<Value>>,
    /// Time at which each request about a policy first arrived. The key is the request's id.
    requests: Mutex<HashMap<String, Instant>>,
}

impl Mock {
    /// Creates a mock insurer.
    ///
    /// # Errors
    /// The reason why the mock insurer cannot be created: an unusable secret, or an invalid URL of the
    /// service.
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

    /// Changes the scripted behaviour. It applies to later requests.
    pub fn set_behaviour(&self, behaviour: Behaviour) {
        *self.0.behaviour.lock().unwrap_or_else(PoisonError::into_inner) = behaviour;
    }

    pub fn counts(&self) -> RequestCounts {
        self.0.counts.read()
    }

    /// Received notices about policies, each once, in order of arrival.
    pub fn notices(&self) -> Vec<Value> {
        self.0.notices.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn router(&self) -> Router {
        router::router(self.0.clone())
    }

    /// Serves requests until `stop` completes.
    ///
    /// # Errors
    /// If the operating system reports an error of the listener.
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

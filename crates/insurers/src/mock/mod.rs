//! The mock insurer: the protocol served from a catalogue, well or badly, as it is told.

mod desk;
mod door;
mod mood;
mod rubbish;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use rating::{Authentication, Catalogue};
use service::clock::Clock;

use crate::exchange::Exchange;
use crate::secret::SecretFile;
use crate::signature::{Credentials, Source};
use crate::tuning::Tuning;

pub use desk::Verdict;
pub use door::Tally;
pub use mood::Mood;
pub use rubbish::Rubbish;

/// How long requests in flight may go on once the mock is told to stop. Some of them hang on purpose.
const DRAIN: Duration = Duration::from_secs(1);

/// What a mock insurer is like.
#[derive(Debug, Default)]
pub struct MockSettings {
    /// How it treats requests, until it is changed.
    pub mood: Mood,
    /// Where its dice begin: the same seed gives the same bad answers in the same places.
    pub seed: u64,
    /// How it decides proposals.
    pub verdict: Verdict,
    /// How long after a submission it has decided.
    pub decide_after: Duration,
    /// How it is shown who asks; `None` takes everybody.
    pub authentication: Option<(Authentication, SecretFile)>,
    /// The address of the service that it tells its decisions to, without a slash at its end; `None` waits to be asked.
    pub tell: Option<String>,
}

/// A mock insurer. It prices every variant of its catalogue by rate tables, whatever the connectors there say.
#[derive(Clone)]
pub struct Mock(Arc<State>);

/// Everything that requests share.
struct State {
    catalogue: Arc<Catalogue>,
    clock: Arc<dyn Clock>,
    credentials: Option<Arc<Credentials>>,
    mood: Mutex<Mood>,
    dice: AtomicU64,
    tally: Arc<door::Counters>,
    desk: desk::Desk,
}

impl Mock {
    /// A mock insurer.
    ///
    /// # Errors
    /// Why it cannot be: a secret that cannot be used, an address to tell that is none.
    pub fn new(
        catalogue: Arc<Catalogue>,
        settings: MockSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, String> {
        let credentials = settings.authentication.map(|(authentication, file)| {
            file.judge()?;
            Ok::<_, String>(Arc::new(Credentials { authentication, source: Source::File(file) }))
        });
        let credentials = credentials.transpose()?;
        let largest = Tuning::default().largest_answer;
        let tell = settings
            .tell
            .map(|url| Exchange::to(&url, credentials.clone(), clock.clone(), largest))
            .transpose()?;
        Ok(Mock(Arc::new(State {
            catalogue,
            clock,
            credentials,
            mood: Mutex::new(settings.mood),
            dice: AtomicU64::new(settings.seed),
            tally: Arc::default(),
            desk: desk::Desk::new(settings.verdict, settings.decide_after, tell),
        })))
    }

    /// Changes how it treats requests from now on.
    pub fn set_mood(&self, mood: Mood) {
        *self.0.mood.lock().unwrap_or_else(PoisonError::into_inner) = mood;
    }

    /// What it was asked so far.
    pub fn tally(&self) -> Tally {
        self.0.tally.read()
    }

    /// Its routes.
    pub fn router(&self) -> Router {
        door::router(self.0.clone())
    }

    /// Serves until told to stop.
    ///
    /// # Errors
    /// What the system says of the listener.
    pub async fn serve(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let handle = axum_server::Handle::<SocketAddr>::new();
        let server = axum_server::from_tcp(listener)?.handle(handle.clone()).http1_only();
        tokio::spawn(async move {
            stop.await;
            handle.graceful_shutdown(Some(DRAIN));
        });
        server.serve(self.router().into_make_service()).await
    }
}

//! Who acts: the identity for the audit trail.
//!
//! The entry points of the program set this identity. The store writes it into the audit trail with every
//! operation.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::id::{InsurerId, OperatorId, PartnerId, Uuid};

tokio::task_local! {
    static CURRENT: Arc<Acting>;
}

/// Party that performs an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// Operator who signed in.
    Operator(OperatorId),
    /// User of the server's machine, by user id (uid).
    User(u32),
    Partner(PartnerId),
    /// Customer of a partner, on the hosted pages.
    Customer(PartnerId),
    Insurer(InsurerId),
    /// Caller without a token, such as a payment gateway.
    Anonymous,
    /// This program: its workers and its calendar.
    System,
}

impl Actor {
    /// Identity that counts for approvals by two people. All users of the server's machine count as one
    /// person, because one user can act as another.
    pub fn person(&self) -> String {
        match self {
            Actor::User(_) => "a user of the server's machine".to_owned(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Operator(id) => write!(to, "{id}"),
            Actor::User(number) => write!(to, "uid:{number}"),
            Actor::Partner(id) => write!(to, "{id}"),
            Actor::Customer(id) => write!(to, "customer:{id}"),
            Actor::Insurer(id) => write!(to, "{id}"),
            Actor::Anonymous => to.write_str("anonymous"),
            Actor::System => to.write_str("system"),
        }
    }
}

/// Entry point through which an operation was requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Via {
    /// No request: a job, the calendar, or a command that opens the store directly.
    #[default]
    Process,
    /// The socket on the server's machine, or a command that serves its own request because no server runs.
    Socket,
    /// The operators' API over HTTPS.
    Https,
    /// A page of the operators' console.
    Console,
    /// The partners' API, an insurer's call, or the hosted pages.
    Api,
}

impl Via {
    pub const fn word(self) -> &'static str {
        match self {
            Via::Process => "process",
            Via::Socket => "socket",
            Via::Https => "https",
            Via::Console => "console",
            Via::Api => "api",
        }
    }
}

/// How much of a limit the requester has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Name of the limit, such as `tokens`.
    pub name: &'static str,
    /// Maximum number within the window.
    pub most: u64,
    /// Length of the window in seconds.
    pub window: u64,
    pub left: u64,
    /// Seconds until `left` grows again.
    pub resets_in: u64,
}

/// Rows that the store writes in the first transaction of an operator's act that gets an audit entry. So the act is
/// done exactly if they are written, even if the process is killed. Only the store knows their type
/// ([`crate::storage::Audit::companions`]).
pub type Companions = Arc<dyn Any + Send + Sync>;

/// The current operation, and who performs it.
#[derive(Default)]
pub struct Acting {
    pub via: Via,
    /// Name of an operator's act, such as `claim.decide`, or route of a request.
    pub action: Cow<'static, str>,
    /// HTTP method of a request.
    pub method: &'static str,
    pub request: Option<Uuid>,
    /// Short id of the operator's session: the start of the hash of its secret.
    pub session: Option<String>,
    /// Reason in the operator's words. Stored encrypted.
    pub reason: Option<String>,
    /// Id of the approval that allowed the operation, once known.
    pub approval: OnceLock<String>,
    /// Whether the store undoes every operation that would get an audit entry, once all its checks have passed.
    is_rehearsal: bool,
    /// Whether the store undid an operation because it was only a rehearsal.
    is_rehearsed: AtomicBool,
    companions: Mutex<Option<Companions>>,
    allowance: Mutex<Option<Allowance>>,
    actor: OnceLock<Actor>,
    entries: AtomicU32,
}

impl Acting {
    /// An operation through this entry point; the actor is not known yet.
    pub fn of(via: Via, action: impl Into<Cow<'static, str>>) -> Self {
        Acting { via, action: action.into(), ..Acting::default() }
    }

    /// Sets the actor. An actor that is already set stays.
    pub fn by(self, actor: Actor) -> Self {
        let _ = self.actor.set(actor);
        self
    }

    /// The same operation as a rehearsal: the store checks everything, but changes nothing.
    pub fn rehearsal(&self) -> Self {
        let (via, action, session) = (self.via, self.action.clone(), self.session.clone());
        Acting { via, action, session, is_rehearsal: true, ..Acting::default() }.by(self.actor())
    }

    pub const fn is_rehearsal(&self) -> bool {
        self.is_rehearsal
    }

    /// Records that the store undid an operation of a rehearsal after all its checks.
    pub fn note_rehearsed(&self) {
        self.is_rehearsed.store(true, Ordering::Relaxed);
    }

    /// Whether the store undid an operation of a rehearsal after all its checks.
    pub fn is_rehearsed(&self) -> bool {
        self.is_rehearsed.load(Ordering::Relaxed)
    }

    /// Who performs the operation. [`Actor::Anonymous`] until the actor is set.
    pub fn actor(&self) -> Actor {
        self.actor.get().cloned().unwrap_or(Actor::Anonymous)
    }

    /// What is left of the limit that applied to the operation, if any.
    pub fn allowance(&self) -> Option<Allowance> {
        *self.allowance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the rows that the store must write together with the operation. `None` once they are written.
    pub fn go_with(&self, companions: Option<Companions>) {
        *self.companions.lock().unwrap_or_else(PoisonError::into_inner) = companions;
    }

    /// Rows that the store must still write together with the operation.
    pub fn companions(&self) -> Option<Companions> {
        self.companions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records that the store wrote an audit entry for the operation.
    pub fn note_entry(&self) {
        self.entries.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of audit entries that the store wrote for the operation.
    pub fn entries(&self) -> u32 {
        self.entries.load(Ordering::Relaxed)
    }
}

/// Runs work under an identity. The audit entries of the work contain this identity.
pub async fn act_as<F: Future>(acting: Arc<Acting>, work: F) -> F::Output {
    CURRENT.scope(acting, work).await
}

/// Sets who sent the current request. Only the first call has an effect.
pub fn identify(actor: Actor) {
    let _ = CURRENT.try_with(|acting| acting.actor.set(actor));
}

/// Sets how much of a limit the requester has left. The response to the current request shows this.
pub fn allow(allowance: Allowance) {
    let _ = CURRENT.try_with(|acting| {
        *acting.allowance.lock().unwrap_or_else(PoisonError::into_inner) = Some(allowance);
    });
}

/// The current operation. Work without an entry point has the actor [`Actor::System`].
pub fn current() -> Arc<Acting> {
    static SYSTEM: OnceLock<Arc<Acting>> = OnceLock::new();
    let system = || SYSTEM.get_or_init(|| Arc::new(Acting::default().by(Actor::System))).clone();
    CURRENT.try_with(Arc::clone).unwrap_or_else(|_| system())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_belongs_to_the_first_actor_that_it_identified() {
        let of = |number| Actor::Partner(PartnerId::from_uuid(Uuid::from_u128(number)));
        let acting = Arc::new(Acting::default());
        act_as(acting.clone(), async {
            assert_eq!(current().actor(), Actor::Anonymous);
            identify(of(1));
            identify(of(2));
        })
        .await;
        assert_eq!(acting.actor(), of(1));
        assert_eq!(current().actor(), Actor::System);
    }
}

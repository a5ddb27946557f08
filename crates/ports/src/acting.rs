//! Who acts. The doors of the program say it, and the store writes it into the audit trail with every act.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::id::{InsurerId, OperatorId, PartnerId, Uuid};

tokio::task_local! {
    static CURRENT: Arc<Acting>;
}

/// Who does something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// An operator who signed in.
    Operator(OperatorId),
    /// A user of the server's machine, by number.
    User(u32),
    Partner(PartnerId),
    /// A customer of a partner, on the hosted pages.
    Customer(PartnerId),
    Insurer(InsurerId),
    /// A caller without a token, such as a payment gateway.
    Anonymous,
    /// The program itself: its workers, its calendar.
    System,
}

impl Actor {
    /// Who it is when two must decide. All users of the server's machine are one person: who can be one of them can be another.
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

/// The way a request came in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Via {
    /// A job, the calendar, or a command that opens the store itself.
    #[default]
    Process,
    /// The socket on the server's machine, or a command that serves itself because no server runs.
    Socket,
    /// The operators' API over HTTPS.
    Https,
    /// A page of the console.
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

/// How much of a limit is left to who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// What is limited, such as `tokens`.
    pub name: &'static str,
    /// The most within the window.
    pub most: u64,
    /// The window, in seconds.
    pub window: u64,
    /// What is left now.
    pub left: u64,
    /// Seconds until there is more.
    pub resets_in: u64,
}

/// What is being done, and by whom.
#[derive(Debug, Default)]
pub struct Acting {
    pub via: Via,
    /// The act of an operator, such as `claim.decide`, or the route of a request.
    pub action: Cow<'static, str>,
    /// The method of a request.
    pub method: &'static str,
    /// The request's id.
    pub request: Option<Uuid>,
    /// The operator's session, by the start of its hash.
    pub session: Option<String>,
    /// Why it is done, in the operator's words. They are kept sealed.
    pub reason: Option<String>,
    /// The approval that allowed it, once it is known.
    pub approval: OnceLock<String>,
    allowance: Mutex<Option<Allowance>>,
    actor: OnceLock<Actor>,
    entries: AtomicU32,
}

impl Acting {
    /// Something that is asked for in this way.
    pub fn of(via: Via, action: impl Into<Cow<'static, str>>) -> Self {
        Acting { via, action: action.into(), ..Acting::default() }
    }

    /// The same, by an actor who is known.
    pub fn by(self, actor: Actor) -> Self {
        let _ = self.actor.set(actor);
        self
    }

    /// Who does it. Until a request has shown who sent it, that is anybody.
    pub fn actor(&self) -> Actor {
        self.actor.get().cloned().unwrap_or(Actor::Anonymous)
    }

    /// The limit that it met, if any.
    pub fn allowance(&self) -> Option<Allowance> {
        *self.allowance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the store wrote an entry of it into the trail.
    pub fn note_entry(&self) {
        self.entries.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the trail has an entry of it.
    pub fn has_entry(&self) -> bool {
        self.entries.load(Ordering::Relaxed) > 0
    }
}

/// Runs work under an identity: entries of the audit trail name it.
pub async fn act_as<F: Future>(acting: Arc<Acting>, work: F) -> F::Output {
    CURRENT.scope(acting, work).await
}

/// Notes who sent the request that is handled, once that is known. The first note counts.
pub fn identify(actor: Actor) {
    let _ = CURRENT.try_with(|acting| acting.actor.set(actor));
}

/// Notes what is left of a limit to who sent the request that is handled: the answer tells it.
pub fn allow(allowance: Allowance) {
    let _ = CURRENT.try_with(|acting| {
        *acting.allowance.lock().unwrap_or_else(PoisonError::into_inner) = Some(allowance);
    });
}

/// What is being done now. Work that no door began is the program's own.
pub fn current() -> Arc<Acting> {
    static SYSTEM: OnceLock<Arc<Acting>> = OnceLock::new();
    let system = || SYSTEM.get_or_init(|| Arc::new(Acting::default().by(Actor::System))).clone();
    CURRENT.try_with(Arc::clone).unwrap_or_else(|_| system())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_is_of_whom_it_showed_first() {
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

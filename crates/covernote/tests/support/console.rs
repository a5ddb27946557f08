//! The operators' console for the service under test.

use std::net::TcpListener;
use std::sync::Arc;

use domain::money::Rupees;
use domain::team::Role;
use operators::{ActLine, ProviderSettings, Serving, Trail};
use serde_json::json;
use service::Service;
use web::error::Code;

use super::App;
use super::authenticator::CHECK;
pub use super::authenticator::{Authenticator, Ceremony, CeremonyFields, Console, Posted, Twist};

/// A log of access that stores nothing.
struct NoTrail;

impl Trail for NoTrail {
    fn sign_in_failed(&self, _: &str, _: &str) {}

    fn begins(&self, _: &ActLine) -> Result<(), String> {
        Ok(())
    }

    fn ended(&self, _: &ActLine, _: Option<Code>) {}

    fn refused(&self, _: &ActLine) {}

    fn heads(&self) -> Result<String, String> {
        Ok(String::new())
    }
}

/// The `Serving` of a service under test.
pub fn serving(console_url: &str) -> Serving {
    Serving {
        version: "test",
        store: "a store".into(),
        journey_url: String::new(),
        console_url: console_url.into(),
        approval_above: Rupees::whole(50_000),
        reveals_per_hour: 60,
        judge_catalogue: Arc::new(|_| Ok(())),
        verify: Arc::new(|_| Ok(json!({ "rows": {}, "faults": [], "more_faults": 0 }))),
        examine: Arc::new(Vec::new),
        trail: Arc::new(NoTrail),
        provider: None,
        is_demo: false,
    }
}

impl Console {
    pub fn start(service: &Arc<Service>) -> Self {
        Console::start_with(service, None)
    }

    /// A console with an identity provider, if any.
    pub fn start_with(service: &Arc<Service>, provider: Option<ProviderSettings>) -> Self {
        Console::start_at(service, 0, provider)
    }

    /// A console on a given port, with an identity provider, if any.
    pub fn start_at(service: &Arc<Service>, port: u16, provider: Option<ProviderSettings>) -> Self {
        let _ = CHECK.set(super::operator_answers::check);
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
        let base = format!("http://localhost:{}", listener.local_addr().expect("bound").port());
        let console = operators::console(
            service.clone(),
            Serving { provider, ..serving(&base) },
            web::Limits::default(),
        );
        let console = console.expect("an address");
        tokio::spawn(web::server::listen(console, web::Limits::default(), listener, None));
        Console::at(base)
    }

    /// Creates an invitation link for a new operator.
    pub async fn invites(&self, app: &App, name: &str, roles: &[Role]) -> String {
        let invited = app.service.team.invite(name, roles.to_vec()).await.expect("invited");
        format!("{}/invitation/{}", self.base, invited.text)
    }

    /// Enrols a new operator with an authenticator. Returns the session cookie.
    pub async fn has_operator(
        &self,
        app: &App,
        name: &str,
        roles: &[Role],
        with: &mut Authenticator,
    ) -> String {
        let link = self.invites(app, name, roles).await;
        self.enrols(&link, with).await
    }
}

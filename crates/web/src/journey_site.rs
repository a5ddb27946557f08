//! Where the hosted journey is served: its address and its cookie.

use std::sync::Arc;

use crate::fictional_gateway::FictionalGateway;

/// Where the hosted journey is served: its address, and the demo if any.
#[derive(Debug, Clone)]
pub struct JourneySite {
    /// Address for browsers, without a slash at the end.
    pub address: String,
    /// Demo partner, only under `serve --demo`.
    pub demo: Option<Demo>,
}

/// Demo partner. Anybody can try the journey with its credentials.
#[derive(Debug, Clone)]
pub struct Demo {
    /// `client_id` of the demo partner.
    pub client_id: String,
    /// `client_secret` of the demo partner.
    pub client_secret: String,
    /// `client_id` of the demo's test partner, which has a sandbox.
    pub test_client_id: String,
    /// `client_secret` of the demo's test partner.
    pub test_client_secret: String,
    /// Payment gateway of the demo's customers.
    pub gateway: Arc<FictionalGateway>,
}

impl JourneySite {
    /// Creates the site at this address.
    ///
    /// # Errors
    /// If browsers cannot use the address: they accept the cookie over plain http only on loopback.
    pub fn at(address: &str) -> Result<Self, String> {
        let address = address.trim_end_matches('/').to_owned();
        if address.starts_with("https://") || is_http_on_loopback(&address) {
            return Ok(JourneySite { address, demo: None });
        }
        Err(format!(
            "the journey needs an https:// address, or an http:// address of this machine: {address} is neither"
        ))
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.address.starts_with("https://")
    }

    /// Name of the cookie. The prefix of the name makes browsers accept the cookie only from this host.
    pub(crate) fn cookie_name(&self) -> &'static str {
        if self.is_secure() { "__Host-covernote" } else { "covernote" }
    }

    /// `Set-Cookie` header with this value. Inside a partner's frame, browsers must also send the cookie, and
    /// keep a separate cookie for each partner. They do that only with `Secure` cookies.
    pub(crate) fn set_cookie(&self, value: &str) -> String {
        let name = self.cookie_name();
        let site = if self.is_secure() { "SameSite=None; Secure; Partitioned" } else { "SameSite=Lax" };
        let seconds = service::journey::KEPT_FOR.as_secs();
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; {site}")
    }
}

fn is_http_on_loopback(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_allowed_only_for_loopback_addresses() {
        for good in
            ["https://cover.example", "http://127.0.0.1:8080", "http://localhost:3000/", "http://[::1]:80"]
        {
            assert!(JourneySite::at(good).is_ok(), "{good}");
        }
        for bad in [
            "http://cover.example",
            "http://localhost.evil.example",
            "http://10.0.0.1",
            "ftp://127.0.0.1",
            "",
        ] {
            assert!(JourneySite::at(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_journey_cookie_is_limited_to_its_host_and_hidden_from_scripts() {
        // D38
        let secure = JourneySite::at("https://cover.example").expect("https");
        let cookie =
            "__Host-covernote=x; Path=/; Max-Age=86400; HttpOnly; SameSite=None; Secure; Partitioned";
        assert_eq!(secure.set_cookie("x"), cookie);
        let plain = JourneySite::at("http://127.0.0.1:8080").expect("loopback");
        assert_eq!(plain.set_cookie("x"), "covernote=x; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax");
    }
}

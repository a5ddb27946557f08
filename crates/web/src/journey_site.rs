//! The site of the journey: its address with the cookie that follows from it.

use std::sync::Arc;

use crate::fictional_gateway::FictionalGateway;

/// The journey of a server.
#[derive(Debug, Clone)]
pub struct JourneySite {
    /// The address at which browsers reach it, without a slash at its end.
    pub address: String,
    /// The demo partner, whose page is served under `serve --demo` alone.
    pub demo: Option<Demo>,
}

/// The demo partner, as whom everybody may look at the journey.
#[derive(Debug, Clone)]
pub struct Demo {
    /// Its API access key.
    pub client_id: String,
    /// Its API secret key.
    pub client_secret: String,
    /// The API access key of the test partner beside it, which has a sandbox.
    pub test_client_id: String,
    /// The test partner's API secret key.
    pub test_client_secret: String,
    /// The gateway on whose page its customers pay.
    pub gateway: Arc<FictionalGateway>,
}

impl JourneySite {
    /// The journey at an address.
    ///
    /// # Errors
    /// Why browsers cannot use it there: plain http is safe on loopback alone, and elsewhere they do not keep the cookie.
    pub fn at(address: &str) -> Result<Self, String> {
        let address = address.trim_end_matches('/').to_owned();
        if address.starts_with("https://") || is_http_on_loopback(&address) {
            return Ok(JourneySite { address, demo: None });
        }
        Err(format!(
            "the journey needs an https:// address; http:// is for this machine alone, and {address} is not"
        ))
    }

    /// Whether its address is https.
    pub(crate) fn is_secure(&self) -> bool {
        self.address.starts_with("https://")
    }

    /// Name of its cookie. By the prefix, browsers accept it from this very host alone.
    pub(crate) fn cookie_name(&self) -> &'static str {
        if self.is_secure() { "__Host-covernote" } else { "covernote" }
    }

    /// The `Set-Cookie` header of a value. The browser must also send the cookie inside of a partner's frame, separately for
    /// each partner; browsers do so only with `Secure` cookies.
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
    fn plain_http_is_for_loopback_alone() {
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
    fn the_cookie_is_for_this_host_alone_and_for_no_script() {
        // D38
        let secure = JourneySite::at("https://cover.example").expect("https");
        let cookie =
            "__Host-covernote=x; Path=/; Max-Age=86400; HttpOnly; SameSite=None; Secure; Partitioned";
        assert_eq!(secure.set_cookie("x"), cookie);
        let plain = JourneySite::at("http://127.0.0.1:8080").expect("loopback");
        assert_eq!(plain.set_cookie("x"), "covernote=x; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax");
    }
}

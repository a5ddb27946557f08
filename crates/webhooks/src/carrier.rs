//! Delivers one event to a partner's server, with limits for time and size.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use axum::http::{Method, Request, Uri};
use http_client::{Client, Connecting, LookUp};
use jiff::fmt::rfc2822;
use service::outside::carrier::{Carried, Carrier, Parcel};
use service::traces;
use url::{Host, Url};

use crate::addresses::AddressRules;
use crate::resolver::{judged, system};
use crate::signature::signatures;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const AGENT: HeaderValue = HeaderValue::from_static(concat!("covernote/", env!("CARGO_PKG_VERSION")));
const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// Longest time to connect to a server.
const CONNECTING: Duration = Duration::from_secs(5);

/// Longest time of a delivery, until the answer's body is read.
const ALL: Duration = Duration::from_secs(15);

/// Time after which an idle connection is closed, and most idle connections to one server.
const IDLE: (Duration, usize) = (Duration::from_secs(30), 16);

/// Most bytes of an answer's body that are read.
const READ: usize = 16 * 1024;
const KEPT: usize = 2 * 1024;

/// Longest allowed URL of an endpoint, in bytes.
const LONGEST: usize = 2000;

/// Lowest allowed port, except 443. Lower ports usually belong to services other than HTTP.
const LOWEST_PORT: u16 = 1024;

/// Delivers events over HTTP. It follows no redirects, and ignores the proxy settings of the environment.
pub struct HttpCarrier {
    rules: Arc<AddressRules>,
    look_up: LookUp,
    /// Client for TLS. It is created for the first delivery, because reading the machine's certificates takes
    /// time.
    with_tls: OnceLock<Client>,
    plain: OnceLock<Client>,
}

impl HttpCarrier {
    pub fn new(rules: AddressRules) -> Self {
        HttpCarrier::with_names(rules, system())
    }

    fn with_names(rules: AddressRules, look_up: LookUp) -> Self {
        HttpCarrier { rules: Arc::new(rules), look_up, with_tls: OnceLock::new(), plain: OnceLock::new() }
    }

    fn client(&self, with_tls: bool) -> &Client {
        let made = if with_tls { &self.with_tls } else { &self.plain };
        made.get_or_init(|| {
            let connecting = Connecting {
                names: judged(self.look_up.clone(), self.rules.clone(), with_tls),
                within: CONNECTING,
                idle: IDLE.0,
                idle_to_one: IDLE.1,
            };
            match with_tls {
                true => Client::trusting_if_possible(connecting),
                false => Client::trusting_nobody(connecting),
            }
        })
    }

    /// Parses the URL of an endpoint, and makes all checks that need no DNS look-up.
    fn parse(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text)
            .map_err(|_| "Must be an address such as https://partner.example/hooks.".to_owned())?;
        let with_tls = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err("Must begin with https://.".into()),
        };
        if text.len() > LONGEST {
            return Err(format!("Must have at most {LONGEST} characters."));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("Must not contain a user name or a password.".into());
        }
        if url.fragment().is_some() {
            return Err("Must not contain a #fragment: servers never receive it.".into());
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if !(port == 443 || port >= LOWEST_PORT || port == 80 && !with_tls) {
            return Err(format!("The port must be 443, or {LOWEST_PORT} or above."));
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::from(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::from(address)),
            Some(Host::Domain(_)) => None,
            None => return Err("Must contain a host name.".into()),
        };
        match literal.map(|address| self.rules.judge(address, with_tls)) {
            Some(Err(why)) => Err(format!("Refused: {why}.")),
            _ => Ok(url),
        }
    }

    async fn send(&self, parcel: &Parcel) -> Result<Carried, String> {
        let url = self.parse(&parcel.url)?;
        let seconds = parcel.at.as_second();
        let id = parcel.id.to_string();
        let signature = signatures(&parcel.secrets, &id, seconds, &parcel.body);
        let plain_text = |text: &str| HeaderValue::try_from(text).expect("plain ASCII");
        let mut request = Request::new(Bytes::from(parcel.body.clone()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() =
            Uri::try_from(url.as_str()).map_err(|_| "the URL of the endpoint is not valid".to_owned())?;
        request.headers_mut().extend([
            (CONTENT_TYPE, JSON),
            (USER_AGENT, AGENT),
            (ID, plain_text(&id)),
            (TIMESTAMP, plain_text(&seconds.to_string())),
            (SIGNATURE, plain_text(&signature)),
        ]);
        if let Some((name, value)) = traces::header() {
            request.headers_mut().insert(name, plain_text(&value));
        }
        let answer = self.client(url.scheme() == "https").send(request).await?;
        let retry_after = answer.header(RETRY_AFTER.as_str()).and_then(|text| wait_of(text, seconds));
        let status = answer.status.as_u16();
        let mut read = answer.body(READ).await?.bytes;
        read.truncate(KEPT);
        Ok(Carried { status, retry_after, answer: String::from_utf8_lossy(&read).into_owned() })
    }
}

impl std::fmt::Debug for HttpCarrier {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "HttpCarrier({:?})", self.rules)
    }
}

#[async_trait]
impl Carrier for HttpCarrier {
    fn judge(&self, url: &str) -> Result<(), String> {
        self.parse(url).map(|_| ())
    }

    async fn carry(&self, parcel: &Parcel) -> Result<Carried, String> {
        match tokio::time::timeout(ALL, self.send(parcel)).await {
            Ok(carried) => carried,
            Err(_) => Err(format!("the server sent no complete answer within {} seconds", ALL.as_secs())),
        }
    }
}

/// Time that a server asks to wait, from the value of `Retry-After`, which is in seconds or a date. `now` is
/// in seconds since 1970.
fn wait_of(text: &str, now: i64) -> Option<Duration> {
    let seconds = text.trim().parse().ok().or_else(|| {
        let until = rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
        u64::try_from(until.as_second() - now).ok()
    });
    seconds.map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use domain::date::Timestamp;
    use domain::id::{EventId, Uuid};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::signature::verify;

    fn parcel(url: String) -> Parcel {
        let at = Timestamp::from_second(1_795_000_000).expect("in range");
        let id = EventId::from_uuid(Uuid::from_u128(7));
        Parcel { url, secrets: vec![vec![1; 32]], id, at, body: "{\"नाम\":\"आशा\"}".into() }
    }

    fn opening(network: &str) -> AddressRules {
        AddressRules::opening([network]).expect("a network")
    }

    /// Starts a server that sends these bytes to each connection. Returns its port, and the number of
    /// connections so far.
    async fn server(answer: &'static [u8]) -> (u16, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (port, came) = (listener.local_addr().expect("bound").port(), Arc::new(AtomicUsize::new(0)));
        let counted = came.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let mut read = [0; 4096];
                let _ = stream.read(&mut read).await;
                let _ = stream.write_all(answer).await;
                // Without an answer, keep the connection open.
                if answer.is_empty() {
                    std::future::pending::<()>().await;
                }
            }
        });
        (port, came)
    }

    /// Resolver that returns the next answer for each look-up. After the last answer, it repeats this answer.
    fn names(answers: Vec<Vec<&'static str>>) -> LookUp {
        let asked = Arc::new(AtomicUsize::new(0));
        Arc::new(move |_| {
            let nth = asked.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            let found = answers[nth].iter().map(|text| text.parse().expect("an address")).collect();
            Box::pin(async move { Ok(found) })
        })
    }

    #[tokio::test]
    async fn a_host_name_that_resolves_to_a_private_address_is_refused_at_connection() {
        let (port, came) = server(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let url = format!("https://partner.example:{port}/");
        for answers in [
            vec![vec!["127.0.0.1"]],
            vec![vec!["127.0.0.1"], vec!["8.8.8.8"]],
            vec![vec!["8.8.8.8", "127.0.0.1"]],
            vec![vec!["::ffff:127.0.0.1"]],
            vec![vec!["169.254.169.254"]],
        ] {
            let carrier = HttpCarrier::with_names(AddressRules::default(), names(answers));
            assert_eq!(carrier.judge(&url), Ok(()), "a name says nothing of its addresses");
            let refused = carrier.carry(&parcel(url.clone())).await.expect_err("refused");
            assert!(refused.starts_with("the server cannot be reached: the address is"), "{refused}");
        }
        assert_eq!(came.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_loopback_address_is_refused_in_every_notation() {
        let carrier = HttpCarrier::new(AddressRules::default());
        for host in [
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "2130706433",
            "0177.0.0.1",
            "[::1]",
            "[::ffff:7f00:1]",
            "localhost",
        ] {
            let (url, plain) = (format!("https://{host}:4430/"), format!("http://{host}:4430/"));
            let refused = carrier.carry(&parcel(url)).await.expect_err("refused");
            assert!(refused.contains("not on the public Internet"), "{host}: {refused}");
            assert!(carrier.carry(&parcel(plain)).await.is_err(), "{host}");
        }
    }

    #[tokio::test]
    async fn a_message_to_an_opened_network_is_delivered_and_signed() {
        let (port, _) = server(b"HTTP/1.1 200 OK\r\nretry-after: 7\r\ncontent-length: 2\r\n\r\nok").await;
        let carrier = HttpCarrier::new(opening("127.0.0.1/32"));
        let sent = parcel(format!("http://127.0.0.1:{port}/hooks"));
        let carried = carrier.carry(&sent).await.expect("an answer");
        let expected =
            Carried { status: 200, retry_after: Some(Duration::from_secs(7)), answer: "ok".into() };
        assert_eq!(carried, expected);
        let (id, at) = (sent.id.to_string(), sent.at.as_second());
        let header = signatures(&sent.secrets, &id, at, &sent.body);
        assert_eq!(verify(&sent.secrets[0], &id, at, &header, &sent.body, at), Ok(()));
    }

    #[tokio::test]
    async fn a_long_answer_is_cut_and_a_redirect_is_not_followed() {
        static LONG: [u8; 200_000] = [b'x'; 200_000];
        let head = b"HTTP/1.1 500 No\r\ncontent-length: 200000\r\n\r\n";
        let long: &'static [u8] = Box::leak([&head[..], &LONG].concat().into_boxed_slice());
        let carrier = HttpCarrier::new(opening("127.0.0.1/32"));
        let (port, _) = server(long).await;
        let carried = carrier.carry(&parcel(format!("http://127.0.0.1:{port}/"))).await.expect("an answer");
        assert_eq!((carried.status, carried.answer.len()), (500, KEPT));
        let (port, came) =
            server(b"HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n").await;
        let carried = carrier.carry(&parcel(format!("http://127.0.0.1:{port}/"))).await.expect("an answer");
        assert_eq!((carried.status, came.load(Ordering::SeqCst)), (302, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_delivery_to_a_server_that_never_answers_fails_after_15_seconds() {
        let (port, _) = server(b"").await;
        let (silent, _) = server(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab").await;
        let carrier = HttpCarrier::new(opening("127.0.0.1/32"));
        let begun = tokio::time::Instant::now();
        let refused = carrier.carry(&parcel(format!("http://127.0.0.1:{port}/"))).await.expect_err("nothing");
        assert_eq!(refused, "the server sent no complete answer within 15 seconds");
        assert!(begun.elapsed() >= ALL && begun.elapsed() < ALL + Duration::from_secs(1));
        let broke = carrier.carry(&parcel(format!("http://127.0.0.1:{silent}/"))).await.expect_err("half");
        assert!(broke.starts_with("the server's answer is incomplete"), "{broke}");
    }

    #[test]
    fn retry_after_is_read_as_seconds_or_as_a_date() {
        assert_eq!(wait_of(" 120 ", 0), Some(Duration::from_secs(120)));
        assert_eq!(wait_of("Thu, 01 Jan 1970 00:02:00 GMT", 60), Some(Duration::from_secs(60)));
        assert_eq!(wait_of("Thu, 01 Jan 1970 00:00:00 GMT", 60), None);
        assert_eq!(wait_of("soon", 0), None);
    }
}

//! Tests authentication in both directions.

use insurers::mock::{Behaviour, RequestCounts};
use rating::{Authentication, HttpConnector};
use service::insurer::{IncomingMessage, InsurerFault};

use crate::support::*;

const BOTH: [Authentication; 2] = [Authentication::Bearer, Authentication::Hmac];

fn by(authentication: Authentication, url: &str) -> HttpConnector {
    HttpConnector { authentication, ..http(url) }
}

fn is_401(answer: &Result<usize, InsurerFault>) -> bool {
    matches!(answer, Err(InsurerFault::Failed(cause)) if cause.contains("401"))
}

#[tokio::test]
async fn an_insurer_accepts_only_requests_with_the_shared_secret() {
    for authentication in BOTH {
        let ours = OurSide::new();
        let served = serve_known(authentication, &ours);
        assert!(ask(&ours.insurer_by(by(authentication, &served.url))).await.is_ok(), "{authentication:?}");
        let stranger = OurSide::new();
        write_secret(&stranger.secrets.path().join("secret"), "another-secret-of-some-length");
        assert!(is_401(&ask(&stranger.insurer_by(by(authentication, &served.url))).await));
        let RequestCounts { asked, .. } = served.mock.counts();
        assert_eq!(asked, 2, "a refused secret is not tried again");
    }
}

#[tokio::test]
async fn a_signature_covers_the_base_path_of_the_insurers_address() {
    let ours = OurSide::new();
    let (scripted, url) = Scripted::serve([json("{}")]);
    let insurer = ours.insurer_by(by(Authentication::Hmac, &format!("{url}/covers")));
    let _ = ask(&insurer).await;
    let heard = scripted.heard.lock().expect("whole");
    let text = |name: &str| Some(heard[0].headers[name].to_str().expect("ASCII"));
    let told = IncomingMessage {
        authorization: None,
        timestamp: text("covernote-timestamp"),
        signature: text("covernote-signature"),
        method: "POST",
        path: "/covers/v1/credit/prices",
        body: &heard[0].body,
        now: service::clock::Clock::now(ours.clock.as_ref()),
    };
    assert!(insurer.is_from(&told));
    assert!(!insurer.is_from(&IncomingMessage { path: "/v1/credit/prices", ..told }));
    assert!(!insurer.is_from(&IncomingMessage { body: b"{}", ..told }));
    assert!(!ours.insurer(&url).is_from(&told), "a signature is no bearer");
}

#[tokio::test]
async fn a_request_signed_more_than_300_seconds_too_early_or_late_is_refused() {
    let ours = OurSide::new();
    let served = serve_known(Authentication::Hmac, &ours);
    let late = OurSide::new();
    for (seconds, good) in [(300, true), (1, false), (-602, false), (1, true)] {
        late.clock.advance(seconds);
        let answer = ask(&late.insurer_by(by(Authentication::Hmac, &served.url))).await;
        assert_eq!(answer.is_ok(), good, "{answer:?}");
        assert!(good || is_401(&answer));
    }
}

#[tokio::test]
async fn a_new_secret_takes_effect_without_a_restart() {
    for authentication in BOTH {
        let ours = OurSide::new();
        let served = serve_known(authentication, &ours);
        let insurer = ours.insurer_by(by(authentication, &served.url));
        assert!(ask(&insurer).await.is_ok());
        // Both sides read the same file in this test, so both change to the new secret.
        write_secret(&ours.secrets.path().join("secret"), "a-second-secret-that-is-new");
        assert!(ask(&insurer).await.is_ok(), "{authentication:?}");
        let (scripted, url) = Scripted::serve([json("{}")]);
        let _ = ask(&ours.insurer(&url)).await;
        let heard = scripted.heard.lock().expect("whole");
        assert_eq!(heard[0].headers["authorization"], "Bearer a-second-secret-that-is-new");
    }
}

#[tokio::test]
async fn no_request_is_sent_without_a_secret() {
    let ours = OurSide::new();
    let served = serve_in(Behaviour::default());
    let insurer = ours.insurer_by(HttpConnector { secret: "nowhere".into(), ..http(&served.url) });
    let answer = ask(&insurer).await;
    assert!(matches!(&answer, Err(InsurerFault::Failed(cause)) if cause.contains("nowhere")), "{answer:?}");
    assert_eq!(served.mock.counts().asked, 0);
}

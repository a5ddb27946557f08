//! The operators' console: invitations, sign-in, and what hostile browsers try (D120).

use std::time::Duration;

use domain::team::Role;
use serde_json::json;
use service::storage::audit::AuditQuery;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::App;
use crate::support::console::{Authenticator, Console, Twist};

#[tokio::test]
async fn an_invitation_can_be_used_only_one_time_and_expires_after_one_hour() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let link = console.invites(&app, "Meera", &[Role::Admin]).await;
    let mut authenticator = Authenticator::new(&console);
    let ceremony = console.ceremony(&link, "").await;
    let form = authenticator.form(&ceremony, &Twist::default());
    let first = console.post(&link, "", &form.pairs()).await;
    assert!(first.page.contains("Save these codes"), "{}", first.page);
    let again = console.post(&link, "", &form.pairs()).await;
    assert!(again.status == 400 && again.page.contains("already used or has expired"), "{}", again.page);
    let late = console.invites(&app, "Arjun", &[Role::Read]).await;
    app.clock.advance(Duration::from_secs(3600));
    assert!(console.get(&late, "").await.1.contains("already used or has expired"));
}

#[tokio::test]
async fn a_valid_passkey_signs_in_and_a_forged_or_replayed_ceremony_does_not() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let (mut own, mut other) = (Authenticator::new(&console), Authenticator::new(&console));
    console.has_operator(&app, "Meera", &[Role::Admin], &mut own).await;
    console.has_operator(&app, "Arjun", &[Role::Read], &mut other).await;
    let arjun = app.service.team.find("Arjun").await.expect("there").id;
    let url = format!("{}/sign-in", console.base);
    let ceremony = console.ceremony(&url, "").await;
    assert_ne!(console.post(&url, "", &own.form(&ceremony, &Twist::default()).pairs()).await.session, "");
    for (what, twist) in [
        ("a counter that does not grow", Twist { cloned: true, ..Twist::default() }),
        (
            "a page of another origin",
            Twist { origin: Some("https://evil.example".into()), ..Twist::default() },
        ),
        ("a host below this one", Twist { origin: Some("http://a.localhost".into()), ..Twist::default() }),
        ("a user who was not verified", Twist { unverified: true, ..Twist::default() }),
        (
            "the name of another operator",
            Twist { handle: Some(arjun.uuid().as_bytes().to_vec()), ..Twist::default() },
        ),
        ("a challenge of another ceremony", Twist { challenge: Some("AAAA".into()), ..Twist::default() }),
        ("the signature of another key", Twist { other_key: true, ..Twist::default() }),
    ] {
        let ceremony = console.ceremony(&url, "").await;
        let refused = console.post(&url, "", &own.form(&ceremony, &twist).pairs()).await;
        assert!(refused.page.contains("The passkey was not accepted"), "{what}: {}", refused.page);
        assert_eq!(refused.session, "", "{what}");
    }
    let ceremony = console.ceremony(&url, "").await;
    let form = own.form(&ceremony, &Twist::default());
    let signed_in = console.post(&url, "", &form.pairs()).await;
    assert_eq!((signed_in.status, signed_in.leads_to.as_str()), (303, "/account"), "{}", signed_in.page);
    let replayed = console.post(&url, "", &form.pairs()).await;
    assert_eq!(replayed.session, "", "{}", replayed.page);
    assert!(console.get(&format!("{}/account", console.base), &signed_in.session).await.1.contains("Meera"));
}

#[tokio::test]
async fn a_passkey_ceremony_is_valid_only_for_its_own_purpose_and_for_five_minutes() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let mut own = Authenticator::new(&console);
    let session = console.has_operator(&app, "Meera", &[Role::Admin], &mut own).await;
    let url = format!("{}/sign-in", console.base);
    let mut ceremony = console.ceremony(&url, "").await;
    ceremony.held.replace_range(4..5, if ceremony.held.as_bytes()[4] == b'A' { "B" } else { "A" });
    let forged = console.post(&url, "", &own.form(&ceremony, &Twist::default()).pairs()).await;
    assert!(forged.page.contains("already used or has expired"), "{}", forged.page);
    let ceremony = console.ceremony(&format!("{}/account/passkey", console.base), &session).await;
    let other = console.post(&url, "", &own.form(&ceremony, &Twist::default()).pairs()).await;
    assert!(other.page.contains("already used or has expired"), "{}", other.page);
    let ceremony = console.ceremony(&url, "").await;
    app.clock.advance(Duration::from_secs(5 * 60));
    let late = console.post(&url, "", &own.form(&ceremony, &Twist::default()).pairs()).await;
    assert!(late.page.contains("already used or has expired"), "{}", late.page);
}

#[tokio::test]
async fn an_operators_session_ends_after_30_idle_minutes_or_after_12_hours() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let account = format!("{}/account", console.base);
    let session =
        console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    for _ in 0..24 {
        assert_eq!(console.get(&account, &session).await.0, 200);
        app.clock.advance(Duration::from_secs(30 * 60 - 1));
    }
    app.clock.advance(Duration::from_secs(24));
    assert_eq!(console.get(&account, &session).await.0, 303, "twelve hours are over");
    let session = console.has_operator(&app, "Arjun", &[Role::Read], &mut Authenticator::new(&console)).await;
    app.clock.advance(Duration::from_secs(30 * 60));
    assert_eq!(console.get(&account, &session).await.0, 303, "it was left alone");
}

#[tokio::test]
async fn a_recovery_ends_an_operators_sessions_and_tokens_and_a_second_one_replaces_the_first_link() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let account = format!("{}/account", console.base);
    let session =
        console.has_operator(&app, "Meera", &[Role::Claims], &mut Authenticator::new(&console)).await;
    let admin = console.has_operator(&app, "Arjun", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let token = app.service.team.add_token("Meera", "job", vec![Role::Claims], 1).await.expect("made").text;
    assert_eq!(console.act("GET", "/claims", &token, &json!({})).await.0, 200);
    app.clock.advance(Duration::from_secs(1));
    let first = app.service.team.recover("meera").await.expect("recovered").text;
    app.clock.advance(Duration::from_secs(1));
    let second = app.service.team.recover("Meera").await.expect("recovered").text;
    assert_eq!(console.get(&account, &session).await.0, 303);
    assert_eq!(console.act("GET", "/claims", &token, &json!({})).await.0, 401);
    assert!(
        console
            .get(&format!("{}/invitation/{first}", console.base), "")
            .await
            .1
            .contains("already used or has expired")
    );
    assert!(
        console.get(&format!("{}/invitation/{second}", console.base), "").await.1.contains("Join the team")
    );
    assert!(console.get(&account, &admin).await.1.contains("The access of Meera was recovered"));
}

#[tokio::test]
async fn a_recovery_code_works_only_one_time_and_its_passkey_confirms_no_act_for_24_hours() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let link = console.invites(&app, "Meera", &[Role::Admin]).await;
    let ceremony = console.ceremony(&link, "").await;
    let form = Authenticator::new(&console).form(&ceremony, &Twist::default());
    let page = console.post(&link, "", &form.pairs()).await.page;
    let code = page.split("<li>").nth(1).and_then(|rest| rest.split('<').next()).expect("a code").to_owned();
    let recovery = format!("{}/recovery", console.base);
    let wrong = console.post(&recovery, "", &[("name", "Meera"), ("code", "AAAA-AAAA-AAAA")]).await;
    assert!(wrong.page.contains("The name or the code is wrong"), "{}", wrong.page);
    app.clock.advance(Duration::from_secs(1));
    let used = console.post(&recovery, "", &[("name", "meera"), ("code", &code.to_lowercase())]).await;
    assert_eq!(used.status, 303, "{}", used.page);
    let again = console.post(&recovery, "", &[("name", "Meera"), ("code", &code)]).await;
    assert!(again.page.contains("The name or the code is wrong"), "{}", again.page);
    let link = format!("{}{}", console.base, used.leads_to);
    let mut new = Authenticator::new(&console);
    let ceremony = console.ceremony(&link, "").await;
    let session = console.post(&link, "", &new.form(&ceremony, &Twist::default()).pairs()).await.session;
    let passkey = format!("{}/account/passkey", console.base);
    let confirm = async |new: &mut Authenticator, session: &str| {
        let ceremony = console.ceremony(&passkey, session).await;
        console.post(&passkey, session, &new.form(&ceremony, &Twist::default()).pairs()).await
    };
    let early = confirm(&mut new, &session).await;
    assert!(early.page.contains("cannot confirm anything for 24 hours"), "{}", early.page);
    app.clock.advance(Duration::from_secs(24 * 3600));
    let url = format!("{}/sign-in", console.base);
    let ceremony = console.ceremony(&url, "").await;
    let session = console.post(&url, "", &new.form(&ceremony, &Twist::default()).pairs()).await.session;
    app.clock.advance(Duration::from_secs(6 * 60));
    assert_eq!(confirm(&mut new, &session).await.leads_to, "/account/passkey");
}

#[tokio::test]
async fn a_form_without_the_consoles_own_origin_header_is_refused() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session =
        console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let http = reqwest::Client::new();
    for origin in [Some("https://evil.example"), None] {
        let mut request = http.post(format!("{}/sign-out", console.base)).header("cookie", &session);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        assert_eq!(request.send().await.expect("an answer").status(), 400);
    }
    assert_eq!(console.get(&format!("{}/account", console.base), &session).await.0, 200, "still signed in");
}

#[tokio::test]
async fn a_command_line_is_signed_in_by_an_operator_who_types_its_code_and_gets_one_token() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let mut own = Authenticator::new(&console);
    let session = console.has_operator(&app, "Meera", &[Role::Claims], &mut own).await;
    let begin = json!({ "machine": "laptop, user meera\u{1b}[2J" });
    let (_, device) = console.act("POST", "/devices", "", &begin).await;
    let asked = json!({ "device_code": device["device_code"] });
    assert_eq!(console.act("POST", "/devices/outcome", "", &asked).await.1["state"], "waits");
    let url = device["verification_uri"].as_str().expect("an address");
    let (status, page) = console.get(url, "").await;
    assert_eq!((status, page.as_str()), (303, ""), "sign in first");
    let code = device["user_code"].as_str().expect("a code");
    assert!(!url.contains(code), "a link cannot let in another person's command line");
    let (_, page) = console.get(&format!("{url}?code={code}"), &session).await;
    assert!(page.contains("Type the code") && !page.contains(code), "{page}");
    let wrong = console.post(url, &session, &[("code", "AAAA-AAAA")]).await;
    assert!(wrong.page.contains("No command line waits with this code"), "{}", wrong.page);
    let shown = console.post(url, &session, &[("code", code)]).await.page;
    assert!(shown.contains("covernote cannot check this name"), "{shown}");
    let ceremony = console.ceremony_of_code(code, &session).await;
    let form = own.form(&ceremony, &Twist::default());
    let fields = [&form.pairs()[..], &[("code", code)]].concat();
    let posted = console.post(&format!("{}/device", console.base), &session, &fields).await;
    assert!(posted.page.contains("The command line is signed in"), "{}", posted.page);
    let let_in = console.act("POST", "/devices/outcome", "", &asked).await.1;
    let token = let_in["token"].as_str().expect("a token");
    assert_eq!(console.act("GET", "/claims", token, &json!({})).await.0, 200);
    let again = console.act("POST", "/devices/outcome", "", &asked).await;
    assert_eq!(again.0, 410, "{}", again.1);
    let (_, sessions) = app.service.team.secrets("Meera").await.expect("there");
    let command = sessions.iter().find(|one| one.kind == domain::team::SecretKind::Command).expect("listed");
    assert!(!command.name.contains('\u{1b}'), "{}", command.name);
}

#[tokio::test]
async fn the_audit_trail_names_the_operator_of_each_act_in_the_console() {
    // D119
    let app = App::start().await;
    let console = Console::start(&app.service);
    let mut own = Authenticator::new(&console);
    let session = console.has_operator(&app, "Meera", &[Role::Admin], &mut own).await;
    let url = format!("{}/sign-in", console.base);
    let ceremony = console.ceremony(&url, "").await;
    console.post(&url, "", &own.form(&ceremony, &Twist::default()).pairs()).await;
    console.post(&format!("{}/sign-out", console.base), &session, &[]).await;
    let meera = app.service.team.find("Meera").await.expect("there").id.to_string();
    let entries = app.service.audit.entries(&AuditQuery::Subject(meera.clone()), 9).await.expect("read");
    let mut told: Vec<(&str, &str, &str)> = entries
        .iter()
        .filter(|entry| entry.via == "console")
        .map(|entry| (entry.actor.as_str(), entry.action.as_str(), entry.change.as_str()))
        .collect();
    told.sort_unstable();
    let meera = meera.as_str();
    assert_eq!(
        told,
        [
            (meera, "POST /invitation/{link}", "operator.enrol"),
            (meera, "POST /sign-in", "session.begin"),
            (meera, "POST /sign-out", "secret.change"),
        ]
    );
}

#[tokio::test]
async fn a_sign_in_redirects_only_to_paths_of_the_console() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let mut own = Authenticator::new(&console);
    console.has_operator(&app, "Meera", &[Role::Admin], &mut own).await;
    let url = format!("{}/sign-in", console.base);
    for (next, leads_to) in [
        ("/device?from=A", "/device?from=A"),
        ("//evil.example", "/account"),
        ("/\t/evil.example", "/account"),
        ("/\\evil.example", "/account"),
        ("https://evil.example", "/account"),
    ] {
        let ceremony = console.ceremony(&url, "").await;
        let form = own.form(&ceremony, &Twist::default());
        let fields = [&form.pairs()[..], &[("next", next)]].concat();
        assert_eq!(console.post(&url, "", &fields).await.leads_to, leads_to, "{next:?}");
    }
}

#[tokio::test]
async fn a_token_opens_no_console_page_and_an_id_cannot_be_the_name_of_an_operator() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let team = &app.service.team;
    let token = team.add_token("Meera", "job", vec![Role::Claims], 1).await.expect("made").text;
    assert_eq!(console.act("GET", "/claims", &token, &json!({})).await.0, 200, "an admin has every role");
    let account = format!("{}/account", console.base);
    assert_eq!(console.get(&account, &format!("covernote={token}")).await.0, 303);
    let meera = team.find("Meera").await.expect("there").id.to_string();
    assert!(team.invite(&meera, vec![Role::Read]).await.is_err());
}

#[tokio::test]
async fn an_operators_request_is_refused_if_its_session_ends_before_its_body_has_arrived() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session =
        console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let token = session.split_once('=').expect("a cookie").1;
    let body = json!({ "name": "Mallory", "roles": ["admin"] }).to_string();
    let address = console.base.trim_start_matches("http://").to_owned();
    let mut connection = tokio::net::TcpStream::connect(&address).await.expect("connected");
    let head = format!(
        "POST /operator/v1/operators HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).await.expect("sent");
    tokio::time::sleep(Duration::from_millis(200)).await;
    app.service.team.end("Meera").await.expect("ended");
    connection.write_all(body.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert!(app.service.team.find("Mallory").await.is_err());
}

#[tokio::test]
async fn an_invitation_offers_the_passkey_algorithms_eddsa_es256_and_rs256() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let link = console.invites(&app, "Meera", &[Role::Support]).await;
    let offered = console.ceremony(&link, "").await.options["pubKeyCredParams"].clone();
    let offered: Vec<_> = offered.as_array().expect("a list").iter().map(|one| one["alg"].as_i64()).collect();
    for algorithm in [-8, -7, -257] {
        assert!(offered.contains(&Some(algorithm)), "{algorithm} in {offered:?}");
    }
}

#[tokio::test]
async fn a_console_request_is_refused_if_its_body_exceeds_the_limit_of_its_act() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session = console.has_operator(&app, "Meera", &[Role::Read], &mut Authenticator::new(&console)).await;
    let token = session.split_once('=').expect("a cookie").1;
    let search = serde_json::json!({ "mobile": "9".repeat(64 * 1024) });
    let (status, refused) = console.act("POST", "/policies/search", token, &search).await;
    assert_eq!((status, refused["type"].as_str()), (413, Some("V4130")), "{refused}");
    assert!(refused["detail"].to_string().contains("at most 64 KiB"), "{refused}");
}

#[tokio::test]
async fn one_address_can_begin_at_most_20_command_line_sign_ins_a_minute() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let machine = serde_json::json!({ "machine": "laptop" });
    for _ in 0..20 {
        assert_eq!(console.act("POST", "/devices", "", &machine).await.0, 200);
    }
    let (status, refused) = console.act("POST", "/devices", "", &machine).await;
    assert_eq!((status, refused["type"].as_str()), (429, Some("A4290")), "{refused}");
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(console.act("POST", "/devices", "", &machine).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_anonymous_bodies_count_against_the_limit_of_their_address() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let at = console.base.strip_prefix("http://localhost:").expect("a port");
    let head = format!(
        "POST /sign-in HTTP/1.1\r\nHost: localhost:{at}\r\nContent-Length: 100\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na"
    );
    let mut open = Vec::new();
    for _ in 0..64 {
        let mut stream =
            TcpStream::connect(("127.0.0.1", at.parse().expect("a port"))).await.expect("connected");
        stream.write_all(head.as_bytes()).await.expect("sent");
        open.push(stream);
    }
    let machine = serde_json::json!({ "machine": "laptop" });
    let began = std::time::Instant::now();
    while console.act("POST", "/devices", "", &machine).await.0 != 503 {
        assert!(began.elapsed() < Duration::from_secs(10), "the next body is received");
    }
    drop(open);
    while console.act("POST", "/devices", "", &machine).await.0 == 503 {
        assert!(began.elapsed() < Duration::from_secs(30), "the address stays refused");
    }
}

#[tokio::test]
async fn a_console_request_without_exactly_one_host_header_is_refused() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let app = App::start().await;
    let console = Console::start(&app.service);
    let address = console.base.trim_start_matches("http://").replace("localhost", "127.0.0.1");
    for (hosts, status) in [("", "400"), ("Host: a\r\nHost: b\r\n", "400"), ("Host: localhost\r\n", "200")] {
        let mut stream = tokio::net::TcpStream::connect(&address).await.expect("connected");
        let request = format!("GET /recovery HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{hosts:?}: {answer}");
    }
}

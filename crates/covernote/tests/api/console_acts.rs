//! The console's pages of the operators' actions: one page for each action, made of its fields and its answer.

use domain::team::Role;
use operators::{ACTIONS, Method};

use crate::support::App;
use crate::support::authenticator::ceremony_on;
use crate::support::console::{Authenticator, Console, Posted, Twist};

/// Value of a hidden field of a page.
fn hidden<'p>(page: &'p str, name: &str) -> &'p str {
    let begin = page.find(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("{name}: {page}"));
    page[begin..].split('"').nth(3).expect("a value")
}

async fn sends(console: &Console, session: &str, act: &str, fields: &[(&str, &str)]) -> Posted {
    console.post(&format!("{}/acts/{act}", console.base), session, fields).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_action_has_a_page_for_its_roles_and_no_other_role() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    for role in Role::ALL {
        let session =
            console.has_operator(&app, role.word(), &[*role], &mut Authenticator::new(&console)).await;
        let (_, menu) = console.get(&format!("{}/acts", console.base), &session).await;
        for action in ACTIONS.iter() {
            let name = action.about.name;
            let may = *role == Role::Admin || action.about.roles.contains(role);
            let (status, page) = console.get(&format!("{}/acts/{name}", console.base), &session).await;
            assert_eq!(status == 403, !may, "{role:?} {name}: {status} {page}");
            assert!(!may || matches!(status, 200 | 400 | 404 | 409), "{role:?} {name}: {status} {page}");
            let is_listed = menu.contains(&format!("href=\"/acts/{name}\""));
            assert_eq!(is_listed, may, "{role:?} {name}");
            if !may && action.about.method == Method::Post {
                assert_eq!(sends(&console, &session, name, &[]).await.status, 403, "{role:?} {name}");
            }
        }
    }
}

#[tokio::test]
async fn a_list_links_its_records_and_a_record_offers_the_actions_that_take_it() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let policy = app.has_policy().await;
    let roles = [Role::Underwriting, Role::Support];
    let session = console.has_operator(&app, "Meera", &roles, &mut Authenticator::new(&console)).await;
    let (status, list) = console.get(&format!("{}/acts/policy.list", console.base), &session).await;
    assert_eq!(status, 200, "{list}");
    let address = format!("/acts/policy.show?id={policy}");
    assert!(list.contains(&format!("href=\"{address}\"")), "{list}");
    let (_, shown) = console.get(&format!("{}{address}", console.base), &session).await;
    for offer in ["policy.cancel", "claim.add"] {
        assert!(shown.contains(&format!("with={offer}\"")), "{offer}: {shown}");
    }
    assert!(shown.contains("href=\"/acts/policy.certificate?"), "{shown}");
    assert!(!shown.contains("with=policy.decide\""), "no cancellation waits: {shown}");
    let (_, with) = console.get(&format!("{}{address}&with=policy.cancel", console.base), &session).await;
    assert!(with.contains("action=\"/acts/policy.cancel\""), "{with}");
    assert!(!shown.contains("refund.paid"), "accounts pay refunds");
    assert!(
        !shown.contains("Asha Rao") && !shown.contains("9876543210"),
        "the source has masked values: {shown}"
    );
}

#[tokio::test]
async fn a_refused_form_comes_back_with_its_input_and_the_fault_beside_the_field() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session =
        console.has_operator(&app, "Meera", &[Role::Accounts], &mut Authenticator::new(&console)).await;
    let sent = [("items", "pro_1=5.00"), ("reference", "UTR <1>"), ("received_on", "tomorrow")];
    let refused = sends(&console, &session, "premium.receive", &sent).await;
    assert_eq!(refused.status, 400);
    assert!(refused.page.contains("value=\"UTR &#60;1&#62;\""), "{}", refused.page);
    assert!(refused.page.contains(">pro_1=5.00</textarea>"), "{}", refused.page);
    assert!(refused.page.contains("class=\"wrong\""), "{}", refused.page);
    let (status, page) = console.get(&format!("{}/acts/no.such", console.base), &session).await;
    assert!(status == 404 && page.contains("no such page"), "{page}");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_is_done_once() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let policy = app.has_policy().await;
    let session =
        console.has_operator(&app, "Meera", &[Role::Support], &mut Authenticator::new(&console)).await;
    let url = format!("{}/acts/complaint.add", console.base);
    let (_, form) = console.get(&url, &session).await;
    let key = hidden(&form, "form_key");
    let sent = [
        ("form_key", key),
        ("kind", "POLICY"),
        ("policy", &policy),
        ("from", "Asha Rao, asha@example.com"),
        ("text", "The name on the certificate is wrong"),
    ];
    let first = sends(&console, &session, "complaint.add", &sent).await;
    assert_eq!(first.status, 200, "{}", first.page);
    let again = sends(&console, &session, "complaint.add", &sent).await;
    assert_eq!(again.status, 200, "{}", again.page);
    assert_eq!(app.rows_of("complaints"), 1);
}

#[tokio::test]
async fn an_action_that_cannot_be_undone_is_confirmed_with_the_passkey_on_its_page() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let policy = app.has_policy().await;
    let mut own = Authenticator::new(&console);
    let session = console.has_operator(&app, "Meera", &[Role::Underwriting], &mut own).await;
    app.clock.advance(std::time::Duration::from_secs(301));
    let sent = [("id", policy.as_str()), ("reason", "MIS_SALE"), ("note", "Complaint 4711")];
    let asked = sends(&console, &session, "policy.cancel", &sent).await;
    assert!(asked.page.contains("Confirm with your passkey"), "{}", asked.page);
    assert_eq!(app.policy(&policy).await["status"], "ISSUED");
    let fields = own.form(&ceremony_on(&asked.page), &Twist::default());
    let form = hidden(&asked.page, "form").replace("&#38;", "&");
    let [ceremony, credential] = fields.pairs();
    let confirmed = [ceremony, credential, ("form", &form)];
    let done = sends(&console, &session, "policy.cancel", &confirmed).await;
    assert_eq!(done.status, 303, "{}", done.page);
    assert_eq!(done.leads_to, format!("/acts/policy.show?id={policy}"));
    assert_eq!(app.policy(&policy).await["status"], "CANCELLED");
    let cookies = format!("{session}; {}", done.session);
    let (_, page) = console.get(&format!("{}{}", console.base, done.leads_to), &cookies).await;
    assert!(page.contains("is CANCELLED"), "{page}");
    let (_, page) = console.get(&format!("{}{}", console.base, done.leads_to), &session).await;
    assert!(!page.contains("is CANCELLED"), "it is said once: {page}");
}

//! The console's desks, and what all its pages do: reasons in place, previews, approvals that are said first, files, forms
//! that outlive a session.

use domain::team::Role;

use crate::support::App;
use crate::support::authenticator::ceremony_on;
use crate::support::claims::death;
use crate::support::console::{Authenticator, Console, Twist};

const REASON: &str = "The customer asks on the phone";

/// Value of a hidden field of a page.
fn hidden<'p>(page: &'p str, name: &str) -> &'p str {
    let begin = page.find(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("{name}: {page}"));
    page[begin..].split('"').nth(3).expect("a value")
}

/// A console with an operator. Returns the operator's session.
async fn opened(app: &App, roles: &[Role]) -> (Console, String) {
    let console = Console::start(&app.service);
    let session = console.has_operator(app, "Meera", roles, &mut Authenticator::new(&console)).await;
    (console, session)
}

async fn page(console: &Console, session: &str, path: &str) -> String {
    let (status, page) = console.get(&format!("{}{path}", console.base), session).await;
    assert_eq!(status, 200, "{path}: {page}");
    page
}

#[tokio::test]
async fn today_lists_a_task_which_an_operator_takes_notes_and_puts_aside() {
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let (console, session) = opened(&app, &[Role::Claims]).await;
    let today = page(&console, &session, "/").await;
    assert!(today.contains(&format!("href=\"/claim?id={claim}\"")), "{today}");
    assert!(!today.contains("Asha Rao"), "the page has masked names: {today}");
    let task = format!("claim:{claim}");
    let key = hidden(&today, "form_key").to_owned();
    let take = [("task", task.as_str()), ("form_key", &key), ("back", "/?whose=mine")];
    let taken = console.post(&format!("{}/acts/waiting.take", console.base), &session, &take).await;
    assert_eq!((taken.status, taken.leads_to.as_str()), (303, "/?whose=mine"), "{}", taken.page);
    let told = format!("{session}; {}", taken.session);
    let mine = page(&console, &told, "/?whose=mine").await;
    assert!(mine.contains("You do this task now.") && mine.contains("You do it"), "{mine}");
    let note = [("task", task.as_str()), ("text", "Waits for the hospital")];
    console.post(&format!("{}/acts/waiting.note", console.base), &session, &note).await;
    assert!(page(&console, &session, "/").await.contains("Waits for the hospital"));
    let tomorrow = app.service.installation.today().tomorrow().expect("a day").to_string();
    let aside = [("task", task.as_str()), ("until", &tomorrow)];
    let put = console.post(&format!("{}/acts/waiting.snooze", console.base), &session, &aside).await;
    assert_eq!(put.status, 303, "{}", put.page);
    assert!(!page(&console, &session, "/").await.contains(&claim), "it is put aside");
    assert!(page(&console, &session, "/?whose=role&aside=true").await.contains(&claim));
    let (_, other) =
        console.get(&format!("{}/acts/waiting.show?task=claim:clm_1", console.base), &session).await;
    assert!(other.contains("does not wait any more"), "{other}");
}

#[tokio::test]
async fn personal_data_is_shown_by_kind_for_ten_minutes_after_a_reason() {
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let (console, session) = opened(&app, &[Role::Claims]).await;
    let name = death("")["claimant"]["name"].as_str().expect("a name").to_owned();
    let path = format!("/claim?id={claim}");
    assert!(!page(&console, &session, &path).await.contains(&name));
    let asks = [("id", claim.as_str()), ("only", "claimant"), ("reason", REASON), ("back", &path)];
    let seen = console.post(&format!("{}/acts/claim.show/sight", console.base), &session, &asks).await;
    assert_eq!((seen.status, seen.leads_to.as_str()), (303, path.as_str()));
    let sight = format!("{session}; {}", seen.session);
    let shown = page(&console, &sight, &path).await;
    assert!(shown.contains(&name), "{shown}");
    assert!(!shown.contains("50100012345678"), "only the claimant is shown: {shown}");
    let other = app.has_claim().await.0;
    assert!(!page(&console, &sight, &format!("/claim?id={other}")).await.contains(&name), "another claim");
    app.clock.advance(std::time::Duration::from_secs(601));
    assert!(!page(&console, &sight, &path).await.contains(&name), "ten minutes are over");
}

#[tokio::test]
async fn a_paper_of_a_claim_is_shown_after_a_reason_and_can_run_nothing() {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let (console, session) = opened(&app, &[Role::Claims]).await;
    let fields = [("id", claim.as_str()), ("paper", "other")];
    let url = format!("{}/acts/claim.attach/files", console.base);
    let refused = console.post_file(&url, &session, &fields, ("file", b"<svg onload=x>")).await;
    assert!(refused.page.contains("The file must be"), "{}", refused.page);
    let empty = console.post_file(&url, &session, &fields, ("file", b"")).await;
    assert!(empty.page.contains("Choose a file"), "{}", empty.page);
    let kept = console.post_file(&url, &session, &fields, ("file", PNG)).await;
    assert_eq!(kept.status, 303, "{}", kept.page);
    let path = format!("/claim?id={claim}");
    let asks = [("id", claim.as_str()), ("reason", REASON), ("back", &path)];
    let seen = console.post(&format!("{}/acts/claim.show/sight", console.base), &session, &asks).await;
    let sight = format!("{session}; {}", seen.session);
    let desk = page(&console, &sight, &path).await;
    let at =
        desk.split("src=\"/claim/paper").nth(1).expect("a picture").split('"').next().expect("an address");
    let url = format!("{}/claim/paper{}", console.base, at.replace("&#38;", "&"));
    let (status, policy, bytes) = console.get_file(&url, &sight, "content-security-policy").await;
    assert_eq!((status, &bytes[..]), (200, PNG));
    assert!(policy.starts_with("sandbox; default-src 'none'"), "{policy}");
    let (_, media, _) = console.get_file(&url, &sight, "content-type").await;
    assert_eq!(media, "image/png");
    let (status, ..) = console.get_file(&url, &session, "content-type").await;
    assert_eq!(status, 403, "without a reason");
}

#[tokio::test]
async fn a_preview_comes_before_the_button_and_changes_nothing() {
    let app = App::start().await;
    let policy = app.has_policy().await;
    let (console, session) = opened(&app, &[Role::Support]).await;
    let url = format!("{}/acts/policy.cancel", console.base);
    let (_, form) = console.get(&format!("{url}?id={policy}"), &session).await;
    assert!(form.contains(">Preview</button>") && !form.contains(">Cancel policy</button>"), "{form}");
    let sent = [("id", policy.as_str()), ("reason", "FREE_LOOK"), ("quote", "true")];
    let shown = console.post(&url, &session, &sent).await;
    assert!(shown.page.contains(">Cancel policy</button>"), "{}", shown.page);
    assert!(
        shown.page.contains("value=\"FREE_LOOK\" checked")
            || shown.page.contains("value=\"FREE_LOOK\" selected")
    );
    assert_eq!(app.policy(&policy).await["status"], "ISSUED");
}

#[tokio::test]
async fn an_action_that_needs_an_approval_says_so_before_it_is_requested() {
    let app = App::start().await;
    let (console, session) = opened(&app, &[Role::Admin]).await;
    console.has_operator(&app, "Divya", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let url = format!("{}/acts/partner.create", console.base);
    let (_, form) = console.get(&url, &session).await;
    let fields = [("form_key", hidden(&form, "form_key")), ("name", "Namoona Lending")];
    let said = console.post(&url, &session, &fields).await;
    assert!(said.page.contains("Another operator must approve this"), "{}", said.page);
    assert_eq!(app.rows_of("approvals"), 0);
    let request = [fields[0], fields[1], ("requests_approval", "true")];
    let waits = console.post(&url, &session, &request).await;
    assert_eq!(app.rows_of("approvals"), 1, "{}", waits.page);
}

#[tokio::test]
async fn a_form_whose_session_has_ended_comes_back_filled_after_the_sign_in() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let mut own = Authenticator::new(&console);
    console.has_operator(&app, "Meera", &[Role::Support], &mut own).await;
    let form = [("kind", "SERVICE"), ("from", "Ravi, 9876543212"), ("text", "Nobody answers me")];
    let ended = console.post(&format!("{}/acts/complaint.add", console.base), "", &form).await;
    assert!(ended.page.contains("your form comes back filled"), "{}", ended.page);
    assert!(!ended.page.contains("Nobody answers me"), "the form is encrypted: {}", ended.page);
    let kept = hidden(&ended.page, "kept").to_owned();
    let fields = own.form(&ceremony_on(&ended.page), &Twist::default());
    let [ceremony, credential] = fields.pairs();
    let sign_in = [ceremony, credential, ("next", "/account"), ("kept", &kept)];
    let signed_in = console.post(&format!("{}/sign-in", console.base), "", &sign_in).await;
    assert!(signed_in.page.contains("Return to your form"), "{}", signed_in.page);
    let back = console.post(&format!("{}/kept", console.base), &signed_in.session, &[("kept", &kept)]).await;
    assert!(back.page.contains("Nobody answers me") && back.page.contains("9876543212"), "{}", back.page);
    assert_eq!(app.rows_of("complaints"), 0);
    app.clock.advance(std::time::Duration::from_secs(901));
    let late = console.post(&format!("{}/kept", console.base), &signed_in.session, &[("kept", &kept)]).await;
    assert!(late.page.contains("expired"), "{}", late.page);
}

#[tokio::test]
async fn a_refused_change_of_a_record_keeps_the_input() {
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let (console, session) = opened(&app, &[Role::Admin]).await;
    let url = format!("{}/acts/claim.withdraw", console.base);
    let first = console.post(&url, &session, &[("id", &claim), ("reason", "The lender paid")]).await;
    assert_eq!(first.status, 303, "{}", first.page);
    let again = console.post(&url, &session, &[("id", &claim), ("reason", "Typed again by me")]).await;
    assert_eq!(again.status, 400, "{}", again.page);
    assert!(again.page.contains("Typed again by me"), "{}", again.page);
}

#[tokio::test]
async fn the_search_finds_a_person_by_one_box_and_the_page_shows_all_records_without_an_identifier_in_its_source()
 {
    let app = App::start().await;
    let (claim, policy) = app.has_claim().await;
    let (console, session) = opened(&app, &[Role::Support, Role::Claims, Role::Compliance]).await;
    let url = format!("{}/search", console.base);
    let by_id = console.post(&url, &session, &[("q", &policy)]).await;
    assert_eq!(by_id.leads_to, format!("/acts/policy.show?id={policy}"));
    let none = console.post(&url, &session, &[("q", "9000000000")]).await;
    assert!(none.page.contains("Nothing was found"), "{}", none.page);
    let found = console.post(&url, &session, &[("q", "+91 98765 43210")]).await;
    assert_eq!(found.status, 303, "{}", found.page);
    assert!(!found.leads_to.contains("9876543210"), "{}", found.leads_to);
    let customer = page(&console, &session, &found.leads_to).await;
    assert!(customer.contains(&policy) && customer.contains(&claim), "{customer}");
    for personal in ["9876543210", "Asha Rao", "asha.rao@example.com"] {
        assert!(!customer.contains(personal), "{personal}: {customer}");
    }
}

#[tokio::test]
async fn every_desk_opens_for_its_roles_and_the_navigation_shows_no_other() {
    let app = App::start().await;
    app.has_claim().await;
    let console = Console::start(&app.service);
    for role in Role::ALL {
        let session =
            console.has_operator(&app, role.word(), &[*role], &mut Authenticator::new(&console)).await;
        let menu = page(&console, &session, "/acts").await;
        let nav = menu.split("</nav>").next().expect("a navigation");
        let desks = nav.split("<a href=\"").skip(1).map(|link| link.split('"').next().expect("an address"));
        for desk in desks.filter(|desk| desk.starts_with('/')) {
            let (status, page) = console.get(&format!("{}{desk}", console.base), &session).await;
            assert_eq!(status, 200, "{role:?} {desk}: {page}");
        }
    }
}

#[tokio::test]
async fn a_list_is_written_as_csv_with_the_columns_of_its_page() {
    let app = App::start().await;
    let policy = app.has_policy().await;
    let (console, session) = opened(&app, &[Role::Read]).await;
    let url = format!("{}/acts/policy.list?as=csv", console.base);
    let (status, media, bytes) = console.get_file(&url, &session, "content-type").await;
    let csv = String::from_utf8(bytes).expect("UTF-8");
    assert_eq!((status, media.as_str()), (200, "text/csv; charset=utf-8"), "{csv}");
    assert_eq!(csv.lines().count(), 2, "{csv}");
    assert!(csv.contains(&policy) && !csv.contains("Asha Rao"), "{csv}");
}

#[tokio::test]
async fn each_action_that_a_record_offers_to_a_role_opens_for_this_role() {
    let app = App::start().await;
    let (claim, policy) = app.has_claim().await;
    let proposal = app.has_proposal("PENDING").await;
    let console = Console::start(&app.service);
    let records = [
        ("claim.show", format!("/claim?id={claim}")),
        ("policy.show", format!("/acts/policy.show?id={policy}")),
        ("proposal.show", format!("/acts/proposal.show?id={proposal}")),
    ];
    for role in Role::ALL {
        let session =
            console.has_operator(&app, role.word(), &[*role], &mut Authenticator::new(&console)).await;
        for (act, record) in &records {
            let (status, _) = console.get(&format!("{}/acts/{act}", console.base), &session).await;
            if status == 403 {
                continue;
            }
            let shown = page(&console, &session, record).await;
            let offers =
                shown.split("<ul class=\"offers\">").skip(1).filter_map(|list| list.split("</ul>").next());
            let offers = offers.flat_map(|list| list.split("<a href=\"").skip(1));
            for offer in offers.filter_map(|link| link.split('"').next()) {
                let offer = offer.replace("&#38;", "&");
                let (status, page) = console.get(&format!("{}{offer}", console.base), &session).await;
                assert_eq!(status, 200, "{role:?} {record} {offer}: {page}");
            }
        }
    }
}

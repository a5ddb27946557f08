//! Monthly statements: created once, for insurers, partners and the operator, and answered by insurers (D85
//! to D87).

use domain::date::{Date, Timestamp};
use domain::money::Rupees;
use domain::policy::PolicyNumber;
use domain::premium::{Account, PaymentReference};
use domain::proposal::Actor;
use domain::quote::CatalogueHash;
use domain::statement::{FileFormat, Statement, StatementKind};
use domain::text::FromText;
use futures_util::future::join_all;
use serde_json::json;
use service::Error;
use service::policy::endorsement::EndorsementVerdict;
use service::statement::{AnswerLine, Made, not_closed};
use service::storage::statements::{MonthBegun, MonthRun, PartPosition};
use service::waiting::WaitingKind;

use crate::support::bodies::with;
use crate::support::claims::death;
use crate::support::statements::{Rows, month, of_kind, sample_with};
use crate::support::{App, Setup};

const NOVEMBER: &str = "2026-11";
const IN_DECEMBER: &str = "2026-12-01T00:20:00+05:30";

/// The id of a policy with this reference of the partner.
async fn sold_as(app: &App, reference: &str) -> String {
    let body = app.has_proposal_body("SUBMITTED").await;
    let body = with(body, "context_data", json!([{ "key": "loan_account_number", "values": [reference] }]));
    let made = app.post("/v1/embedded/proposal", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let proposal = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/embedded/proposal/{proposal}");
    assert_eq!(app.patch(&path, json!({ "status": "COMPLETED" })).await.status, 200);
    app.policy_id_of(&proposal).await
}

fn rupees(text: &str) -> Rupees {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    Rupees::from_paise(sign * text.replace('.', "").parse::<i64>().expect("paise"))
}

fn commission_is_above_nought(rows: &Rows) -> bool {
    sum(&rows.column("commission")) > Rupees::ZERO
}

fn sum(texts: &[&str]) -> Rupees {
    texts.iter().map(|text| rupees(text)).sum()
}

#[tokio::test]
async fn a_bordereau_lists_a_sale_and_its_cancellation_in_the_same_month_as_two_rows() {
    // D85
    let mut app = App::start().await;
    let kept = sold_as(&app, "LN-1").await;
    let cancelled = sold_as(&app, "LN-2").await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    assert_eq!(app.cancels(&cancelled, "FREE_LOOK").await.status, 200);
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let [bordereau] = of_kind(&made, StatementKind::Premium)[..] else { panic!("{made:?}") };
    assert_eq!((bordereau.number.as_str(), bordereau.rows), ("PB-202611-0001", 3));
    let rows = app.statement_rows(bordereau).await;
    assert_eq!(rows.number(), 3);
    let mut ids = rows.column("row_id");
    ids.sort_unstable();
    let mut wanted = [format!("CANCEL-{cancelled}"), format!("NEW-{cancelled}"), format!("NEW-{kept}")];
    wanted.sort_unstable();
    assert_eq!(ids, wanted);
    let last = rows.number() - 1;
    assert_eq!((rows.column("transaction")[last], rows.column("reason")[last]), ("CANCEL", "FREE_LOOK"));
    assert_eq!(
        rows.column("total")[last],
        "-2158.95",
        "what comes back is below nought, and no sale is edited"
    );
    assert_eq!(rows.column("effective_date")[last], "2026-11-29");
    assert_eq!(rows.column("cover_type"), ["single"; 3]);
    assert_eq!(rows.column("member_name")[0], "Asha K Rao");
    assert_eq!(rows.column("loan_reference")[last], "LN-2");
    for name in ["base_premium", "gst", "total", "commission", "net_due"] {
        let total = bordereau.totals.iter().find(|(other, _)| other == name).expect("a total").1;
        assert_eq!(sum(&rows.column(name)), total, "{name}");
    }
    // 7.5 % of the premium without tax, and the same of refunds.
    for (base, commission) in rows.column("base_premium").into_iter().zip(rows.column("commission")) {
        let paise = rupees(base).paise() * 75;
        let half_up = (paise.abs() + 500) / 1000 * paise.signum();
        assert_eq!(rupees(commission), Rupees::from_paise(half_up));
    }
    let files: Vec<FileFormat> = bordereau.files.iter().map(|file| file.format).collect();
    assert_eq!(files, [FileFormat::Csv, FileFormat::Xlsx]);
    for file in &bordereau.files {
        let bytes = app.statement_file(bordereau, file.format).await;
        assert_eq!(bytes.len() as u64, file.bytes);
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &bytes);
        assert_eq!(hash.as_ref(), file.hash);
    }
    let [tax] = of_kind(&made, StatementKind::Gst)[..] else { panic!("{made:?}") };
    let tax = app.statement_rows(tax).await;
    assert_eq!((tax.column("policies"), tax.column("credits")), (vec!["2"], vec!["1"]));
    assert_eq!(rupees(tax.column("net_gst")[0]), sum(&rows.column("gst")));
}

#[tokio::test]
async fn a_month_is_closed_only_once_and_later_changes_go_into_the_next_month() {
    // D85
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    let open = app.service.statements.make(month(NOVEMBER), &mut |_| {}).await;
    assert!(matches!(open, Err(Error::Conflict(why)) if why.detail.contains("2026-11-30")), "it is not over");
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    assert!(made.is_new);
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    let first = &made.statements[0];
    let bytes = app.statement_file(first, FileFormat::Xlsx).await;
    let again = app.makes_statements(NOVEMBER).await;
    assert!(!again.is_new);
    assert_eq!((again.closed_at, &again.statements), (made.closed_at, &made.statements));
    assert_eq!(app.statement_file(&again.statements[0], FileFormat::Xlsx).await, bytes, "the same bytes");
    assert_eq!(app.makes_statements("2026-10").await.statements, [], "nothing was sold then");
    app.set_clock("2027-01-02T12:00:00+05:30").await;
    let made = app.makes_statements("2026-12").await;
    let [bordereau] = of_kind(&made, StatementKind::Premium)[..] else { panic!("{made:?}") };
    assert_eq!(app.statement_rows(bordereau).await.column("transaction"), ["CANCEL"]);
}

#[tokio::test]
async fn only_one_of_several_simultaneous_attempts_closes_a_month() {
    // D85
    let mut app = App::start().await;
    app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let made = futures_util::future::join_all(
        (0..6).map(|_| async { app.service.statements.make(month(NOVEMBER), &mut |_| {}).await }),
    );
    let made = made.await;
    let new = made.iter().filter(|made| matches!(made, Ok(made) if made.is_new)).count();
    let overtaken = made.iter().filter(|made| matches!(made, Err(Error::Conflict(_)))).count();
    let found = made.iter().filter(|made| matches!(made, Ok(made) if !made.is_new)).count();
    assert_eq!((new, overtaken + found), (1, 5), "{made:?}");
    let statements = app.service.statements.of_months(None, 100).await.expect("read");
    assert_eq!(statements.len(), 3, "a bordereau, a commission statement, and the tax");
    let parts: i64 = app.rows_of("statement_parts");
    assert_eq!(parts, 6, "nobody else's parts stay");
}

#[tokio::test]
async fn the_next_statement_run_removes_the_parts_of_a_killed_run() {
    // D85
    let mut app = App::start().await;
    app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let store = app.opens_store().await;
    let dead = MonthRun { month: month(NOVEMBER), number: 7 };
    let at: Timestamp = IN_DECEMBER.parse().expect("an instant");
    assert_eq!(store.begin_month(dead, at).await.expect("begun"), MonthBegun::Begun);
    let statement = "stm_01m5vvw3xreqg9aaa1afd2xg99".parse().expect("an id");
    let part = PartPosition { of: None, statement, file: FileFormat::Csv, number: 0 };
    assert!(store.add_statement_part(dead, part, b"half").await.expect("kept"));
    let made = app.makes_statements(NOVEMBER).await;
    assert!(made.is_new);
    assert_eq!(store.statement_part(part).await.expect("read"), None);
    assert!(!store.add_statement_part(dead, part, b"late").await.expect("judged"), "it was overtaken");
    assert!(!store.close_month(dead, CatalogueHash([6; 32]), &[], &[], &[], at).await.expect("judged"));
    assert_eq!(store.begin_month(dead, at).await.expect("judged"), MonthBegun::Closed(made.closed_at));
}

#[tokio::test]
async fn verification_finds_each_damage_of_a_closed_month_with_its_record_and_rule() {
    let columns = "posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id, reference, sealed";
    let doubled = format!("insert into ledger ({columns}) select {columns} from ledger where entry = 13");
    for (damage, record, rule) in [
        ("update ledger set amount = amount + 100 where entry = 13", "{paid}", "commission in the ledger"),
        (
            "update ledger set debit = credit, credit = debit where entry = 13",
            "CS-202611",
            "commission in the ledger",
        ),
        ("delete from ledger where entry = 13", "{paid}", "commission in the ledger"),
        (&doubled, "{paid}", "commission in the ledger"),
        ("delete from ledger where entry = 15", "{paid}", "tax deducted in the ledger"),
        ("delete from ledger where entry = 17", "{paid}", "payment in the ledger"),
        ("update ledger set entry = 17 where entry = 13", "{paid}", "payment in the ledger"),
        (
            "delete from ledger where entry = 12",
            "statements of ins_",
            "commission of the bordereaux in the ledger",
        ),
        ("update ledger set amount = 1 where entry = 12", "ledger", "content"),
        (
            "delete from ledger where entry = 2",
            "statements of ins_",
            "premium of the bordereaux in the ledger",
        ),
        ("delete from statements where number = 'CS-202611-0001'", "CS-202611-0001", "series of statements"),
        ("delete from statements where number = '{paid}'", "ledger", "statement of the ledger line"),
    ] {
        let mut app = App::start().await;
        let (first, second) = (app.partner().clone(), app.new_partner("Another Lender").await);
        for partner in [&second, &first] {
            app.pays_commission_to(partner, "").await;
            app.asks_as(partner.clone());
            app.has_policy().await;
        }
        app.set_clock(IN_DECEMBER).await;
        let made = app.makes_statements(NOVEMBER).await;
        let earning = of_kind(&made, StatementKind::Commission);
        let earning =
            earning.into_iter().find(|one| one.payable() > Rupees::ZERO).expect("one partner earns");
        let (reference, today) = (PaymentReference::from_text("UTR-CS-1").expect("a reference"), app.today());
        app.service.statements.paid(&earning.number, reference, today, None).await.expect("paid");
        let [damage, record] = [damage, record].map(|text| text.replace("{paid}", &earning.number));
        assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
        app.store.says(&damage).expect("changed");
        let faults = app.store.faults(app.folder.path());
        let found = faults.iter().any(|fault| fault.contains(&record) && fault.contains(rule));
        assert!(found, "{damage}: {faults:#?}");
    }
}

#[tokio::test]
async fn a_closed_month_that_lost_its_closing_time_is_refused_and_keeps_its_files() {
    let mut app = App::start().await;
    app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let bytes = app.statement_file(&made.statements[0], FileFormat::Xlsx).await;
    app.store.says("update statement_months set closed_at = null").expect("changed");
    let refused = app.service.statements.make(month(NOVEMBER), &mut |_| {}).await;
    assert!(
        matches!(&refused, Err(Error::Storage(why)) if why.to_string().contains("verify")),
        "{refused:?}"
    );
    assert_eq!(app.statement_file(&made.statements[0], FileFormat::Xlsx).await, bytes);
    let faults = app.store.faults(app.folder.path());
    assert!(faults.iter().any(|fault| fault.contains("closed month")), "{faults:?}");
}

#[tokio::test]
async fn a_partner_earns_commission_only_with_a_licence_in_force() {
    // D86
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let [own] = of_kind(&made, StatementKind::Commission)[..] else { panic!("{made:?}") };
    let rows = app.statement_rows(own).await;
    assert_eq!(
        (rows.column("commission"), rows.column("note")),
        (vec!["0.00"], vec!["no licence on record"])
    );
    assert_eq!(app.balance(Account::PartnerCommission).await, Rupees::ZERO);

    let partner = app.partner().clone();
    app.pays_commission_to(&partner, "").await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    app.has_policy().await;
    app.set_clock("2027-01-01T00:15:00+05:30").await;
    let made = app.makes_statements("2026-12").await;
    let [own] = of_kind(&made, StatementKind::Commission)[..] else { panic!("{made:?}") };
    let rows = app.statement_rows(own).await;
    let mut rates: Vec<(&str, &str)> =
        rows.column("transaction").into_iter().zip(rows.column("commission_rate")).collect();
    rates.sort_unstable();
    assert_eq!(rates, [("CANCEL", ""), ("NEW", "4")], "what never came does not go back");
    assert!(commission_is_above_nought(&rows), "so that something is shown");
    let total = |name: &str| own.totals.iter().find(|(other, _)| other == name).expect("a total").1;
    let commission = sum(&rows.column("commission"));
    let percent = |percent: i64| {
        let paise = commission.paise() * percent;
        Rupees::from_paise((paise.abs() + 50) / 100 * paise.signum())
    };
    assert_eq!(total("commission"), commission);
    assert_eq!((total("gst_on_commission"), total("tax_deducted_at_source")), (percent(18), percent(2)));
    assert_eq!(total("payable"), commission + percent(18) - percent(2));
    assert_eq!(app.balance(Account::PartnerCommission).await, total("payable"));
    assert_eq!(app.balance(Account::TaxWithheld).await, percent(2));
}

#[tokio::test]
async fn a_commission_statement_notes_a_licence_that_ended_before_the_sale() {
    // D86
    let mut app = App::start().await;
    let partner = app.partner().id;
    let terms = format!(
        "[[partner]]\npartner = \"{partner}\"\nlicence = {{ kind = \"k\", number = \"n\", from = 2025-04-01, until = 2026-11-19 }}\n[[partner.commission]]\nline = \"credit-life\"\nfrom = 2025-04-01\npercent = 4\nsource = \"s\"\n[[tax]]\nfrom = 2017-07-01\ngst_percent = 18\ntds_percent = 2\nsource = \"s\"\n"
    );
    app.runs_catalogue(&sample_with("commission.toml", &terms)).await;
    app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let rows = app.statement_rows(of_kind(&made, StatementKind::Commission)[0]).await;
    assert_eq!(rows.column("note"), ["licence not in force on the day of the sale"]);
}

#[tokio::test]
async fn statements_of_all_months_together_equal_the_ledger() {
    // D63, D69, D85, D86
    let mut app = App::start().await;
    let partner = app.partner().clone();
    app.pays_commission_to(&partner, "").await;
    let months = [("2026-11-24", "2026-12-05", NOVEMBER), ("2026-12-20", "2027-01-03", "2026-12")];
    let (mut sold, mut returned, mut commission, mut payable) = Default::default();
    for (in_it, after, of) in months {
        for _ in 0..3 {
            app.has_policy().await;
        }
        let policy = app.has_policy_decided_by("operator").await;
        app.set_clock(&format!("{in_it}T12:00:00+05:30")).await;
        let cancelled = app.has_policy().await;
        assert_eq!(app.cancels(&cancelled, "FREE_LOOK").await.status, 200);
        assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200, "asked, and not confirmed");
        app.set_clock(&format!("{after}T12:00:00+05:30")).await;
        let made = app.makes_statements(of).await;
        for bordereau in of_kind(&made, StatementKind::Premium) {
            let rows = app.statement_rows(bordereau).await;
            for (transaction, total) in rows.column("transaction").into_iter().zip(rows.column("total")) {
                match transaction {
                    "NEW" => sold = sold + rupees(total),
                    _ => returned = returned + rupees(total),
                }
            }
            commission = commission + sum(&rows.column("commission"));
        }
        for own in of_kind(&made, StatementKind::Commission) {
            payable = payable + own.totals.iter().find(|(name, _)| name == "payable").expect("a total").1;
        }
        let confirmed = app
            .service
            .cancellations
            .decide(policy.parse().expect("an id"), None, Actor::Operator, true, None)
            .await;
        confirmed.expect("it counts in the month after");
    }
    app.set_clock("2027-02-03T12:00:00+05:30").await;
    let last = app.makes_statements("2027-01").await;
    for bordereau in of_kind(&last, StatementKind::Premium) {
        let rows = app.statement_rows(bordereau).await;
        assert!(rows.column("transaction").iter().all(|transaction| *transaction == "CANCEL"));
        returned = returned + sum(&rows.column("total"));
        commission = commission + sum(&rows.column("commission"));
    }
    for own in of_kind(&last, StatementKind::Commission) {
        payable = payable + own.totals.iter().find(|(name, _)| name == "payable").expect("a total").1;
    }
    assert_eq!(app.balance(Account::Premium).await, sold);
    assert_eq!(app.balance(Account::ReturnedPremium).await, returned);
    assert_eq!(app.balance(Account::CommissionDue).await, Rupees::ZERO - commission);
    assert_eq!(app.balance(Account::PartnerCommission).await, payable);
    let accounts = app.service.premiums.balances().await.expect("read");
    assert_eq!(accounts.iter().map(|account| account.balance).sum::<Rupees>(), Rupees::ZERO);
}

#[tokio::test]
async fn a_claims_statement_shows_each_claim_as_it_was_at_the_end_of_the_month() {
    // D82, D85
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    let claim =
        app.claims(death(&policy)).await.json()["payload"]["claim_id"].as_str().expect("an id").to_owned();
    app.set_clock("2026-12-02T12:00:00+05:30").await;
    let id = claim.parse().expect("an id");
    let decide = async |state, approved| {
        let verdict =
            service::claim::settlement::ClaimVerdict { state, approved, refunds: None, reason: None };
        app.service.claims.decide(id, Actor::Operator, verdict).await.expect("decided");
    };
    decide(domain::claim::ClaimState::UnderAssessment, None).await;
    decide(domain::claim::ClaimState::Approved, Some(Rupees::whole(400_000))).await;
    let of = async |text: &str| {
        let made = app.makes_statements(text).await;
        let [claims] = of_kind(&made, StatementKind::Claims)[..] else { panic!("{made:?}") };
        app.statement_rows(claims).await
    };
    let november = of(NOVEMBER).await;
    assert_eq!(
        (november.column("claim_no"), november.column("status")),
        (vec![claim.as_str()], vec!["INTIMATED"])
    );
    assert_eq!(
        (november.column("outstanding"), november.column("claimed")),
        (vec!["0.00"], vec!["500000.00"])
    );
    app.clock.set("2027-01-02T12:00:00+05:30");
    let december = of("2026-12").await;
    assert_eq!(
        (december.column("status"), december.column("outstanding")),
        (vec!["APPROVED"], vec!["400000.00"])
    );
    assert_eq!(december.column("decided_on"), ["2026-12-02"]);
}

#[tokio::test]
async fn a_bordereau_has_the_columns_that_the_catalogue_sets_for_its_insurer() {
    // D85
    let mut app = App::start().await;
    sold_as(&app, "=HYPERLINK(\"x\")").await;
    let insurer = |folder: &str| {
        let path = format!("insurers/{folder}/insurer.toml");
        let text =
            String::from_utf8(rating::Files::sample().get(&path).expect("there").to_vec()).expect("text");
        text.lines().find_map(|line| line.strip_prefix("id = ").map(str::to_owned)).expect("an id")
    };
    let layout = format!(
        "[[bordereau]]\nkind = \"premium\"\ninsurers = [{}]\ncolumns = [[\"UMR\", \"master_policy_no\"], [\"Loan\", \"loan_reference\"], \"row_id\"]\n[[bordereau]]\nkind = \"premium\"\ncolumns = [\"row_id\"]\n",
        insurer("kalpanik")
    );
    app.runs_catalogue(&sample_with("bordereaux.toml", &layout)).await;
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let rows = app.statement_rows(of_kind(&made, StatementKind::Premium)[0]).await;
    assert_eq!(rows.0[0], ["UMR", "Loan", "row_id"]);
    assert_eq!(rows.column("Loan"), ["'=HYPERLINK(\"x\")"], "a formula is text");
}

#[tokio::test]
async fn a_draft_of_the_statements_of_an_open_month_stores_nothing() {
    // D85
    let app = App::start().await;
    app.has_policy().await;
    let mut names = Vec::new();
    let mut take = |file: service::statement::DraftFile<'_>| {
        names.push(file.name);
        Ok(())
    };
    app.service.statements.draft(month(NOVEMBER), &mut |_| {}, &mut take).await.expect("drafted");
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("draft-2026-11-")), "{names:?}");
    assert_eq!((app.rows_of("statements"), app.rows_of("statement_parts")), (0, 0));
}

#[tokio::test]
async fn an_operator_is_reminded_of_a_month_that_is_over_and_not_closed() {
    // D85
    let mut app = App::start().await;
    app.has_policy().await;
    let store = app.opens_store().await;
    let store = store.as_ref();
    let on = async |day: Date| not_closed(store, store, store, day).await.expect("read");
    assert_eq!(on(Date::constant(2026, 12, 5)).await, [], "there is still time");
    assert_eq!(on(Date::constant(2026, 12, 6)).await, [month(NOVEMBER)]);
    assert_eq!(
        on(Date::constant(2027, 3, 1)).await,
        [month(NOVEMBER)],
        "nothing was sold in the months after it"
    );
    app.set_clock(IN_DECEMBER).await;
    app.makes_statements(NOVEMBER).await;
    assert_eq!(on(Date::constant(2027, 3, 1)).await, [], "it is closed");
}

fn line(number: u64, row_id: &str, insurer: Option<&str>) -> AnswerLine {
    AnswerLine {
        line: number,
        row_id: row_id.to_owned(),
        accepted: insurer.is_some(),
        number: insurer.map(|number| PolicyNumber::kept(number.to_owned())),
        reason: insurer.is_none().then(|| "age".to_owned()),
    }
}

#[tokio::test]
async fn an_insurers_answer_to_a_bordereau_is_accepted_completely_or_not_at_all() {
    // D87
    let mut app = App::start().await;
    let (one, other) = (app.has_policy().await, app.has_policy().await);
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let number = of_kind(&made, StatementKind::Premium)[0].number.clone();
    let answer = async |lines: &[AnswerLine]| app.service.statements.answer(&number, lines).await;
    let (row, rejected) = (format!("NEW-{one}"), format!("NEW-{other}"));
    let wrong = [
        line(2, &row, Some("KAL/1")),
        line(3, "CANCEL-pol_01m5vvw3xreqg9aaa1afd2xg99", None),
        line(4, &format!("CANCEL-{other}"), None),
        line(5, "x", None),
        line(6, &row, Some("KAL/1")),
    ];
    let Err(Error::Invalid(faults)) = answer(&wrong).await else { panic!("it was taken") };
    let lines: Vec<&str> = faults.0.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(lines, ["line 3", "line 4", "line 5", "line 6"], "every fault is named");
    assert_eq!(app.policy(&one).await["insurer_policy_number"], json!(null), "nothing was taken");
    let good = [line(2, &row, Some("KAL/1")), line(3, &rejected, None)];
    let answered = answer(&good).await.expect("taken");
    assert_eq!((answered.accepted, answered.rejected, answered.numbered), (1, 1, 1));
    assert_eq!(app.policy(&one).await["insurer_policy_number"], "KAL/1");
    assert!(answer(&good).await.expect("the same again").is_twin);
    assert_eq!(app.policy(&other).await["insurer_policy_number"], json!(null), "of a row that is rejected");
    assert_eq!(app.waits(WaitingKind::RejectedRow).await, [other.as_str()]);
    let otherwise = answer(&[line(2, &rejected, Some("KAL/2"))]).await;
    assert!(matches!(otherwise, Err(Error::Invalid(_))), "{otherwise:?}");
    let statement = app.service.statements.numbered(&number).await.expect("there");
    assert_eq!(app.service.statements.answers(&statement).await.expect("read").len(), 2);
    let commission = of_kind(&made, StatementKind::Commission)[0].number.clone();
    let refused = app.service.statements.answer(&commission, &good).await;
    assert!(matches!(refused, Err(Error::Conflict(_))));
}

#[tokio::test]
async fn a_policy_in_two_rows_of_an_insurers_answer_gets_the_insurers_policy_number() {
    // D87
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let number = of_kind(&made, StatementKind::Premium)[0].number.clone();
    let (sold, back) = (format!("NEW-{policy}"), format!("CANCEL-{policy}"));
    let lines = [line(2, &sold, Some("KAL/1")), line(3, &back, Some("KAL/1"))];
    let answered = app.service.statements.answer(&number, &lines).await.expect("taken");
    assert_eq!((answered.accepted, answered.numbered), (2, 1));
    assert_eq!(app.policy(&policy).await["insurer_policy_number"], "KAL/1");
}

#[tokio::test]
async fn a_month_with_a_clawback_cannot_be_closed_before_the_month_of_the_sale() {
    // D86
    let mut app = App::start().await;
    let partner = app.partner().clone();
    app.pays_commission_to(&partner, "").await;
    let policy = app.has_policy().await;
    app.set_clock("2026-12-02T12:00:00+05:30").await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    app.set_clock("2027-01-02T12:00:00+05:30").await;
    let early = app.service.statements.make(month("2026-12"), &mut |_| {}).await;
    assert!(matches!(early, Err(Error::Conflict(why)) if why.detail.contains("2026-11 is not closed")));
    let november = app.makes_statements(NOVEMBER).await;
    // The rate has changed and the licence is gone, but the clawback equals the original commission.
    app.runs_catalogue(&rating::Files::sample()).await;
    let december = app.makes_statements("2026-12").await;
    let own = async |made| app.statement_rows(of_kind(made, StatementKind::Commission)[0]).await;
    let (came, back) = (own(&november).await, own(&december).await);
    assert_eq!(came.column("commission_rate"), ["4"]);
    assert_eq!(back.column("commission_rate"), ["4"]);
}

#[tokio::test]
async fn the_last_month_of_the_calendar_cannot_be_closed() {
    let app = App::start().await;
    let last = app.service.statements.make(month("9999-12"), &mut |_| {}).await;
    assert!(matches!(last, Err(Error::Conflict(_))));
}

#[tokio::test]
async fn personal_data_of_statement_rows_is_not_readable_in_the_store() {
    // D39
    let mut app = App::start().await;
    sold_as(&app, "LN-SECRET-1").await;
    app.set_clock(IN_DECEMBER).await;
    app.makes_statements(NOVEMBER).await;
    let stored = app.store.bytes(app.folder.path());
    for personal in ["LN-SECRET-1", "Asha K Rao"] {
        let found = stored.windows(personal.len()).any(|window| window == personal.as_bytes());
        assert!(!found, "{personal} lies in clear");
    }
}

#[tokio::test]
async fn each_bordereau_row_shows_the_policy_as_it_was_after_its_transaction() {
    // D92
    let mut app = App::start().await;
    let policy = sold_as(&app, "LN-1").await;
    app.set_clock("2026-11-28T12:00:00+05:30").await;
    let name = json!({ "title": "MS", "first_name": "Aasha", "last_name": "Rao" });
    for change in [
        json!({ "kind": "NAME", "member": 1, "name": name }),
        json!({ "kind": "LOAN_ACCOUNT", "loan_account": "LN-2" }),
        json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "15/06/1992" }),
    ] {
        let answer = app.endorses(&policy, change).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let rows = app.statement_rows(of_kind(&made, StatementKind::Premium)[0]).await;
    assert_eq!(rows.column("transaction"), ["NEW", "ENDORSE", "ENDORSE", "ENDORSE", "CANCEL"]);
    assert_eq!(
        rows.column("member_name"),
        ["Asha K Rao", "Aasha Rao", "Aasha Rao", "Aasha Rao", "Aasha Rao"]
    );
    assert_eq!(rows.column("loan_reference"), ["LN-1", "LN-1", "LN-2", "LN-2", "LN-2"]);
    let born = rows.column("date_of_birth");
    assert_eq!(born[..3], [born[0]; 3]);
    assert_eq!((born[3], born[4]), ("1992-06-15", "1992-06-15"));
    assert_ne!(born[0], "1992-06-15");
    let own = app.statement_rows(of_kind(&made, StatementKind::Commission)[0]).await;
    assert_eq!(own.column("loan_reference"), rows.column("loan_reference"), "the partner's copy as well");
}

#[tokio::test]
async fn a_health_bordereau_row_shows_the_members_name_as_of_its_transaction() {
    // D92
    let mut app = Setup::health().start().await;
    let policy = app.has_health_policy().await;
    let sold = app.policy(&policy).await["members"][0].clone();
    let name = json!({ "title": "MS", "first_name": "Aasha", "last_name": "Raao" });
    let answer = app.endorses(&policy, json!({ "kind": "NAME", "member": 1, "name": name })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let number = answer.json()["payload"]["endorsement"]["number"].clone();
    if answer.json()["payload"]["endorsement"]["state"] == "REQUESTED" {
        let id = policy.parse().expect("an id");
        let number = u16::try_from(number.as_u64().expect("a number")).expect("small");
        app.service
            .endorsements
            .decide(id, Some(number), Actor::Operator, EndorsementVerdict::Confirm(None))
            .await
            .expect("decided");
    }
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let rows = app.statement_rows(of_kind(&made, StatementKind::Premium)[0]).await;
    let names: Vec<&str> = rows.column("member_name");
    assert!(names[0].starts_with(sold["name"].as_str().expect("a name")), "{names:?}");
    assert!(names[1].starts_with("Aasha Raao"), "{names:?}");
}

/// A November statement with an amount owed to the app's partner, on 1 December. Returns its number and the
/// amount.
async fn owed(app: &mut App) -> (String, Rupees) {
    let partner = app.partner().clone();
    app.pays_commission_to(&partner, "").await;
    app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let own = of_kind(&made, StatementKind::Commission)[0];
    let payable = own.totals.iter().find(|(name, _)| name == "payable").expect("a total").1;
    assert_eq!(own.payable(), payable);
    (own.number.clone(), payable)
}

fn by(reference: &str) -> PaymentReference {
    PaymentReference::from_text(reference).expect("a reference")
}

#[tokio::test]
async fn a_commission_statement_can_be_paid_only_once() {
    // D93
    let mut app = App::start().await;
    let (number, payable) = owed(&mut app).await;
    app.set_clock("2026-12-07T12:00:00+05:30").await;
    let seventh = Date::constant(2026, 12, 7);
    let service = app.service.clone();
    let pays =
        async |reference, day, amount| service.statements.paid(&number, by(reference), day, amount).await;
    assert_eq!(app.get("/v1/statements").await.json()["statements"][0]["paid"], json!(null));
    let paid = pays("UTR-1", seventh, Some(payable)).await.expect("noted");
    assert_eq!(paid.paid.as_ref().map(|paid| paid.reference.as_str()), Some("UTR-1"));
    assert_eq!(app.balance(Account::PartnerCommission).await, Rupees::ZERO);
    assert_eq!(app.balance(Account::OwnFunds).await, payable);
    assert_eq!(pays("UTR-1", seventh, None).await.expect("the same again"), paid);
    for (reference, day) in [("UTR-2", seventh), ("UTR-1", Date::constant(2026, 12, 6))] {
        let again = pays(reference, day, None).await;
        assert!(matches!(&again, Err(Error::Conflict(why)) if why.detail.contains("UTR-1")), "{again:?}");
    }
    assert_eq!(app.balance(Account::OwnFunds).await, payable, "once");
    let shown = app.get("/v1/statements").await.json()["statements"][0].clone();
    assert_eq!(
        shown["paid"],
        json!({ "reference": "UTR-1", "paid_on": "2026-12-07", "amount": payable.to_string() })
    );
    let detail = format!("/v1/statements/{}", shown["statement_id"].as_str().expect("an id"));
    assert_eq!(app.get(&detail).await.json()["payload"]["paid"], shown["paid"]);
}

#[tokio::test]
async fn only_one_of_sixteen_simultaneous_payments_of_a_statement_is_recorded() {
    // D93
    let mut app = App::start().await;
    let (number, payable) = owed(&mut app).await;
    let today = Date::constant(2026, 12, 1);
    let pay = |nth: usize| {
        let (service, number) = (app.service.clone(), number.clone());
        async move { service.statements.paid(&number, by(&format!("UTR-{nth}")), today, None).await }
    };
    let done = join_all((0..16).map(pay)).await;
    assert_eq!(done.iter().filter(|paid| paid.is_ok()).count(), 1, "{done:?}");
    assert!(done.iter().all(|paid| matches!(paid, Ok(_) | Err(Error::Conflict(_)))), "{done:?}");
    assert_eq!(app.balance(Account::OwnFunds).await, payable);
}

#[tokio::test]
async fn a_payment_with_a_wrong_amount_or_day_or_of_a_statement_that_owes_nothing_is_refused() {
    // D93
    let mut app = App::start().await;
    let (number, payable) = owed(&mut app).await;
    let service = app.service.clone();
    let refused = async |number: &str, day, amount, says: &str| {
        let paid = service.statements.paid(number, by("UTR-1"), day, amount).await;
        assert!(matches!(&paid, Err(Error::Conflict(why)) if why.detail.contains(says)), "{says}: {paid:?}");
    };
    let first = Date::constant(2026, 12, 1);
    let bordereau = number.replace("CS", "PB");
    refused(&bordereau, first, None, "not a partner's statement").await;
    refused(&number, first, Some(payable + Rupees::from_paise(1)), "The amount must be").await;
    refused(&number, Date::constant(2026, 12, 2), None, "until today").await;
    refused(&number, Date::constant(2026, 11, 30), None, "until today").await;
    let unknown = service.statements.paid("CS-202611-0009", by("UTR-1"), first, None).await;
    assert!(matches!(unknown, Err(Error::Unknown { .. })), "{unknown:?}");
    assert_eq!(app.balance(Account::OwnFunds).await, Rupees::ZERO);
    // For a later refund, the partner owes its commission.
    let policy = app.get("/v1/policies?issued_from=2026-11-20").await.json()["policies"][0].clone();
    let policy = policy["policy_id"].as_str().expect("an id");
    assert_eq!(app.cancels(policy, "FREE_LOOK").await.status, 200);
    app.set_clock("2027-01-02T12:00:00+05:30").await;
    let december = app.makes_statements("2026-12").await;
    let back = of_kind(&december, StatementKind::Commission)[0];
    assert!(back.payable() < Rupees::ZERO);
    refused(&back.number, Date::constant(2027, 1, 2), None, "the partner owes").await;
}

#[tokio::test]
async fn a_negative_statement_is_carried_forward_to_the_next_one_without_tax_deduction() {
    // D86, D93
    let mut app = App::start().await;
    owed(&mut app).await;
    let policy = app.get("/v1/policies?issued_from=2026-11-20").await.json()["policies"][0].clone();
    let policy = policy["policy_id"].as_str().expect("an id").to_owned();
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    let total = |statement: &Statement, name: &str| {
        statement.totals.iter().find(|(other, _)| other == name).map(|(_, total)| *total)
    };
    let own = |made: &Made| of_kind(made, StatementKind::Commission)[0].clone();
    app.set_clock("2027-01-02T12:00:00+05:30").await;
    let december = own(&app.makes_statements("2026-12").await);
    assert_eq!(total(&december, "tax_deducted_at_source"), Some(Rupees::ZERO));
    assert_eq!(total(&december, "carried_forward"), None, "November owed the partner");
    let debit = december.payable();
    assert!(debit < Rupees::ZERO);
    // Too little is sold in January, nothing in February, and enough in March.
    app.has_policy().await;
    app.set_clock("2027-02-02T12:00:00+05:30").await;
    let january = own(&app.makes_statements("2027-01").await);
    assert_eq!(total(&january, "carried_forward"), Some(debit));
    assert_eq!(total(&january, "payable"), Some(january.payable()));
    app.set_clock("2027-03-02T12:00:00+05:30").await;
    assert!(of_kind(&app.makes_statements("2027-02").await, StatementKind::Commission).is_empty());
    for _ in 0..2 {
        app.has_policy().await;
    }
    app.set_clock("2027-04-02T12:00:00+05:30").await;
    let march = own(&app.makes_statements("2027-03").await);
    let owed = Some(january.payable()).filter(|owed| *owed < Rupees::ZERO);
    assert_eq!(total(&march, "carried_forward"), owed, "February made no statement that could take it over");
    // The ledger owes what the payable statements say.
    assert!(march.payable() > Rupees::ZERO);
    for statement in [&january, &march] {
        if statement.payable() > Rupees::ZERO {
            let day = app.today();
            app.service.statements.paid(&statement.number, by("UTR-9"), day, None).await.expect("paid");
        }
    }
    let first = app.service.statements.of_months(Some(month(NOVEMBER)), 100).await.expect("read");
    let first = first.into_iter().find(|one| one.kind == StatementKind::Commission).expect("November's");
    app.service.statements.paid(&first.number, by("UTR-8"), app.today(), None).await.expect("paid");
    assert_eq!(app.balance(Account::PartnerCommission).await, Rupees::ZERO);
}

#[tokio::test]
async fn a_statement_without_commission_cannot_be_paid() {
    // D86, D93
    let mut app = App::start().await;
    app.has_policy().await;
    app.set_clock(IN_DECEMBER).await;
    let made = app.makes_statements(NOVEMBER).await;
    let number = &of_kind(&made, StatementKind::Commission)[0].number;
    let paid = app.service.statements.paid(number, by("UTR-1"), Date::constant(2026, 12, 1), None).await;
    assert!(matches!(&paid, Err(Error::Conflict(why)) if why.detail.contains("Nothing is owed")), "{paid:?}");
}

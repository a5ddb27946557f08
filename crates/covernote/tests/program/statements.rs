//! Monthly statements at the command line (D85, D87).

use std::fs;

use serde_json::json;

use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run};

#[tokio::test]
async fn an_operator_can_draft_an_open_month_but_close_only_a_month_that_is_over() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let partner = DemoPartner::with_token(&demo.base).await;
    let policy = partner.has_policy().await;
    let shown = partner.get(&format!("/v1/policies/{policy}")).await;
    let month = shown["cover_starts"].as_str().expect("a day")[..7].to_owned();

    let draft = ["statement", "draft", "--month", &month, "--out", "draft"];
    let drafted = run(here, &[&draft, &DATA[..]].concat());
    assert!(drafted.status.success(), "{drafted:?}");
    let files: Vec<String> = fs::read_dir(here.join("draft"))
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().into_string().expect("text"))
        .collect();
    assert_eq!(files.len(), 6, "a bordereau, a commission statement and the tax, each twice: {files:?}");
    let bordereau = files.iter().find(|name| name.contains("premium") && name.ends_with(".csv"));
    let bordereau =
        fs::read_to_string(here.join("draft").join(bordereau.expect("a bordereau"))).expect("text");
    assert!(bordereau.contains(&format!("NEW-{policy}")), "{bordereau}");
    let again = run(here, &[&draft, &DATA[..]].concat());
    assert_eq!(again.status.code(), Some(69), "a file that is there is not written over");

    let open = run(here, &[&["statement", "make", "--month", &month], &DATA[..]].concat());
    assert_eq!(open.status.code(), Some(1), "it is not over");
    let (code, made) = told(here, &["statement", "make", "--month", "2020-02"]);
    assert_eq!((code, &made["is_new"], &made["statements"]), (0, &json!(true), &json!([])));
    assert_eq!(told(here, &["statement", "make", "--month", "2020-02"]).1["is_new"], false);
    assert_eq!(told(here, &["statement", "list"]).1["statements"], json!([]));
    let wrong = run(here, &[&["statement", "make", "--month", "2020-13"], &DATA[..]].concat());
    assert_eq!(wrong.status.code(), Some(65));
    for words in [&["show", "PB-202002-0001"][..], &["paid", "CS-202002-0001", "--reference", "UTR-1"]] {
        let none = run(here, &[&["statement"], words, &DATA[..]].concat());
        assert_eq!(none.status.code(), Some(1), "{words:?}");
    }
    let faulty = ["statement", "paid", "CS-202002-0001", "--reference", "a b", "--paid-on", "31.12.2026"];
    assert_eq!(run(here, &[&faulty, &DATA[..]].concat()).status.code(), Some(65));
}

#[test]
fn all_faults_of_an_insurers_answer_are_reported_before_its_statement_is_looked_up() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let _demo = Server::start(here, &["--demo"]);
    let answer = |text: &str| {
        fs::write(here.join("answer.csv"), text).expect("written");
        let done = run(here, &[&["statement", "answer", "PB-202002-0001", "answer.csv"], &DATA[..]].concat());
        (done.status.code(), String::from_utf8(done.stderr).expect("text"))
    };
    let (code, told) = answer("row_id,status,reason\nNEW-x,maybe,\nNEW-y,rejected,\n");
    assert_eq!(code, Some(65), "{told}");
    assert!(told.contains("line 2: status") && told.contains("line 3: reason"), "{told}");
    for number in ["1.23457E+17", "#N/A"] {
        let (code, told) = answer(&format!("row_id,status,insurer_policy_no\nNEW-x,accepted,{number}\n"));
        assert_eq!(code, Some(65), "{told}");
        assert!(told.contains("line 2: insurer_policy_no"), "{told}");
    }
    // As Excel saves a file: CRLF, another separator, capital letters, empty columns and rows.
    let (code, told) = answer(
        "Row_ID;Status;Reason;\r\nNEW-x;accepted;;\r\nNEW-y;maybe;;\r\n;;;\r\n\r\nNEW-z;no;;\r\n;;;\r\n",
    );
    assert!(code == Some(65) && told.contains("line 3: status") && told.contains("line 6: status"), "{told}");
    assert!(!told.contains("line 2:") && !told.contains("line 4:") && !told.contains("line 7:"), "{told}");
    let (code, told) = answer("row_id,status,reason\nNEW-x,rejected,too old, and ill\n");
    assert!(code == Some(65) && told.contains("line 2: it has more cells"), "{told}");
    let (code, told) = answer("row,status\n");
    assert!(code == Some(65) && told.contains("The column row_id is missing"), "{told}");
    let (code, told) = answer("\u{feff}row_id,status\n");
    assert!(code == Some(65) && told.contains("no rows"), "{told}");
    let (code, told) = answer("row_id,status\nNEW-x,ACCEPTED\n");
    assert!(code == Some(1) && told.contains("PB-202002-0001"), "{told}");
}

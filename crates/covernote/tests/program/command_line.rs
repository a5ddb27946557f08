//! The command line: its output, and the exit codes that scripts rely on.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use clap::CommandFactory;
use serde_json::{Value, json};

use crate::support::program::{run, stderr, stdout};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

#[test]
fn the_build_script_sets_no_variable_that_is_read_as_a_setting() {
    // `cargo run` passes the variables of the build script to the program: README's first command ended with 78.
    let script = include_str!("../../build.rs");
    assert!(script.contains("cargo:rustc-env="), "the script sets a variable");
    assert!(!script.contains("cargo:rustc-env=COVERNOTE_"), "{script}");
}

#[test]
fn a_partners_secret_is_shown_only_when_the_partner_is_created() {
    // D5
    let here = folder();
    let made =
        run(here.path(), &["partner", "create", "A Lender", "--scope", "business.quote.write", "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let made = object(&stdout(&made));
    assert!(made["partner_id"].as_str().expect("text").starts_with("par_"));
    let secret = made["client_secret"].as_str().expect("text");
    assert_eq!(secret.len(), 43, "256 bits in base64url");
    let shown = run(here.path(), &["partner", "show", made["client_id"].as_str().expect("text"), "--json"]);
    let text = stdout(&shown);
    assert!(!text.contains(secret));
    let shown = object(&text);
    assert_eq!(shown["scopes"], json!(["business.session", "business.quote.write"]));
    assert_eq!((shown["tokens_per_hour"].clone(), shown["enabled"].clone()), (json!(100), json!(true)));
    let data = here.path().join("covernote-data");
    for file in
        [&data, &data.join("audit")].into_iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"))
    {
        let Ok(bytes) = fs::read(file.expect("a file").path()) else { continue };
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "the secret is kept");
    }
}

#[test]
fn without_json_the_credentials_are_three_lines_on_stdout() {
    let here = folder();
    let made = run(here.path(), &["partner", "create", "A Lender"]);
    let text = stdout(&made);
    let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["partner_id", "client_id", "client_secret"]);
}

#[test]
fn only_the_owner_can_read_the_data_folder_and_the_keyring() {
    let here = folder();
    run(here.path(), &["partner", "create", "A Lender"]);
    let mode = |path: &str| fs::metadata(here.path().join(path)).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode("covernote-data"), mode("covernote-data/keyring")), (0o700, 0o600));
    assert_eq!(mode("covernote-data/covernote.db"), 0o600);
    // A catalogue is not secret, and the server's user must be able to read it.
    run(here.path(), &["catalogue", "init", "mine"]);
    fs::write(here.path().join("ordinary"), "").expect("written");
    assert_eq!(mode("mine/catalogue.toml"), mode("ordinary"));
}

#[test]
fn an_operator_can_grant_and_revoke_permissions_of_a_partner() {
    let here = folder();
    let made = object(&stdout(&run(here.path(), &["partner", "create", "A", "--json"])));
    let id = made["partner_id"].as_str().expect("text");
    let does =
        |arguments: &[&str]| assert_eq!(run(here.path(), arguments).status.code(), Some(0), "{arguments:?}");
    let shown = || object(&stdout(&run(here.path(), &["partner", "show", id, "--json"])));
    does(&["partner", "grant", id, "--scope", "business", "--legacy-reads"]);
    assert_eq!(
        (&shown()["legacy_reads"], &shown()["scopes"]),
        (&json!(true), &json!(["business.session", "business"]))
    );
    does(&["partner", "revoke", id, "--scope", "business"]);
    assert_eq!((&shown()["legacy_reads"], &shown()["scopes"]), (&json!(true), &json!(["business.session"])));
    does(&["partner", "disable", id]);
    assert_eq!(shown()["enabled"], false);
    does(&["partner", "enable", id]);
    does(&["partner", "secret", "add", id]);
    assert_eq!(
        run(here.path(), &["partner", "secret", "add", id]).status.code(),
        Some(1),
        "two are live already (D5)"
    );
    does(&["partner", "secret", "revoke", id, "1"]);
    assert!(shown()["secrets"][0]["revoked_at"].is_string());
    let list = object(&stdout(&run(here.path(), &["partner", "list", "--json"])));
    assert_eq!(list["partners"].as_array().map(Vec::len), Some(1));
}

#[test]
fn each_kind_of_failure_has_its_own_exit_code() {
    let here = folder();
    let code = |arguments: &[&str]| run(here.path(), arguments).status.code();
    assert_eq!(code(&["partner", "create", "A Lender"]), Some(0), "ok");
    assert_eq!(code(&["partner", "frobnicate"]), Some(2), "usage");
    assert_eq!(code(&["partner", "show", "nobody"]), Some(1), "failed");
    assert_eq!(code(&["partner", "create", "A", "--scope", "everything"]), Some(2), "usage");
    assert_eq!(code(&["partner", "create", " "]), Some(65), "bad data");
    assert_eq!(code(&["partner", "create", "A\nLender"]), Some(65), "bad data");
    assert_eq!(code(&["partner", "create", &"A".repeat(201)]), Some(65), "bad data");
    assert_eq!(code(&["partner", "create", "A", "--origin", "https://a.example/path"]), Some(65), "bad data");
    assert_eq!(
        code(&["partner", "create", "A", "--return-url", "http://a.example/back"]),
        Some(65),
        "bad data"
    );
    assert_eq!(code(&["partner", "list", "--data", "/proc/nowhere"]), Some(69), "storage away");
    assert_eq!(code(&["partner", "list", "--database", "postgres://localhost/x"]), Some(78), "configuration");
    assert_eq!(code(&["partner", "list", "--config", "missing.toml"]), Some(78), "configuration");
}

#[test]
fn an_unknown_setting_is_refused_and_the_nearest_known_one_is_suggested() {
    let here = folder();
    fs::write(here.path().join("covernote.toml"), "lissten = '127.0.0.1:1'\n").expect("written");
    let refused = run(here.path(), &["serve"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(
        stderr(&refused).contains("covernote.toml: lissten is not a setting; did you mean listen?"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn a_server_does_not_start_if_other_users_can_read_its_keyring() {
    let here = folder();
    run(here.path(), &["partner", "create", "A"]);
    let keyring = here.path().join("covernote-data/keyring");
    fs::set_permissions(&keyring, fs::Permissions::from_mode(0o640)).expect("changed");
    let refused = run(here.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("other users can read the keyring"), "{}", stderr(&refused));
}

#[test]
fn a_written_copy_of_the_sample_catalogue_passes_its_checks_and_equals_the_built_in_one() {
    let here = folder();
    let does = |arguments: &[&str]| {
        let done = run(here.path(), arguments);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", stderr(&done));
        done
    };
    does(&["catalogue", "init", "mine"]);
    assert_eq!(
        run(here.path(), &["catalogue", "init", "mine"]).status.code(),
        Some(1),
        "nothing is overwritten"
    );
    does(&["catalogue", "check", "mine"]);
    assert!(stderr(&does(&["catalogue", "test", "mine"])).contains("no differences"));
    let own = object(&stdout(&does(&["catalogue", "show", "mine", "--json"])));
    let built_in = object(&stdout(&does(&["catalogue", "show", "--json"])));
    assert_eq!(own["hash"], built_in["hash"], "what init writes is what is built in");
    assert!(own["variants"].as_array().expect("a list").len() >= 8);
}

#[test]
fn catalogue_check_lists_the_defaults_that_a_product_uses() {
    // D61
    let here = folder();
    run(here.path(), &["catalogue", "init", "mine"]);
    let checked = || stderr(&run(here.path(), &["catalogue", "check", "mine"]));
    let complete = checked();
    assert_eq!(complete.lines().count(), 2, "the sample says everything: {complete}");
    let needs_gateway = complete.lines().nth(1).is_some_and(|line| line.contains("needs a payment gateway"));
    assert!(needs_gateway, "some of its products are paid on a page here (D152): {complete}");
    let file = here.path().join("mine/insurers/misaal/rin-kavach.toml");
    let text = fs::read_to_string(&file).expect("text");
    fs::write(&file, text.replace("members = 4\n", "").replace("cover_up_to = 120\n", "")).expect("written");
    let list = checked();
    let wanted = "Misaal Rin Kavach uses defaults for: members (one person is insured), cover_up_to (cover may be any multiple of the loan)";
    assert_eq!(list.lines().nth(1), Some(wanted), "{list}");
}

#[test]
fn every_fault_of_a_catalogue_is_listed_and_the_server_does_not_start_with_it() {
    let here = folder();
    run(here.path(), &["catalogue", "init", "mine"]);
    let file = here.path().join("mine/catalogue.toml");
    let text = fs::read_to_string(&file).expect("text");
    fs::write(&file, format!("colour = 'red'\nsmell = 'sweet'\n{text}")).expect("written");
    let checked = run(here.path(), &["catalogue", "check", "mine"]);
    assert_eq!(checked.status.code(), Some(65));
    let list = stderr(&checked);
    assert!(list.contains("catalogue.toml:1: ") && list.contains("catalogue.toml:2: "), "{list}");
    let served = run(here.path(), &["serve", "--listen", "127.0.0.1:0", "--catalogue", "mine"]);
    assert_eq!(served.status.code(), Some(78));
    assert!(stderr(&served).contains("catalogue.toml:1: "));
}

#[test]
fn catalogue_test_reports_a_differing_chart_price_with_its_line() {
    let here = folder();
    run(here.path(), &["catalogue", "init", "mine"]);
    let chart = here.path().join("mine/tests/ordinary-request.csv");
    let text = fs::read_to_string(&chart).expect("a chart");
    fs::write(&chart, text.replace(",3776.00,", ",3776.01,")).expect("written");
    let tested = run(here.path(), &["catalogue", "test", "mine"]);
    assert_eq!(tested.status.code(), Some(65));
    let difference = stdout(&tested);
    assert!(difference.starts_with("tests/ordinary-request.csv:3: "), "{difference}");
    assert!(difference.contains("`total` is 3776.00, the chart says 3776.01."), "{difference}");
}

#[test]
fn catalogue_price_explains_a_credit_life_price_without_a_server() {
    let here = folder();
    let arguments = [
        "catalogue",
        "price",
        "--date-of-birth",
        "15/06/1990",
        "--cover-amount",
        "250000.00",
        "--policy-term",
        "90",
        "--loan-amount",
        "250000",
        "--on",
        "20/11/2026",
    ];
    let priced = run(here.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(priced.status.code(), Some(0), "{}", stderr(&priced));
    let priced = object(&stdout(&priced));
    let items = priced["items"].as_array().expect("a list");
    let chart = items.iter().find(|item| item["base_premium"] == "2843.00");
    let steps = chart.unwrap_or_else(|| panic!("2.50 lakh over 90 months cost 2,843: {priced:#}"))["steps"]
        .as_array()
        .expect("steps")
        .len();
    assert!(steps >= 2);
    let text = stdout(&run(here.path(), &arguments));
    assert!(text.contains("₹2,843"), "{text}");
}

#[test]
fn catalogue_price_explains_a_familys_health_price_without_a_server() {
    let here = folder();
    let arguments = [
        "catalogue",
        "price",
        "--members",
        "self:40 spouse:34 son:8",
        "--pincode",
        "110001",
        "--sum-insured",
        "500000",
        "--on",
        "15/05/2024",
    ];
    let priced = run(here.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(priced.status.code(), Some(0), "{}", stderr(&priced));
    let priced = object(&stdout(&priced));
    let items = priced["items"].as_array().expect("a list");
    let published = items.iter().find(|item| item["variant"] == "Parivar Raksha").expect("a variant");
    assert_eq!(published["tenures"][0]["total_premium"], "15702.00", "{published:#}");
    assert_eq!(published["tenures"][0]["steps"].as_array().map(Vec::len), Some(7));
    let text = stdout(&run(here.path(), &arguments));
    assert!(text.contains("₹15,702") && text.contains("Not offered:"), "{text}");
    let one = published["variant_id"].as_str().expect("an id");
    let steps = stdout(&run(here.path(), &[&arguments[..], &["--variant", one]].concat()));
    assert!(steps.contains("Another member, ages 31 to 35") && steps.contains("3 years"), "{steps}");
    let refused = run(
        here.path(),
        &[
            "catalogue",
            "price",
            "--members",
            "uncle:40",
            "--pincode",
            "1",
            "--plan",
            "x",
            "--deductible",
            "x",
        ],
    );
    assert_eq!(refused.status.code(), Some(65));
    for flag in ["--members", "--pincode", "--plan", "--deductible"] {
        assert!(stderr(&refused).contains(flag), "{}", stderr(&refused));
    }
}

#[test]
fn catalogue_price_reports_every_invalid_flag() {
    let here = folder();
    let refused = run(
        here.path(),
        &[
            "catalogue",
            "price",
            "--date-of-birth",
            "x",
            "--cover-amount",
            "5",
            "--policy-term",
            "0",
            "--gender",
            "x",
        ],
    );
    assert_eq!(refused.status.code(), Some(65));
    for flag in ["--date-of-birth", "--cover-amount", "--policy-term", "--gender"] {
        assert!(stderr(&refused).contains(flag), "{}", stderr(&refused));
    }
}

#[test]
fn a_command_that_only_reads_creates_no_store() {
    let here = folder();
    for arguments in
        [&["proposal", "list"][..], &["partner", "list"], &["keys", "list"], &["partner", "show", "x"]]
    {
        let refused = run(here.path(), arguments);
        assert_eq!(refused.status.code(), Some(69), "{arguments:?}");
        assert!(stderr(&refused).contains("there is no store"), "{}", stderr(&refused));
    }
    assert!(!here.path().join("covernote-data").exists());
}

#[test]
fn catalogue_id_prints_a_new_id_with_the_prefix_of_its_kind() {
    // D20
    let here = folder();
    for (kind, prefix) in [("insurer", "ins_"), ("product", "pro_"), ("variant", "vrt_")] {
        let made = run(here.path(), &["catalogue", "id", kind]);
        let id = stdout(&made);
        assert!(id.starts_with(prefix) && id.trim().len() == 30, "{id}");
        assert_ne!(stdout(&run(here.path(), &["catalogue", "id", kind])), id);
    }
}

#[test]
fn a_catalogue_without_variants_fails_its_check() {
    let here = folder();
    run(here.path(), &["catalogue", "init", "mine"]);
    fs::remove_dir_all(here.path().join("mine/insurers")).expect("removed");
    let checked = run(here.path(), &["catalogue", "check", "mine"]);
    assert_eq!(checked.status.code(), Some(65));
    assert!(stderr(&checked).contains("no variant to sell"), "{}", stderr(&checked));
}

#[test]
fn at_most_two_signing_keys_are_live_and_early_retirement_needs_force() {
    // D4
    let here = folder();
    run(here.path(), &["partner", "create", "A"]);
    let live = || {
        let keys = object(&stdout(&run(here.path(), &["keys", "list", "--json"])));
        let keys = keys["keys"].as_array().expect("a list").clone();
        let signing = keys.into_iter().filter(|key| key["purpose"] == "signing" && key["state"] != "retired");
        signing.map(|key| key["number"].to_string()).collect::<Vec<_>>()
    };
    let first = live();
    assert_eq!(run(here.path(), &["keys", "rotate"]).status.code(), Some(0));
    assert_eq!(live().len(), 2);
    assert_eq!(run(here.path(), &["keys", "rotate"]).status.code(), Some(1), "two are live already");
    let early = run(here.path(), &["keys", "retire", &first[0]]);
    assert_eq!(early.status.code(), Some(1), "tokens of it may be out");
    assert_eq!(run(here.path(), &["keys", "retire", &first[0], "--force"]).status.code(), Some(0));
    assert_eq!(live().len(), 1);
}

#[test]
fn doctor_reports_a_keyring_that_others_can_read_and_a_plain_http_base_address() {
    let here = folder();
    let before = run(here.path(), &["doctor", "--json", "--base-url", "https://cover.example"]);
    assert_eq!(before.status.code(), Some(0), "{}", stdout(&before));
    assert!(!here.path().join("covernote-data").exists(), "looking makes nothing");
    run(here.path(), &["partner", "create", "A"]);
    fs::set_permissions(here.path().join("covernote-data/keyring"), fs::Permissions::from_mode(0o644))
        .expect("changed");
    let after = run(here.path(), &["doctor", "--json", "--base-url", "http://cover.example"]);
    assert_eq!(after.status.code(), Some(1));
    let findings = object(&stdout(&after));
    let state = |what: &str| {
        let findings = findings["findings"].as_array().expect("a list");
        findings.iter().find(|finding| finding["what"] == what).expect("looked at")["state"].clone()
    };
    assert_eq!(
        (state("keyring"), state("base address"), state("catalogue")),
        (json!("bad"), json!("bad"), json!("doubtful"))
    );
}

#[test]
fn doctor_reports_a_data_folder_open_to_other_users_and_missing_tls() {
    let here = folder();
    run(here.path(), &["partner", "create", "A"]);
    for (mode, state) in [(0o700, "good"), (0o755, "doubtful"), (0o777, "bad")] {
        let data = here.path().join("covernote-data");
        fs::set_permissions(&data, fs::Permissions::from_mode(mode)).expect("changed");
        let findings = object(&stdout(&run(here.path(), &["doctor", "--json"])));
        assert_eq!(finding(&findings, "data folder"), state, "{mode:o}");
        assert_eq!(finding(&findings, "TLS"), "good", "only this machine reaches it");
    }
    fs::write(here.path().join("covernote.toml"), "listen = '0.0.0.0:0'\n").expect("written");
    let findings = object(&stdout(&run(here.path(), &["doctor", "--json"])));
    assert_eq!(finding(&findings, "TLS"), "doubtful");
    let settings = "tls_certificate = 'none.pem'\ntls_key = 'none.key'\n";
    fs::write(here.path().join("covernote.toml"), settings).expect("written");
    let findings = object(&stdout(&run(here.path(), &["doctor", "--json"])));
    assert_eq!(finding(&findings, "TLS"), "bad");
}

#[test]
fn a_server_that_listens_for_other_machines_needs_a_valid_operator_file() {
    // D62
    let here = folder();
    let example = run(here.path(), &["operator", "example"]);
    assert_eq!(example.status.code(), Some(0));
    let serve = |more: &[&str]| run(here.path(), &[&["serve", "--listen", "0.0.0.0:0"], more].concat());
    let refused = serve(&[]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(
        stderr(&refused).contains("operator: pages and certificates must say who sells"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(run(here.path(), &["operator", "show"]).status.code(), Some(78));
    let doctor = || object(&stdout(&run(here.path(), &["doctor", "--json"])));
    assert_eq!(finding(&doctor(), "operator"), "doubtful");

    let file = here.path().join("covernote-data/operator.toml");
    fs::create_dir_all(here.path().join("covernote-data")).expect("made");
    fs::write(&file, stdout(&example).replace("kind = \"broker\"", "kind = \"shop\"")).expect("written");
    let refused = serve(&[]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("`kind` must be one of broker"), "{}", stderr(&refused));
    assert_eq!(finding(&doctor(), "operator"), "bad");

    fs::write(&file, stdout(&example)).expect("written");
    assert!(
        stdout(&run(here.path(), &["operator", "show"])).contains("FICTIONAL-BROKER-000 until 2029-03-31")
    );
    assert_eq!(finding(&doctor(), "operator"), "doubtful", "it is the fictional one of the example");
    fs::write(&file, stdout(&example).replace("FICTIONAL-BROKER-000", "CB-1")).expect("written");
    assert_eq!(finding(&doctor(), "operator"), "good");
    fs::write(&file, stdout(&example).replace("2029-03-31", "2020-03-31")).expect("written");
    assert_eq!(finding(&doctor(), "operator"), "bad", "the licence has ended");
    fs::write(here.path().join("covernote.toml"), "operator = 'none.toml'\n").expect("written");
    assert_eq!(serve(&[]).status.code(), Some(78), "a file that is named must be there");
}

/// The state of one of doctor's findings.
fn finding<'f>(findings: &'f Value, what: &str) -> &'f str {
    let findings = findings["findings"].as_array().expect("a list");
    let found = findings.iter().find(|finding| finding["what"] == what).expect("looked at");
    found["state"].as_str().expect("text")
}

#[test]
fn commands_print_the_openapi_document_and_shell_completions() {
    let here = folder();
    assert_eq!(object(&stdout(&run(here.path(), &["openapi"])))["openapi"], "3.1.0");
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&run(here.path(), &["completions", shell])).contains("covernote"), "{shell}");
    }
}

#[test]
fn the_help_lists_every_visible_command_exactly_once() {
    let here = folder();
    let help = stdout(&run(here.path(), &["--help"]));
    let command = covernote::cli::CommandLine::command();
    for visible in
        command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
    {
        let lines = help.lines().filter(|line| line.starts_with(&format!("  {} ", visible.get_name())));
        assert_eq!(lines.count(), 1, "{}: {help}", visible.get_name());
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

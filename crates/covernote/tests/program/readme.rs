//! The README's first command with its curl lines, unchanged.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::program::{built, program, without_settings};

/// The shell blocks of a document, in order.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut inside: Option<String> = None;
    for line in text.lines() {
        match (&mut inside, line) {
            (None, "```sh") => inside = Some(String::new()),
            (Some(_), "```") => blocks.extend(inside.take()),
            (Some(block), line) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, _) => {}
        }
    }
    blocks
}

#[test]
fn the_commands_in_readme_and_first_sale_do_what_these_documents_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| fs::read_to_string(root.join(name)).expect(name);
    let blocks_of = |name: &str| blocks(&read(name));
    let blocks = blocks_of("README.md");
    assert_eq!(blocks[0].trim(), "cargo run --release -- serve --demo", "the first block is the one command");
    assert_eq!(blocks[2].trim(), "scripts/test", "the last is the one that tests it");
    let here = tempfile::tempdir().expect("a folder");
    let free = std::net::TcpListener::bind("127.0.0.1:8080");
    drop(free.expect(
        "README's lines speak to port 8080, and another program listens there: stop it and try again",
    ));
    // The README's first command, with the program that this test uses.
    let mut server = program(here.path())
        .args(["serve", "--demo"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let first_sale = blocks_of("docs/first-sale.md").join("\n");
    let first_sale = first_sale.replace("\ncovernote ", &format!("\n{} ", built().display()));
    let lines = format!("{}\n{first_sale}", blocks[1]);
    let wait = "for n in $(seq 100); do curl -sf http://127.0.0.1:8080/readyz >/dev/null && break; sleep 0.1; done\n";
    let script = format!("set -euo pipefail\n{wait}{lines}\n");
    let mut bash = Command::new("bash");
    without_settings(bash.arg("-c").arg(&script).current_dir(here.path()));
    let ran = bash.output().expect("bash is there");
    let _ = server.kill();
    let _ = server.wait();
    let (said, cried) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}\n{cried}");
    assert_eq!(
        said.matches(r#""status":"COMPLETED""#).count(),
        2,
        "one policy by each document\n{said}\n{cried}"
    );
    assert!(said.contains(r#""status":"CANCELLED""#), "and cancelled\n{said}\n{cried}");
    assert!(said.contains("CANCEL-pol_"), "and told of in the month's statement\n{said}\n{cried}");
    assert!(said.contains(r#""recommended":true"#), "a plan is recommended\n{said}\n{cried}");
    assert!(said.contains(r#""tenure_map":[{"tenure":"#), "with its premiums\n{said}\n{cried}");
    assert!(said.contains(r#""count":1"#), "its quote is listed\n{said}\n{cried}");
    let certificate = fs::read(here.path().join("certificate.pdf")).expect("the certificate was downloaded");
    assert!(certificate.starts_with(b"%PDF"), "{said}");
}

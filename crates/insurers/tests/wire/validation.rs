//! Tests the validation of a catalogue's insurers before the first call.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rating::{Catalogue, Files};
use service::insurer::Connectors;

use crate::support::*;

/// Sample catalogue with some insurers reached over HTTP. Each has a secret with its folder's name.
fn asked_over_http(folders: &[&str]) -> Catalogue {
    let sample = Files::sample();
    let files = sample.paths().map(|path| {
        let mut content = sample.get(path).expect("listed").to_vec();
        let folder = folders.iter().find(|folder| path == format!("insurers/{folder}/insurer.toml"));
        if let Some(folder) = folder {
            let section = format!(
                "connector = \"http\"\n[http]\nurl = \"https://{folder}.example\"\nauthentication = \"hmac\"\nsecret = \"{folder}\"\n"
            );
            let text = String::from_utf8(content).expect("text").replace("connector = \"rate-table\"\n", "");
            content = (text + &section).into_bytes();
        }
        (path.to_owned(), content)
    });
    Catalogue::load(&Files::of(files).expect("plain paths")).expect("no faults")
}

#[test]
fn every_unusable_secret_of_an_insurer_is_reported_with_its_reason() {
    let ours = OurSide::new();
    let catalogue = asked_over_http(&["kalpanik", "misaal", "namoona", "udaharan"]);
    let at = |name: &str| ours.secrets.path().join(name);
    write_secret(&at("kalpanik"), SECRET);
    write_secret(&at("misaal"), "short");
    write_secret(&at("namoona"), SECRET);
    fs::set_permissions(at("namoona"), fs::Permissions::from_mode(0o644)).expect("permitted");
    let faults = ours.connectors.validate(&catalogue).expect_err("three faults");
    assert_eq!(faults.len(), 3, "{faults:#?}");
    for (fault, words) in faults.iter().zip([
        ["misaal", "less than 16"],
        ["namoona", "every user"],
        ["udaharan", "cannot be read"],
    ]) {
        assert!(words.iter().all(|word| fault.contains(word)), "{fault}");
        assert!(!fault.contains(SECRET) && !fault.contains("short"), "{fault}");
    }
    write_secret(&at("misaal"), SECRET);
    write_secret(&at("namoona"), SECRET);
    write_secret(&at("udaharan"), SECRET);
    assert_eq!(ours.connectors.validate(&catalogue), Ok(()));
}

#[test]
fn an_insurer_with_rate_tables_needs_no_connection() {
    let ours = OurSide::new();
    let catalogue = catalogue();
    assert_eq!(ours.connectors.validate(&catalogue), Ok(()));
    assert!(catalogue.insurers().all(|insurer| ours.connectors.connect(insurer).is_none()));
}

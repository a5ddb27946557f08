//! Tests rendered certificates, read back with `pdftotext`.

mod sample;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use certificate::{Certificate, RenderError, render};
use proptest::prelude::*;

const PAGE_WIDTH: f64 = 595.28;
const PAGE_HEIGHT: f64 = 841.89;

#[test]
fn a_health_certificate_names_the_policyholder_and_terms_but_no_master_policy() {
    let text = text_of(&sample::health()).split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "Policyholder",
        "12 MG Road, Indiranagar",
        "Pre-existing diseases",
        "Covered after 36 months",
        "FICHLIP26201V012627", // in one piece
        "Your share of a claim",
        "Relationship",
        "Spouse",
        "24 months (2 years)",
    ] {
        assert!(text.contains(told), "{told} in {text}");
    }
    assert!(!text.contains("master policy") && !text.contains("Kind of cover"), "{text}");
    assert_eq!(pages_of(&sample::health()).len(), 1);
}

#[test]
fn a_certificate_prints_member_names_in_nine_scripts_of_india() {
    let certificate = sample::scripts();
    let text = text_of(&certificate).split_whitespace().collect::<Vec<_>>().join(" ");
    for member in &certificate.members {
        for word in member.name.split_whitespace() {
            assert!(text.contains(word), "{word} in {text}");
        }
    }
    assert_eq!(pages_of(&certificate).len(), 1);
}

#[test]
fn the_same_certificate_is_always_rendered_to_the_same_bytes() {
    let first = render(&sample::reducing()).unwrap();
    for _ in 0..5 {
        assert!(render(&sample::reducing()).unwrap() == first, "the bytes differ");
    }
}

#[test]
fn every_fact_of_an_ordinary_certificate_is_printed() {
    let text = text_of(&sample::reducing());
    for fact in [
        "Certificate of Insurance",
        "No. CN-2026-00012847",
        "GM/0000/4411",
        "Kaveri Gramin Finance Limited",
        "Example Suraksha Life Insurance Company Limited",
        "Registration number 000",
        "Pune 411001",
        "Group Term Shield",
        "000N000V01",
        "Life and accident",
        "20 November 2026",
        "19 November 2036",
        "₹25,00,000",
        "120 months (10 years)",
        "Year 10",
        "₹4,237.29",
        "GST (18%)",
        "₹762.71",
        "₹5,000.00",
        "master policyholder",
        "19 August 1988 (38)",
        "1 June 1986",
        "By the insured member's authorisation",
        "licence SB-000 until 31 March 2029",
        "order SD-000",
        "Ananya Rao",
        "Daughter",
        "30%",
        "Vikram Rao (father)",
        "KGF-778812-01",
        "within 30 days",
        "suicide",
        "1800 000 0000",
        "Ombudsman",
        "Page 1 of 1",
    ] {
        assert!(text.contains(fact), "{fact} is missing from:\n{text}");
    }
    assert!(
        text.replace('\n', "").contains(&sample::reducing().check_address),
        "the check address is missing"
    );
}

#[test]
fn latin_and_devanagari_words_in_one_line_can_be_extracted_from_the_pdf() {
    let text = text_of(&sample::reducing());
    for name in ["आशा Rao", "विक्रम श्रीनिवासन", "क्षितिज राव", "स्वर्ण जयंती नगर", "विक्रम राव (पिता)"]
    {
        assert!(text.contains(name), "{name} is missing from:\n{text}");
    }
}

#[test]
fn an_ordinary_certificate_takes_one_page() {
    assert_eq!(pages_of(&sample::level()).len(), 1);
    assert_eq!(pages_of(&sample::reducing()).len(), 1);
}

#[test]
fn facts_that_do_not_fit_go_on_a_second_page_with_the_certificate_number() {
    let pages = pages_of(&sample::long());
    assert_eq!(pages.len(), 2);
    assert!(pages[0].contains("Page 1 of 2"));
    assert!(pages[1].contains("Page 2 of 2"));
    assert!(pages[1].contains("CN-2026-00012847"));
    assert!(pages[1].contains("Year 30"));
}

#[test]
fn no_text_of_a_certificate_overlaps_or_is_cut_off() {
    let mut endless = sample::level();
    endless.members[0].address = "Opposite the old banyan tree, ".repeat(400);
    for certificate in
        [sample::level(), sample::reducing(), sample::health(), sample::long(), sample::unruly(), endless]
    {
        assert_legible(&certificate);
    }
}

#[test]
fn a_very_long_word_wraps_without_losing_a_letter() {
    let mut certificate = sample::level();
    certificate.members[0].name = "Q".repeat(200);
    assert_eq!(text_of(&certificate).matches('Q').count(), 200);
}

#[test]
fn the_heading_of_a_part_without_content_is_not_printed() {
    let full = text_of(&sample::reducing());
    let mut certificate = sample::level();
    certificate.members.clear();
    certificate.nominees.clear();
    certificate.exclusions.clear();
    certificate.claims_contact.clear();
    certificate.grievance_contact.clear();
    certificate.authorisation.clear();
    certificate.seller.clear();
    certificate.stamp_duty.clear();
    certificate.free_look_days = 0;
    certificate.premium.settlement.clear();
    certificate.check_address.clear();
    let bare = text_of(&certificate);
    for heading in [
        "Insured member",
        "Nominee",
        "Appointee",
        "Sum insured by policy year",
        "Loan",
        "Good to know",
        "Free look",
        "Not covered",
        "To claim",
        "Complaints",
        "Who is paid first",
        "Sold by",
        "Stamp duty",
        "How the premium is paid",
        "Check this certificate",
    ] {
        assert!(full.contains(heading), "{heading} is missing from the full certificate");
        assert!(!bare.contains(heading), "{heading} stands on the bare certificate");
    }
}

#[test]
fn an_ordinary_certificate_is_at_most_40_kilobytes() {
    for certificate in [sample::level(), sample::reducing()] {
        let size = render(&certificate).unwrap().len();
        assert!(size <= 40_000, "{size} bytes");
    }
}

#[test]
fn a_name_with_unsupported_scripts_is_printed_with_its_supported_words() {
    let mut certificate = sample::level();
    certificate.members[0].name = "தமிழ் Rao 👩‍👩‍👧 مرحبا 漢字 end".into();
    let text = text_of(&certificate);
    assert!(text.contains("Rao") && text.contains("end"), "{text}");
    assert_legible(&certificate);
}

#[test]
fn the_pdf_metadata_has_title_author_and_language_but_no_creation_time() {
    let bytes = render(&sample::level()).unwrap();
    let raw = String::from_utf8_lossy(&bytes);
    assert!(raw.contains("Certificate of Insurance CN-2026-00012847"));
    assert!(raw.contains("Example Suraksha Life Insurance Company Limited"));
    assert!(raw.contains("/Lang(en)"));
    assert!(!raw.contains("CreationDate") && !raw.contains("CreateDate"));
}

#[test]
fn a_check_address_too_long_for_a_qr_code_is_refused() {
    let mut certificate = sample::level();
    certificate.check_address = format!("https://covernote.example/{}", "x".repeat(650));
    assert_eq!(render(&certificate).err(), Some(RenderError::CheckAddressTooLong));
}

#[test]
fn the_debug_output_of_a_certificate_contains_none_of_its_data() {
    let certificate = sample::reducing();
    assert_eq!(format!("{certificate:?}"), "Certificate(…)");
    assert_eq!(format!("{:?} {:?}", certificate.members[0], certificate.nominees[0]), "Member(…) Nominee(…)");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_certificate_can_be_rendered_from_any_text(text in any::<String>(), number in "\\PC{0,60}") {
        let mut certificate = sample::reducing();
        certificate.number = number;
        certificate.insurer.name = text.clone();
        certificate.product.name = text.clone();
        certificate.members[0].name = text.clone();
        certificate.members[1].address = text.repeat(5);
        certificate.nominees[0].appointee = Some(text.clone());
        certificate.loan.push((text.clone(), text.clone()));
        certificate.check_address = text;
        prop_assert!(render(&certificate).is_ok());
    }
}

/// Checks that all words are inside the frame, and that no two overlap.
fn assert_legible(certificate: &Certificate) {
    let read = pdftotext(certificate, &["-bbox"]);
    for page in read.split("<page ").skip(1) {
        let words: Vec<Word<'_>> = page.lines().filter_map(Word::parse).collect();
        assert!(!words.is_empty(), "a page without words");
        for (index, word) in words.iter().enumerate() {
            let is_inside = word.left > 45.0
                && word.right < PAGE_WIDTH - 45.0
                && word.top > 30.0
                && word.bottom < PAGE_HEIGHT - 25.0;
            assert!(is_inside, "{} leaves the page", word.text);
            if let Some(other) = words[index + 1..].iter().find(|other| word.stands_on(other)) {
                panic!("{} and {} overlap", word.text, other.text);
            }
        }
    }
}

struct Word<'a> {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    text: &'a str,
}

impl<'a> Word<'a> {
    fn parse(line: &'a str) -> Option<Word<'a>> {
        let (measures, text) =
            line.trim().strip_prefix("<word ")?.strip_suffix("</word>")?.split_once('>')?;
        let mut numbers =
            measures.split('"').skip(1).step_by(2).map(|number| number.parse().expect("a measure"));
        let mut next = || numbers.next().expect("four measures of a word");
        Some(Word { left: next(), top: next(), right: next(), bottom: next(), text })
    }

    /// Boxes of neighbouring lines may touch, because they include the typeface's tallest letters.
    fn stands_on(&self, other: &Word<'_>) -> bool {
        let across = self.right.min(other.right) - self.left.max(other.left);
        let down = self.bottom.min(other.bottom) - self.top.max(other.top);
        let height = (self.bottom - self.top).min(other.bottom - other.top);
        across > 1.0 && down > height * 0.4
    }
}

fn text_of(certificate: &Certificate) -> String {
    pages_of(certificate).concat()
}

fn pages_of(certificate: &Certificate) -> Vec<String> {
    let text = pdftotext(certificate, &["-layout"]);
    text.split_terminator('\u{c}').map(unspaced).collect()
}

/// Replaces runs of spaces by one space, so that tests do not depend on column distances.
fn unspaced(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

fn pdftotext(certificate: &Certificate, options: &[&str]) -> String {
    let bytes = render(certificate).expect("a certificate");
    let mut reader = Command::new("pdftotext")
        .args(options)
        .args(["-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("pdftotext reads the certificates of this test: install poppler-utils");
    let mut stdin = reader.stdin.take().expect("a pipe to pdftotext");
    stdin.write_all(&bytes).expect("pdftotext reads to the end");
    drop(stdin);
    let output = reader.wait_with_output().expect("pdftotext ends");
    assert!(output.status.success(), "pdftotext could not read the certificate");
    String::from_utf8(output.stdout).expect("UTF-8: asked for by -enc")
}

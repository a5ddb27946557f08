//! Sections of the certificate, in the order in which they are printed.

use crate::{
    certificate::{Certificate, CoverKind, Member, Nominee},
    error::RenderError,
    sheet::{Column, Fact, Sheet, is_shown},
    style,
};

pub(crate) const TITLE: &str = "Certificate of Insurance";

/// Width of the column with the labels of the cover's terms, in points.
const LABEL_WIDTH: f32 = 78.0;

/// Composes the whole certificate. If a section has no content, its heading is omitted too.
pub(crate) fn compose(certificate: &Certificate) -> Result<Sheet, RenderError> {
    let mut sheet = Sheet::default();
    letterhead(&mut sheet, certificate)?;
    key_facts(&mut sheet, certificate);
    holder(&mut sheet, certificate);
    members(&mut sheet, certificate);
    nominees(&mut sheet, certificate);
    cover(&mut sheet, certificate);
    schedule(&mut sheet, certificate);
    premium(&mut sheet, certificate);
    loan(&mut sheet, certificate);
    rights(&mut sheet, certificate);
    Ok(sheet)
}

fn letterhead(sheet: &mut Sheet, certificate: &Certificate) -> Result<(), RenderError> {
    let insurer = &certificate.insurer;
    let registration = match is_shown(&insurer.registration_number) {
        true => format!("Registration number {}", insurer.registration_number),
        false => String::new(),
    };
    let number = format!("No. {}", certificate.number);
    let insurers = match &certificate.insurer_number {
        Some(number) => format!("Policy number of the insurer: {number}"),
        None => String::new(),
    };
    let issue = match &certificate.master_policy {
        Some(master) => format!(
            "Issued on {} under master policy {} of {}",
            certificate.issued_on, master.number, master.holder
        ),
        None => format!("Issued on {}", certificate.issued_on),
    };
    let texts = [
        (certificate.mark.as_str(), &style::MARK),
        (insurer.name.as_str(), &style::INSURER),
        (registration.as_str(), &style::LABEL),
        (insurer.address.as_str(), &style::LABEL),
        (TITLE, &style::TITLE),
        (number.as_str(), &style::NUMBER),
        (insurers.as_str(), &style::BODY),
        (issue.as_str(), &style::BODY),
        (certificate.endorsed.as_str(), &style::BODY),
    ];
    sheet.letterhead(&texts, TITLE, &certificate.check_address)
}

fn key_facts(sheet: &mut Sheet, certificate: &Certificate) {
    let cover = &certificate.cover;
    let sum_insured = match cover.kind {
        CoverKind::Level | CoverKind::Health { .. } => "Sum insured",
        CoverKind::Reducing => "Sum insured at the start",
    };
    sheet.key_facts(&[
        (sum_insured, &cover.sum_insured),
        ("Cover starts", &cover.starts),
        ("Cover ends", &cover.ends),
        ("Total premium", &certificate.premium.total),
    ]);
}

fn holder(sheet: &mut Sheet, certificate: &Certificate) {
    let Some(holder) = &certificate.holder else { return };
    sheet.heading("Policyholder");
    sheet.facts(&[1.0, 2.0], &[("Name", &holder.name), ("Address", &holder.address)]);
}

fn members(sheet: &mut Sheet, certificate: &Certificate) {
    if certificate.members.is_empty() {
        return;
    }
    let last: (&str, fn(&Member) -> &str) = match certificate.holder {
        Some(_) => ("Relationship", |member| &member.relationship),
        None => ("Address", |member| &member.address),
    };
    let columns = [
        Column { title: "Name", part: 0.27 },
        Column { title: "Date of birth (age)", part: 0.2 },
        Column { title: "Gender", part: 0.09 },
        Column { title: last.0, part: 0.44 },
    ];
    let rows: Vec<Vec<&str>> = certificate
        .members
        .iter()
        .map(|member| vec![&*member.name, &*member.date_of_birth, &*member.gender, (last.1)(member)])
        .collect();
    sheet.heading(if rows.len() == 1 { "Insured member" } else { "Insured members" });
    sheet.table(&columns, &rows);
}

fn nominees(sheet: &mut Sheet, certificate: &Certificate) {
    if certificate.nominees.is_empty() {
        return;
    }
    /// Column of the nominees' table: title, share of the table's width, and text for a nominee.
    type NomineeColumn = (&'static str, f32, fn(&Nominee) -> &str);
    let columns: [NomineeColumn; 5] = [
        ("Name", 0.29, |nominee| &nominee.name),
        ("Date of birth", 0.15, |nominee| &nominee.date_of_birth),
        ("Relationship", 0.14, |nominee| &nominee.relationship),
        ("Share", 0.1, |nominee| &nominee.share),
        ("Appointee for a minor", 0.32, |nominee| nominee.appointee.as_deref().unwrap_or_default()),
    ];
    let nominees = &certificate.nominees;
    let filled: Vec<&NomineeColumn> =
        columns.iter().filter(|(.., text)| nominees.iter().any(|one| is_shown(text(one)))).collect();
    let shown: Vec<Column> = filled.iter().map(|(title, part, _)| Column { title, part: *part }).collect();
    let rows: Vec<Vec<&str>> =
        nominees.iter().map(|one| filled.iter().map(|(.., text)| text(one)).collect()).collect();
    sheet.heading(if rows.len() == 1 { "Nominee" } else { "Nominees" });
    sheet.table(&shown, &rows);
}

fn cover(sheet: &mut Sheet, certificate: &Certificate) {
    let (product, cover) = (&certificate.product, &certificate.cover);
    let term = term(cover.term_months);
    let mut facts: Vec<Fact<'_>> = vec![
        ("Product", &product.name),
        ("Variant", &product.variant),
        ("UIN", &product.uin),
        ("Term", &term),
    ];
    match &cover.kind {
        CoverKind::Level => facts.push(("Kind of cover", "Level")),
        CoverKind::Reducing => {
            facts.push(("Kind of cover", "Reducing, see below"));
        }
        CoverKind::Health { terms } => {
            facts.extend(terms.iter().map(|(label, value)| (label.as_str(), value.as_str())));
        }
    }
    sheet.heading("Cover");
    sheet.facts(&[1.3, 1.05, 1.55, 1.2, 1.45], &facts);
}

fn schedule(sheet: &mut Sheet, certificate: &Certificate) {
    let schedule = &certificate.cover.schedule;
    if schedule.is_empty() {
        return;
    }
    let years: Vec<String> = schedule.iter().map(|row| format!("Year {}", row.year)).collect();
    let facts: Vec<Fact<'_>> =
        years.iter().zip(schedule).map(|(year, row)| (year.as_str(), row.sum_insured.as_str())).collect();
    sheet.heading("Sum insured by policy year");
    sheet.facts(&[1.0; 5], &facts);
}

fn premium(sheet: &mut Sheet, certificate: &Certificate) {
    let premium = &certificate.premium;
    sheet.heading("Premium");
    sheet.facts(
        &[1.0, 1.0, 1.0, 2.4],
        &[
            ("Premium without GST", &premium.base),
            (&premium.tax_label, &premium.tax),
            ("Total premium", &premium.total),
            ("How the premium is paid", &premium.settlement),
        ],
    );
}

fn loan(sheet: &mut Sheet, certificate: &Certificate) {
    let facts: Vec<Fact<'_>> = certificate
        .loan
        .iter()
        .map(|(label, value)| (label.as_str(), value.as_str()))
        .filter(|(_, value)| is_shown(value))
        .collect();
    if facts.is_empty() {
        return;
    }
    sheet.heading("Loan");
    sheet.facts(&[1.0; 4], &facts);
}

fn rights(sheet: &mut Sheet, certificate: &Certificate) {
    let free_look = match certificate.free_look_days {
        0 => String::new(),
        days => format!(
            "You may return this certificate within {days} days of receiving it if you do not agree with its terms."
        ),
    };
    let notes = [
        ("Free look", free_look.as_str()),
        ("Not covered", &certificate.exclusions),
        ("Who is paid first", &certificate.authorisation),
        ("To claim", &certificate.claims_contact),
        ("Complaints", &certificate.grievance_contact),
        ("Sold by", &certificate.seller),
        ("Stamp duty", &certificate.stamp_duty),
    ];
    if notes.iter().any(|(_, text)| is_shown(text)) {
        sheet.heading("Good to know");
        sheet.notes(&notes, LABEL_WIDTH);
    }
}

/// Text for a term in months. Whole years are added: `120 months (10 years)`.
fn term(months: u32) -> String {
    match (months, months / 12) {
        (1, _) => "1 month".to_owned(),
        (12, _) => "12 months (1 year)".to_owned(),
        (months, years) if years > 0 && months % 12 == 0 => format!("{months} months ({years} years)"),
        (months, _) => format!("{months} months"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_also_printed_in_years_only_if_it_is_a_whole_number_of_years() {
        assert_eq!(term(1), "1 month");
        assert_eq!(term(12), "12 months (1 year)");
        assert_eq!(term(30), "30 months");
        assert_eq!(term(120), "120 months (10 years)");
    }
}

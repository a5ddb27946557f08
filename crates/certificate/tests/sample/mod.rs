//! Sample certificates of fictional people.

use certificate::{
    Certificate, Cover, CoverKind, Holder, Insurer, MasterPolicy, Member, Nominee, Premium, Product,
    ScheduleRow,
};

/// A family's individual health policy.
pub(crate) fn health() -> Certificate {
    let base = level();
    let insured = |name: &str, born: &str, gender: &str, relationship: &str| Member {
        relationship: relationship.into(),
        ..member(name, born, gender, "")
    };
    let terms = [("Pre-existing diseases", "Covered after 36 months"), ("Your share of a claim", "5 %")];
    Certificate {
        master_policy: None,
        holder: Some(Holder {
            name: "Asha Rao".into(),
            address: "12 MG Road, Indiranagar, Bengaluru, Karnataka 560038".into(),
        }),
        cover: Cover {
            kind: CoverKind::Health {
                terms: terms.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec(),
            },
            term_months: 24,
            ..base.cover.clone()
        },
        premium: Premium {
            settlement: "Paid by the customer to the insurer before the cover begins.".into(),
            ..base.premium.clone()
        },
        product: Product { uin: "FICHLIP26201V012627".into(), ..base.product.clone() },
        members: vec![
            insured("Asha Rao", "15 Jun 1990 (36)", "Female", "Self"),
            insured("Ravi Rao", "2 Mar 1988 (38)", "Male", "Spouse"),
            insured("मीरा राव", "9 Jan 2020 (6)", "Female", "Daughter"),
        ],
        ..base
    }
}

/// A family whose members write their names in different Indian scripts.
pub(crate) fn scripts() -> Certificate {
    let names = [
        "முத்துக்குமார் ஸ்ரீனிவாசன்",
        "শ্রীকান্ত চট্টোপাধ্যায়",
        "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
        "શ્રીકાંત ક્ષમાબેન પટેલ",
        "ଶ୍ରୀକାନ୍ତ ପଟ୍ଟନାୟକ",
        "వెంకట కృష్ణమూర్తి శ్రీ",
        "ವೆಂಕಟೇಶ್ ಕೃಷ್ಣಮೂರ್ತಿ",
        "കൃഷ്ണൻകുട്ടി ശ്രീധരൻ",
        "क्षितिज श्रीनिवासन",
    ];
    let base = health();
    let members = names.map(|name| member(name, "15 Jun 1990 (36)", "Female", ""));
    Certificate {
        holder: Some(Holder {
            name: names[0].into(), address: "12, காந்தி சாலை, சென்னை, தமிழ்நாடு 600001".into()
        }),
        members: members.to_vec(),
        ..base
    }
}

/// Simple certificate: level cover, one member, one nominee, no loan.
pub(crate) fn level() -> Certificate {
    Certificate {
        specimen: false,
        mark: String::new(),
        endorsed: String::new(),
        number: "CN-2026-00012847".into(),
        insurer_number: None,
        master_policy: Some(MasterPolicy {
            number: "GM/0000/4411".into(),
            holder: "Kaveri Gramin Finance Limited".into(),
        }),
        holder: None,
        insurer: Insurer {
            name: "Example Suraksha Life Insurance Company Limited".into(),
            registration_number: "000".into(),
            address: "4th Floor, Sample Towers, 12 Example Road, Pune 411001".into(),
        },
        product: Product {
            name: "Group Term Shield".into(),
            uin: "000N000V01".into(),
            variant: "Life and accident".into(),
        },
        cover: Cover {
            kind: CoverKind::Level,
            starts: "20 November 2026".into(),
            ends: "19 November 2031".into(),
            sum_insured: "₹10,00,000".into(),
            term_months: 60,
            schedule: Vec::new(),
        },
        premium: Premium {
            base: "₹4,237.29".into(),
            tax_label: "GST (18%)".into(),
            tax: "₹762.71".into(),
            total: "₹5,000.00".into(),
            settlement: "Collected by the master policyholder with the loan and paid to the insurer monthly.".into(),
        },
        members: vec![member("Asha Rao", "4 March 1991 (35)", "Female", "12, 3rd Cross, Jayanagar, Bengaluru 560011")],
        nominees: vec![nominee("Vikram Rao", "Husband", "100%", None)],
        loan: Vec::new(),
        authorisation: "By the insured member's authorisation, a claim pays Kaveri Gramin Finance Limited what is owed first, and the nominees the rest.".into(),
        seller: "Sample Broking Private Limited, insurance broker, licence SB-000 until 31 March 2029. 7 Sample Street, Pune 411001, help@broking.example, 1800 000 0001".into(),
        stamp_duty: "Consolidated stamp duty paid, order SD-000 of 1 April 2026.".into(),
        issued_on: "20 November 2026".into(),
        free_look_days: 30,
        exclusions: "Death by suicide within 12 months of the start of cover.".into(),
        claims_contact: "Call 1800 000 0000 (free, every day, 8 am to 8 pm) or write to claims@suraksha.example.".into(),
        grievance_contact: "Write to grievance@suraksha.example. If the answer does not satisfy you, you may turn to the Insurance Ombudsman.".into(),
        check_address: "https://covernote.example/c/7f3k9q2m8x4v1b6n5t0r7w3y2z".into(),
    }
}

/// Full certificate of one page: reducing cover, three members, four nominees, a loan, ten years.
pub(crate) fn reducing() -> Certificate {
    let mut certificate = level();
    certificate.cover = Cover {
        kind: CoverKind::Reducing,
        starts: "20 November 2026".into(),
        ends: "19 November 2036".into(),
        sum_insured: "₹25,00,000".into(),
        term_months: 120,
        schedule: schedule(10),
    };
    certificate.members = vec![
        member(
            "आशा Rao",
            "4 March 1991 (35)",
            "Female",
            "12, 3rd Cross, 2nd Block, Jayanagar, Bengaluru, Karnataka 560011",
        ),
        member(
            "विक्रम श्रीनिवासन",
            "19 August 1988 (38)",
            "Male",
            "मकान नं. 14, स्वर्ण जयंती नगर, कानपुर, उत्तर प्रदेश 208001",
        ),
        member(
            "Lakshmi Venkatasubramanian Krishnamoorthy",
            "1 January 1962 (64)",
            "Female",
            "Flat 1204, Tower C, Very Long Society Name Cooperative Housing Society, Off Western Express Highway, Goregaon East, Mumbai, Maharashtra 400063",
        ),
    ];
    certificate.nominees = vec![
        nominee("क्षितिज राव", "Son", "40%", Some("Vikram Rao (father)")),
        nominee("Ananya Rao", "Daughter", "30%", Some("विक्रम राव (पिता)")),
        nominee("Vikram Rao", "Husband", "20%", None),
        nominee("Lakshmi Krishnamoorthy", "Mother", "10%", None),
    ];
    certificate.loan = vec![
        ("Loan account".into(), "KGF-778812-01".into()),
        ("Loan amount".into(), "₹25,00,000".into()),
        ("Kind of loan".into(), "Home loan".into()),
        ("Lender".into(), "Kaveri Gramin Finance Limited".into()),
    ];
    certificate
}

/// More than one page: thirty years, ten members.
#[allow(dead_code, reason = "each test binary takes the samples that it needs")]
pub(crate) fn long() -> Certificate {
    let mut certificate = reducing();
    certificate.cover.schedule = schedule(30);
    certificate.cover.term_months = 360;
    certificate.members =
        (0..10).map(|index| certificate.members[index % certificate.members.len()].clone()).collect();
    certificate
}

/// Very long words and names, and scripts that the typefaces lack.
#[allow(dead_code, reason = "each test binary takes the samples that it needs")]
pub(crate) fn unruly() -> Certificate {
    let mut certificate = reducing();
    certificate.members[0].name = "Extraordinarily".repeat(20);
    certificate.members[1].address = "गगनचुंबी".repeat(60);
    certificate.members[2].name = "தமிழ் Rao 👩‍👩‍👧 مرحبا 漢字".into();
    certificate.nominees[0].relationship = "Grandmotherinlaw".repeat(3);
    certificate.product.name = "Comprehensiveprotection".repeat(5);
    certificate.cover.sum_insured = "₹99,99,99,99,99,99,999.00".into();
    certificate.insurer.name = "A Very Long Name of an Insurance Company ".repeat(6);
    certificate.premium.tax_label = "Goods and services tax of the centre and of the state (18%)".into();
    certificate.check_address = format!("https://covernote.example/c/{}", "7f3k9q2m".repeat(30));
    certificate
}

pub(crate) fn nominee(name: &str, relationship: &str, share: &str, appointee: Option<&str>) -> Nominee {
    Nominee {
        name: name.into(),
        date_of_birth: "1 June 1986".into(),
        relationship: relationship.into(),
        share: share.into(),
        appointee: appointee.map(str::to_owned),
    }
}

pub(crate) fn member(name: &str, date_of_birth: &str, gender: &str, address: &str) -> Member {
    Member {
        name: name.into(),
        date_of_birth: date_of_birth.into(),
        gender: gender.into(),
        address: address.into(),
        relationship: String::new(),
    }
}

fn schedule(years: u32) -> Vec<ScheduleRow> {
    (1..=years)
        .map(|year| ScheduleRow {
            year,
            sum_insured: format!("₹{},{:02},000", 25 - year * 24 / years, year * 37 % 100),
        })
        .collect()
}

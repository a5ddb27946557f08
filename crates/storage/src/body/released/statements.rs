//! Example bodies of statements and of answers to them, for the tests of released encodings.

use domain::date::Date;
use domain::id::{InsurerId, Uuid};
use domain::money::Rupees;
use domain::premium::PaymentReference;
use domain::statement::{CommissionDue, FileFormat, StatementFile};
use domain::text::FromText;

use super::super::{AnswerBody, PaymentBody, StatementBody, Total};
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("statement.v1", statement()),
        Example::newest(
            "statement.v1.fewest",
            StatementBody { insurer: None, dues: None, payment: None, ..statement() },
        ),
        Example::newest(
            "statement_answer.v1",
            AnswerBody { number: Some("K/1".into()), reason: Some("age".into()) },
        ),
        Example::newest("statement_answer.v1.fewest", AnswerBody { number: None, reason: None }),
    ]
}

fn statement() -> StatementBody<'static> {
    let file = |format| StatementFile { format, bytes: 4096, hash: [5; 32] };
    let insurer = InsurerId::from_uuid(Uuid::from_u128(9));
    StatementBody {
        insurer: Some(insurer),
        subject: "M/1".into(),
        rows: 12,
        totals: vec![Total { name: "total".into(), amount: Rupees::from_paise(-377_600) }],
        files: vec![file(FileFormat::Csv), file(FileFormat::Xlsx)].into(),
        dues: Some(vec![CommissionDue { insurer, amount: Rupees::from_paise(106_200) }].into()),
        payment: Some(PaymentBody {
            reference: PaymentReference::from_text("UTR-1").expect("a reference"),
            paid_on: Date::constant(2026, 12, 7),
        }),
    }
}

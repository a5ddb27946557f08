//! Examples of statements and of answers to them.

use domain::id::{InsurerId, Uuid};
use domain::money::Rupees;
use domain::statement::{FileFormat, StatementFile};

use super::super::{AnswerBody, StatementBody, Total};
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("statement.v1", statement()),
        Example::newest("statement.v1.fewest", StatementBody { insurer: None, ..statement() }),
        Example::newest(
            "statement_answer.v1",
            AnswerBody { number: Some("K/1".into()), reason: Some("age".into()) },
        ),
        Example::newest("statement_answer.v1.fewest", AnswerBody { number: None, reason: None }),
    ]
}

fn statement() -> StatementBody<'static> {
    let file = |format| StatementFile { format, bytes: 4096, hash: [5; 32] };
    StatementBody {
        insurer: Some(InsurerId::from_uuid(Uuid::from_u128(9))),
        subject: "M/1".into(),
        rows: 12,
        totals: vec![Total { name: "total".into(), amount: Rupees::from_paise(-377_600) }],
        files: vec![file(FileFormat::Csv), file(FileFormat::Xlsx)].into(),
    }
}

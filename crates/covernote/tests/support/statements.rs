//! Monthly statements, created and read as rows.

use domain::statement::{FileFormat, Month, Statement, StatementKind};
use domain::text::FromText;
use rating::Files;
use service::statement::Made;

use super::{App, Partner, Setup};

pub fn month(text: &str) -> Month {
    Month::from_text(text).expect("a month")
}

/// A statement's file as rows, the header row first.
pub struct Rows(pub Vec<Vec<String>>);

impl Rows {
    /// The values of a column.
    pub fn column(&self, name: &str) -> Vec<&str> {
        let at = self.0[0].iter().position(|head| head == name);
        let at = at.unwrap_or_else(|| panic!("{name} is none of {:?}", self.0[0]));
        self.0[1..].iter().map(|row| row[at].as_str()).collect()
    }

    /// Number of rows without the header.
    pub fn number(&self) -> usize {
        self.0.len() - 1
    }
}

impl App {
    /// Creates the statements of a month.
    pub async fn makes_statements(&self, of: &str) -> Made {
        self.service.statements.make(month(of), &mut |_| {}).await.expect("made")
    }

    /// The bytes of a file of a statement.
    pub async fn statement_file(&self, statement: &Statement, format: FileFormat) -> Vec<u8> {
        self.statement_file_if_read(statement, format).await.expect("read")
    }

    /// The bytes of a file of a statement. `None` if a part cannot be read.
    pub async fn statement_file_if_read(&self, statement: &Statement, format: FileFormat) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for part in 0.. {
            match self.service.statements.part(statement, format, part).await.ok()? {
                Some(more) => bytes.extend(more),
                None => return Some(bytes),
            }
        }
        Some(bytes)
    }

    /// The rows of a statement.
    pub async fn statement_rows(&self, statement: &Statement) -> Rows {
        let bytes = self.statement_file(statement, FileFormat::Csv).await;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let rows = reader.records().map(|row| row.expect("CSV").iter().map(str::to_owned).collect());
        Rows(rows.collect())
    }

    /// Runs the sample catalogue with a commission share for a partner.
    pub async fn pays_commission_to(&self, partner: &Partner, more: &str) {
        let setup = Setup::with_edited("commission.toml", |text| {
            text.replace("par_01jc000000e0080000000003f0", &partner.id.to_string()) + more
        });
        self.runs_catalogue(&setup.catalogue).await;
    }
}

/// The statements of a kind.
pub fn of_kind(made: &Made, kind: StatementKind) -> Vec<&Statement> {
    made.statements.iter().filter(|statement| statement.kind == kind).collect()
}

/// The sample catalogue with this text in a file, which may be new.
pub fn sample_with(path: &str, text: &str) -> Files {
    let sample = Files::sample();
    let own = (path.to_owned(), text.as_bytes().to_vec());
    let others = sample.paths().filter(|there| *there != path);
    let others = others.map(|there| (there.to_owned(), sample.get(there).expect("listed").to_vec()));
    Files::of(others.chain([own])).expect("plain paths")
}

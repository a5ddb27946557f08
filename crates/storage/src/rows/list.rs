//! Lists: which records each has, and the statements that read it, made of one text for all lists.

use domain::line::LineOfBusiness;

use super::counted::Counted;

/// What a list is of.
pub(crate) struct List {
    pub(crate) table: &'static str,
    /// The columns of a row. On PostgreSQL the table is named `q` there.
    pub(crate) columns: &'static str,
    /// The column by whose time the list is ordered, and of whose days it has pages.
    pub(crate) at: &'static str,
    pub(crate) id: &'static str,
    /// Which rows of the table are in the list.
    pub(crate) filter: &'static str,
    pub(crate) counted: Counted,
    /// What its records are called.
    pub(crate) name: &'static str,
}

impl List {
    /// The proposals of a line.
    pub(crate) const fn proposals(line: LineOfBusiness) -> Self {
        List {
            table: "proposals",
            columns: "proposal_id, created_at, changed_at, status, session_id, insurer_reference, reason, body",
            at: "created_at",
            id: "proposal_id",
            filter: of_line(line),
            counted: Counted::Proposals(line),
            name: match line {
                LineOfBusiness::CreditLife => "embedded proposals",
                LineOfBusiness::Health => "health proposals",
            },
        }
    }

    /// The policies of a line.
    pub(crate) const fn policies(line: LineOfBusiness) -> Self {
        List {
            table: "policies",
            columns: "policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body",
            at: "issued_at",
            id: "policy_id",
            filter: of_line(line),
            counted: Counted::Policies(line),
            name: match line {
                LineOfBusiness::CreditLife => "embedded policies",
                LineOfBusiness::Health => "health policies",
            },
        }
    }

    /// The health quotes, with an engine's columns.
    pub(crate) const fn health_quotes(columns: &'static str) -> Self {
        List {
            table: "health_quotes",
            columns,
            at: "created_at",
            id: "quote_id",
            filter: "true",
            counted: Counted::HealthQuotes,
            name: "health quotes",
        }
    }

    /// A statement of this list.
    pub(crate) fn statement(&self, template: &str) -> String {
        template
            .replace("{table}", self.table)
            .replace("{columns}", self.columns)
            .replace("{at}", self.at)
            .replace("{id}", self.id)
            .replace("{filter}", self.filter)
    }
}

/// The condition that a row is of a line, by the line's code. A test compares the two.
const fn of_line(line: LineOfBusiness) -> &'static str {
    match line {
        LineOfBusiness::CreditLife => "line = 1",
        LineOfBusiness::Health => "line = 2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Coded;

    #[test]
    fn a_line_is_filtered_by_its_code() {
        for line in LineOfBusiness::ALL {
            assert_eq!(of_line(*line), format!("line = {}", line.code()));
        }
    }
}

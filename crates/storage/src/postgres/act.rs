//! Acts of several parts, which are done whole or not at all.
//!
//! One server does an act by one statement, in one round trip. Citus would divide that statement: the coordinator computes each part
//! that inserts and sends it on, asks every shard for what no key names, and commits in two phases. There an act is a transaction of
//! simple statements instead, sent at once, each of which the partner's node executes as it is (D106).

use futures_util::future::join_all;

use super::column::Value;
use super::connections::{Connections, Executed, Fault};
use super::transaction::Transaction;

/// Parts of one act at most. So few futures of one group are polled in their order, and so the statements are sent in it.
const MOST_PARTS: usize = 30;

/// How an act is done.
pub(super) struct Act {
    /// The statement for one server. It gives a row where the act was done.
    whole: &'static str,
    /// Statements for tables that are spread, in their order.
    parts: Vec<Part>,
}

/// A statement of an act, with those parameters alone that it has.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    text: String,
    /// Which of the act's values it takes, counted from 0.
    takes: Vec<usize>,
    /// The value whose elements it is about, where it is about an array's: without any it would do nothing.
    elements: Option<usize>,
    /// Whether the act is done only if this changes something.
    decides: bool,
}

impl Act {
    /// An act by its statement, and by its statements where tables are spread: these stand one after another, separated by a
    /// semicolon, and take the same values. `{subject}` in them becomes the row of what the act is about, by which the node is
    /// found. Before one that decides there is a comment that says so.
    pub(super) fn of(whole: &'static str, parts: &str, subject: &str) -> Act {
        let parts = parts.replace("{subject}", subject);
        let parts: Vec<Part> = parts.split(";\n").filter_map(Part::of).collect();
        assert!(parts.len() <= MOST_PARTS, "an act has {MOST_PARTS} parts at most");
        Act { whole, parts }
    }
}

impl Part {
    /// A statement among comments; `None` where there is none.
    fn of(text: &str) -> Option<Part> {
        let is_comment = |line: &&str| line.trim_start().starts_with("--");
        let decides = text.lines().filter(is_comment).any(|line| line.trim() == "-- decides");
        let lines: Vec<&str> =
            text.lines().filter(|line| !is_comment(line) && !line.trim().is_empty()).collect();
        if lines.is_empty() {
            return None;
        }
        let (mut text, mut takes) = (String::new(), Vec::new());
        let mut elements = None;
        let lines = lines.join("\n");
        let mut pieces = lines.split('$');
        text.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = piece.split_at(digits);
            let value = number.parse::<usize>().expect("a parameter has a number") - 1;
            if elements.is_none() && text.trim_end().ends_with("unnest(") {
                elements = Some(value);
            }
            let place = takes.iter().position(|taken| *taken == value).unwrap_or_else(|| {
                takes.push(value);
                takes.len() - 1
            });
            text.push_str(&format!("${}{rest}", place + 1));
        }
        Some(Part { text, takes, elements, decides })
    }

    /// Whether it would change something.
    fn has_elements(&self, values: &[Value<'_>]) -> bool {
        self.elements.is_none_or(|elements| !values[elements].is_nothing)
    }

    fn values<'a>(&self, values: &[Value<'a>]) -> Vec<Value<'a>> {
        self.takes.iter().map(|value| values[*value].clone()).collect()
    }
}

impl Connections {
    /// Does an act. `false`: somebody was first, and nothing was done. It is repeated only where it was surely not done.
    pub(super) async fn act(&self, act: &Act, values: &[Value<'_>]) -> Result<bool, Fault> {
        if !self.is_spread {
            return Ok(!self.write(act.whole, values).await?.rows.is_empty());
        }
        self.again(|| self.act_in_parts(act, values)).await
    }

    async fn act_in_parts(&self, act: &Act, values: &[Value<'_>]) -> Result<bool, Fault> {
        let within = Transaction::begin(self).await?;
        match within.act(act, values).await {
            Ok(true) => within.commit().await.map(|()| true),
            Ok(false) => within.undo().await.map(|()| false),
            // The connection is as good as before.
            Err(fault) if fault.is_its_own() => within.undo().await.and(Err(fault)),
            Err(fault) => Err(fault),
        }
    }
}

impl Transaction {
    /// Does an act within a transaction. `false`: it is to be undone.
    pub(super) async fn act(&self, act: &Act, values: &[Value<'_>]) -> Result<bool, Fault> {
        if !self.is_spread {
            return Ok(!self.execute(act.whole, values).await?.rows.is_empty());
        }
        let parts: Vec<&Part> = act.parts.iter().filter(|part| part.has_elements(values)).collect();
        let (first, rest) = parts.split_at(parts.iter().take_while(|part| part.decides).count());
        for part in first {
            if self.part(part, values).await?.changed == 0 {
                return Ok(false);
            }
        }
        // Behind one that fails the others are refused, whatever they say.
        for outcome in join_all(rest.iter().map(|part| self.part(part, values))).await {
            outcome?;
        }
        Ok(true)
    }

    async fn part(&self, part: &Part, values: &[Value<'_>]) -> Result<Executed, Fault> {
        self.execute(&part.text, &part.values(values)).await
    }
}

#[cfg(test)]
mod tests {
    use super::{Act, Part};

    #[test]
    fn a_part_takes_its_own_values_under_numbers_of_its_own() {
        let text = "-- decides\n\nupdate t set a = $12\n  from unnest($7::uuid[], $12::text[]) where b = $3";
        let part = Part {
            text: "update t set a = $1\n  from unnest($2::uuid[], $1::text[]) where b = $3".into(),
            takes: vec![11, 6, 2],
            elements: Some(6),
            decides: true,
        };
        assert_eq!(Part::of(text), Some(part));
        assert_eq!(Part::of("-- nothing\n\n"), None);
    }

    #[test]
    fn an_act_has_its_parts_in_their_order() {
        let act = Act::of(
            "whole",
            "-- of b\nupdate b set c = $1;\n\ninsert into d select * from {subject};\n",
            "b",
        );
        let texts: Vec<&str> = act.parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts, ["update b set c = $1", "insert into d select * from b"]);
    }
}

//! Statements of lists with their templates filled in.

/// The two statements of a list, for older and for newer records. Only one, if the template has no such gaps.
pub fn filled(text: &str, table: &str, at: &str, id: &str, filter: &str) -> Vec<String> {
    // Reads leave out the records of unfinished imports.
    let shown = if ["proposals", "policies"].contains(&table) {
        format!("visible_{table}")
    } else {
        table.to_owned()
    };
    let sides = [[">=", "<", "desc"], ["<", ">", "asc"]];
    let sides = if text.contains("{order}") { &sides[..] } else { &sides[..1] };
    let fill = |[within, beyond, order]: &[&str; 3]| {
        text.replace("{within}", within)
            .replace("{beyond}", beyond)
            .replace("{order}", order)
            .replace("{table}", table)
            .replace("{shown}", &shown)
            .replace("{columns}", &format!("{id}, {at}, body"))
            .replace("{qualified}", &format!("q.{id}, q.{at}, q.body"))
            .replace("{at}", at)
            .replace("{id}", id)
            .replace("{filter}", filter)
    };
    sides.iter().map(fill).collect()
}

//! Statements of lists with their gaps filled.

/// A statement of a list: for what is older than a position, and for what is newer. Any other statement is given as it is.
pub fn filled(text: &str, table: &str, at: &str, id: &str, filter: &str) -> Vec<String> {
    let sides = [[">=", "<", "desc"], ["<", ">", "asc"]];
    let sides = if text.contains("{order}") { &sides[..] } else { &sides[..1] };
    let fill = |[within, beyond, order]: &[&str; 3]| {
        text.replace("{within}", within)
            .replace("{beyond}", beyond)
            .replace("{order}", order)
            .replace("{table}", table)
            .replace("{columns}", &format!("{id}, {at}, body"))
            .replace("{at}", at)
            .replace("{id}", id)
            .replace("{filter}", filter)
    };
    sides.iter().map(fill).collect()
}

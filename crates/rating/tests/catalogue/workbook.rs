//! Tests rates in sheets of `.xlsx` workbooks (D78).

use rating::{Catalogue, Files};

use crate::edit::{
    FLOATER, FLOATER_TABLE, LEVEL, LEVEL_TABLE, PRODUCT, SAMPOORNA, TODAY, family, health, load, ordinary,
    shared, text, variant,
};
use crate::reported::faults;
use crate::xlsx::workbook;

const RATES: &str = "insurers/kalpanik/rates.xlsx";
const AT: &str = "insurers/kalpanik/rates.xlsx, sheet Level";

/// The sample, with the rates of its level cover in a sheet of a workbook.
fn with_workbook(content: Vec<u8>, keys: &str) -> Files {
    let mut files = crate::edit::sample();
    for (path, content) in &mut files {
        if path == PRODUCT {
            *content = text(PRODUCT).replacen("table = \"loan-suraksha-level.csv\"", keys, 1).into_bytes();
        }
    }
    files.push((RATES.to_owned(), content));
    Files::of(files).expect("plain paths")
}

const KEYS: &str = "table = \"rates.xlsx\"\nsheet = \"Level\"";

/// Rows of a table of the sample, as cells of a sheet.
fn rows_of(path: &str) -> Vec<Vec<String>> {
    text(path).lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Workbook of the level rates with one cell changed. Row and column count from 1.
fn level_with(row: usize, column: usize, cell: &str) -> Vec<u8> {
    let mut rows = rows_of(LEVEL_TABLE);
    let cells = &mut rows[row - 1];
    cells.resize(cells.len().max(column), String::new());
    cells[column - 1] = cell.to_owned();
    workbook(&[("Notes", &[vec!["Nothing here".to_owned()]]), ("Level", &rows)])
}

#[test]
fn a_workbook_sheet_is_read_like_a_csv_file() {
    let catalogue = load(&with_workbook(level_with(1, 1, "# Rates of this year"), KEYS));
    for age in [18, 35, 36, 65] {
        let request = crate::edit::request(age, 50_000_000, 24);
        let of = |catalogue: &Catalogue| variant(catalogue, LEVEL).price(&request, TODAY);
        assert_eq!(of(&catalogue), of(shared()), "{age}");
    }
    let explained = variant(&catalogue, LEVEL).explain(&ordinary(), TODAY);
    assert_eq!(
        explained.steps[1].location.as_ref().map(ToString::to_string).as_deref(),
        Some("insurers/kalpanik/rates.xlsx, sheet Level, row 6")
    );
}

#[test]
fn a_workbook_above_32_mebibytes_when_unpacked_is_refused() {
    let files = with_workbook(level_with(2, 1, &"9".repeat(33 << 20)), KEYS);
    let faults = faults(&files);
    let said =
        "insurers/kalpanik/rates.xlsx: The workbook is too large: unpacked, it may have at most 32 MiB.";
    assert!(faults.iter().any(|fault| fault.contains(said)), "{faults:#?}");
}

#[test]
fn a_workbook_written_by_openpyxl_is_read() {
    // Written by openpyxl: compressed parts, shared strings, number formats, a blank row, a distant empty
    // cell.
    let content = include_bytes!("level.xlsx").to_vec();
    let catalogue = load(&with_workbook(content, KEYS));
    let base =
        |catalogue: &Catalogue| variant(catalogue, LEVEL).price(&ordinary(), TODAY).expect("a price").base();
    assert_eq!(base(&catalogue), base(shared()));
}

#[test]
fn health_rates_can_be_a_sheet_of_a_workbook() {
    let mut files = crate::edit::sample();
    for (path, content) in &mut files {
        if path == FLOATER {
            let keys = "table = \"rates.xlsx\"\nsheet = \"Floater\"";
            *content = text(FLOATER).replace("table = \"sampoorna.csv\"", keys).into_bytes();
        }
    }
    files.retain(|(path, _)| path != FLOATER_TABLE);
    let of = |rows: &[Vec<String>]| {
        let mut files = files.clone();
        files.push(("insurers/nidarshan/rates.xlsx".to_owned(), workbook(&[("Floater", rows)])));
        Files::of(files).expect("plain paths")
    };
    let mut rows = rows_of(FLOATER_TABLE);
    let asked = family("self:40 spouse:34 son:8", "560038", 1_000_000);
    let offer = |catalogue: &Catalogue| health(catalogue, SAMPOORNA).price(&asked, TODAY);
    assert_eq!(offer(&load(&of(&rows))), offer(shared()));
    let line = rows.iter().position(|row| row[0] == "metro").expect("a row of rates") + 1;
    let column = rows[line - 1].len();
    rows[line - 1][column - 1] = "0".to_owned();
    let letter = char::from(b'A' + column as u8 - 1);
    let reported = faults(&of(&rows));
    assert!(
        reported[0].starts_with(&format!("insurers/nidarshan/rates.xlsx, sheet Floater, {letter}{line}: ")),
        "{reported:#?}"
    );
}

#[test]
fn a_fault_in_a_workbook_names_its_cell_or_row() {
    for (row, column, cell, fault) in [
        (6, 3, "0", "C6: The rate for 12 months must be above zero."),
        (6, 4, "x", "D6: The rate for 24 months must be a number in digits, such as 18 or 0.75."),
        (6, 4, "0.30000000000000004", "D6: The rate for 24 months must have at most 6 decimals."),
        (5, 1, "18.5", "A5: `age_from` must be a whole number from 0 to 120."),
        (5, 2, "", "B5: `age_to` must be a whole number from 0 to 120."),
        (6, 1, "37", "row 6: A row for the ages 36 to 36 is missing."),
        (6, 9, "9", "I6: The column of this cell has no heading."),
        (4, 4, "12", "row 4: The terms must be in ascending order, each once."),
        (6, 4, "=e#REF!", "D6: The cell has the error #REF!."),
        (6, 4, "=b1", "D6: The cell must be a number or text, not true or false."),
        (6, 201, "1", "GS6: A sheet may use at most 20000 rows and 200 columns."),
    ] {
        let reported = faults(&with_workbook(level_with(row, column, cell), KEYS));
        assert_eq!(reported, [format!("{AT}, {fault}")], "{row} {column} {cell}");
    }
}

#[test]
fn an_unreadable_workbook_or_a_wrong_sheet_name_is_reported() {
    let content = || level_with(1, 1, "#");
    let at = crate::edit::line(PRODUCT, "table = \"loan-suraksha-level.csv\"");
    let in_product = |line: usize, message: &str| format!("{PRODUCT}:{line}: {message}");
    for (content, keys, reported) in [
        (content(), "table = \"rates.xlsx\"", in_product(at - 4, "`sheet` is missing.")),
        (
            content(),
            "table = \"rates.xlsx\"\nsheet = \"Levels\"",
            format!("{RATES}: The workbook has no sheet `Levels`; it has `Notes`, `Level`."),
        ),
        (
            content(),
            "table = \"rates.xlsx\"\nsheet = \"Notes\"",
            format!("{RATES}, sheet Notes: The sheet must have a header and at least one row."),
        ),
        (b"PK not a workbook".to_vec(), KEYS, format!("{RATES}: The file is not a readable .xlsx workbook")),
        (Vec::new(), KEYS, format!("{RATES}: The file is not a readable .xlsx workbook")),
    ] {
        let faults = faults(&with_workbook(content, keys));
        assert!(faults.len() == 1 && faults[0].starts_with(&reported), "{faults:#?} for {reported}");
    }
    let csv = "table = \"loan-suraksha-level.csv\"\nsheet = \"Level\"";
    let reported = faults(&with_workbook(content(), csv));
    let no_sheets =
        in_product(at + 1, "`sheet` is only for an .xlsx file; `loan-suraksha-level.csv` has no sheets.");
    assert!(reported.contains(&no_sheets), "{reported:#?}");
}

#[test]
fn a_workbook_is_kept_byte_for_byte() {
    let mut content = level_with(1, 1, "#");
    content.extend_from_slice(b"\r\n"); // After the end of the zip, where a zip comment can be.
    let files = Files::of([("a/rates.xlsx".to_owned(), content.clone())]).expect("a plain path");
    assert_eq!(files.get("a/rates.xlsx"), Some(content.as_slice()));
    let again = Files::from_canonical(&files.canonical()).expect("canonical");
    assert_eq!(again, files);
    let folder = tempfile::tempdir().expect("a folder");
    files.write_to(folder.path()).expect("written");
    std::fs::write(folder.path().join("a/~$rates.xlsx"), "open").expect("written");
    assert_eq!(Files::read(folder.path()).expect("read"), files);
}

#[test]
fn a_damaged_workbook_gives_faults_or_usable_rates() {
    let whole = include_bytes!("level.xlsx");
    let mut files: Vec<_> = crate::edit::sample();
    files.retain(|(path, _)| !path.contains('/') || path.starts_with("insurers/kalpanik/"));
    for (path, content) in &mut files {
        if path == PRODUCT {
            *content = text(PRODUCT).replacen("table = \"loan-suraksha-level.csv\"", KEYS, 1).into_bytes();
        }
    }
    for damaged in 0..200 {
        let at = damaged * whole.len() / 200;
        for change in [0x01, 0xff] {
            let mut content = whole.to_vec();
            content[at] ^= change;
            let mut files = files.clone();
            files.push((RATES.to_owned(), content));
            if let Ok(catalogue) = Catalogue::load(&Files::of(files).expect("plain paths")) {
                assert!(variant(&catalogue, LEVEL).price(&ordinary(), TODAY).is_ok());
            }
        }
    }
}

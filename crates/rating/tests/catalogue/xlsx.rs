//! Writes workbooks for tests: uncompressed zips with the few parts that a reader needs.

/// Workbook with these sheets. A numeric text becomes a number. `=e` begins an error value, `=b` a boolean.
pub(crate) fn workbook(sheets: &[(&str, &[Vec<String>])]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    let numbered = || sheets.iter().enumerate().map(|(at, sheet)| (at + 1, sheet));
    let names: String = numbered()
        .map(|(at, (name, _))| format!("<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"rId{at}\"/>"))
        .collect();
    let links: String = numbered()
        .map(|(at, _)| format!("<Relationship Id=\"rId{at}\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/sheet{at}.xml\"/>"))
        .collect();
    let mut parts = vec![
        (
            "[Content_Types].xml".to_owned(),
            format!(
                "<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>"
            ),
        ),
        (
            "_rels/.rels".to_owned(),
            format!(
                "<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml".to_owned(),
            format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{names}</sheets></workbook>"),
        ),
        (
            "xl/_rels/workbook.xml.rels".to_owned(),
            format!("<Relationships xmlns=\"{PACKAGE}/relationships\">{links}</Relationships>"),
        ),
    ];
    for (at, (_, rows)) in numbered() {
        let rows: String = rows.iter().enumerate().map(|(row, cells)| row_xml(row + 1, cells)).collect();
        let xml = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
        parts.push((format!("xl/worksheets/sheet{at}.xml"), xml));
    }
    zip(&parts)
}

fn row_xml(row: usize, cells: &[String]) -> String {
    let cells: String = cells.iter().enumerate().map(|(column, cell)| cell_xml(row, column, cell)).collect();
    format!("<row r=\"{row}\">{cells}</row>")
}

fn cell_xml(row: usize, column: usize, cell: &str) -> String {
    let place = format!("{}{row}", letters(column));
    if cell.is_empty() {
        return String::new();
    }
    if let Some(error) = cell.strip_prefix("=e") {
        return format!("<c r=\"{place}\" t=\"e\"><v>{error}</v></c>");
    }
    if let Some(flag) = cell.strip_prefix("=b") {
        return format!("<c r=\"{place}\" t=\"b\"><v>{flag}</v></c>");
    }
    match cell.parse::<f64>() {
        Ok(_) => format!("<c r=\"{place}\"><v>{cell}</v></c>"),
        Err(_) => format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{cell}</t></is></c>"),
    }
}

fn letters(column: usize) -> String {
    let letter = char::from(b'A' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { format!("{}{letter}", letters(column / 26 - 1)) }
}

/// Zip of uncompressed files.
fn zip(parts: &[(String, String)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let offset = bytes.len() as u32;
        let facts = [crc32(content.as_bytes()), content.len() as u32, content.len() as u32];
        // Version 2.0, no flags, stored, no time.
        let mut common = [20_u16, 0, 0, 0, 0x21].map(u16::to_le_bytes).concat();
        common.extend(facts.map(u32::to_le_bytes).concat());
        common.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        bytes.extend(0x0403_4b50_u32.to_le_bytes());
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(content.as_bytes());
        directory.extend(0x0201_4b50_u32.to_le_bytes());
        directory.extend(20_u16.to_le_bytes());
        directory.extend(&common);
        directory.extend([0_u16; 3].map(u16::to_le_bytes).concat());
        directory.extend([0, offset].map(u32::to_le_bytes).concat());
        directory.extend(name.as_bytes());
    }
    let (begin, count) = (bytes.len() as u32, parts.len() as u16);
    bytes.extend(&directory);
    bytes.extend(0x0605_4b50_u32.to_le_bytes());
    bytes.extend([0, 0, count, count].map(u16::to_le_bytes).concat());
    bytes.extend([directory.len() as u32, begin].map(u32::to_le_bytes).concat());
    bytes.extend(0_u16.to_le_bytes());
    bytes
}

/// Checksum of a zip entry.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1)))
    };
    !bytes.iter().fold(u32::MAX, step)
}

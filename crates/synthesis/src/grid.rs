//! Tables as text.

use std::fmt::Write;

/// Formats rows under a header. A row with two cells has a reason instead of numbers.
pub fn grid(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut all = vec![header.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()];
    all.extend(rows);
    let full = |row: &&Vec<String>| row.len() == header.len();
    let widths: Vec<usize> = (0..header.len())
        .map(|i| all.iter().filter(full).map(|row| row[i].chars().count()).max().unwrap_or(0))
        .collect();
    let names = all.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for row in &all {
        let mut line = format!("  {:names$}", row[0]);
        for (i, cell) in row.iter().enumerate().skip(1) {
            let width = if row.len() == header.len() { widths[i] } else { 0 };
            let _ = write!(line, "  {cell:>width$}");
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}

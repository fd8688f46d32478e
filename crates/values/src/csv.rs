//! Tables: files whose first line names the columns.

use crate::error::ValueError;
use crate::list::List;
use crate::literal::Literal;
use crate::port::Port;
use crate::value::Value;
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use zeroize::Zeroizing;

/// A table's text, and the names of its columns.
pub(crate) struct Table<'t> {
    file: &'t str,
    text: &'t str,
    delimiter: u8,
    columns: Vec<String>,
}

/// Possible column delimiters, the likeliest first.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

impl<'t> Table<'t> {
    /// Reads the first line. The delimiter is the first of comma, semicolon and tab that occurs in
    /// it.
    pub(crate) fn read(text: &'t str, file: &'t str) -> Result<Table<'t>, ValueError> {
        let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let used = DELIMITERS.into_iter().find(|&byte| header.contains(char::from(byte)));
        let mut table = Table { file, text, delimiter: used.unwrap_or(b','), columns: Vec::new() };
        table.check_quotes()?;
        let mut columns = Vec::new();
        table.records(|_, record| {
            columns = record.iter().map(|name| name.trim().to_owned()).collect();
            Ok(false)
        })?;
        table.columns = columns;
        let is_number = |name: &String| Literal::parse(name).is_ok();
        match table.columns.first() {
            None => Err(ValueError::Empty { file: file.to_owned() }),
            Some(_) if table.columns.iter().all(is_number) => {
                Err(ValueError::NoHeader { file: file.to_owned() })
            }
            Some(_) => Ok(table),
        }
    }

    /// Checks that each quoted cell ends, and that nothing follows it: the reader takes both as
    /// text of the cell, and a cut file would give another value.
    fn check_quotes(&self) -> Result<(), ValueError> {
        let wrong = |line, why| ValueError::Quotes { file: self.file.to_owned(), line, why };
        let (mut line, mut opened, mut is_start) = (1_u64, 0, true);
        let mut bytes = self.text.bytes().peekable();
        let mut is_quoted = false;
        while let Some(byte) = bytes.next() {
            line += u64::from(byte == b'\n');
            let ends = |next: Option<&u8>| {
                next.is_none_or(|byte| [self.delimiter, b'\r', b'\n'].contains(byte))
            };
            match byte {
                b'"' if !is_quoted && is_start => (is_quoted, opened) = (true, line),
                b'"' if is_quoted && bytes.next_if_eq(&b'"').is_some() => {}
                b'"' if is_quoted => {
                    while bytes.next_if_eq(&b' ').is_some() {}
                    if !ends(bytes.peek()) {
                        return Err(wrong(line, "there is text after a cell's closing quote"));
                    }
                    is_quoted = false;
                }
                _ => {}
            }
            is_start = !is_quoted && ends(Some(&byte));
        }
        match is_quoted {
            true => Err(wrong(opened, "a quoted cell has no end")),
            false => Ok(()),
        }
    }

    /// Returns the values of the column with this name or number (from 1), or of the only column.
    pub(crate) fn column(&self, wanted: Option<&str>, port: &Port) -> Result<Value, ValueError> {
        let index = self.index(wanted, port)?;
        let is_text = port.is_text();
        let mut list = List::new(Vec::new());
        let mut first = true;
        self.records(|line, record| {
            if std::mem::take(&mut first) {
                return Ok(true);
            }
            if record.len() != self.columns.len() {
                return Err(ValueError::Row {
                    file: self.file.to_owned(),
                    line,
                    got: record.len(),
                    wanted: self.columns.len(),
                });
            }
            let cell = record[index].as_str();
            let malformed = |why| ValueError::Cell {
                file: self.file.to_owned(),
                column: self.called(index, wanted.unwrap_or(&port.name)),
                line,
                why,
            };
            list.items.push(match is_text {
                true => Literal::from_text(cell.to_owned()),
                false => Literal::parse(cell).map_err(malformed)?,
            });
            list.lines.push(line);
            Ok(true)
        })?;
        match (list.items.len(), is_text) {
            (0, _) => Err(ValueError::Empty { file: self.file.to_owned() }),
            (1, true) => Ok(Value::One(list.items.remove(0))),
            _ => Ok(Value::List(list)),
        }
    }

    fn index(&self, wanted: Option<&str>, port: &Port) -> Result<usize, ValueError> {
        let no_column = |wanted: &str, why| ValueError::Column {
            file: self.file.to_owned(),
            wanted: wanted.to_owned(),
            why,
            columns: self.names(),
        };
        let Some(wanted) = wanted else {
            return match self.columns.len() {
                1 => Ok(0),
                _ => self.index(Some(&port.name), port).map_err(|_| {
                    no_column(
                        &port.name,
                        "name the column as in @FILE.csv:COLUMN; there is none called",
                    )
                }),
            };
        };
        let mut named = (0..self.columns.len()).filter(|&at| self.columns[at] == wanted);
        match (named.next(), named.next()) {
            (Some(_), Some(_)) => Err(no_column(wanted, "several columns are called")),
            (Some(index), None) => Ok(index),
            (None, _) => {
                let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let number = number.filter(|&index| index < self.columns.len());
                number.ok_or_else(|| no_column(wanted, "there is no column"))
            }
        }
    }

    /// Returns the columns, for errors: their names, or only how many they are if the first line
    /// has a number, since its cells may then be secret values.
    fn names(&self) -> String {
        if self.columns.iter().any(|name| Literal::parse(name).is_ok()) {
            return format!("1 to {}, without names, since line 1 has numbers", self.columns.len());
        }
        self.columns.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the column at `index`, for errors: by the name that was `wanted`, else by its
    /// number, since the cells of the first line may be secret values.
    fn called(&self, index: usize, wanted: &str) -> String {
        match self.columns[index] == wanted {
            true => format!("{wanted:?}"),
            false => (index + 1).to_string(),
        }
    }

    /// Calls `each` with the line number and the fields of each record, the header first, until
    /// `each` returns false.
    fn records(
        &self,
        mut each: impl FnMut(u64, &[Zeroizing<String>]) -> Result<bool, ValueError>,
    ) -> Result<(), ValueError> {
        let mut reader: Reader = ReaderBuilder::new().delimiter(self.delimiter).build();
        let text = self.text.as_bytes();
        // No field is longer than the text.
        let mut field = Zeroizing::new(vec![0; text.len() + 1]);
        let (mut at, mut length, mut record) = (0, 0, Vec::new());
        let (mut line, mut counted) = (1, 0);
        loop {
            if record.is_empty() && length == 0 {
                at += text[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                line += text[counted..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
                counted = at;
            }
            let (result, read, written) = reader.read_field(&text[at..], &mut field[length..]);
            at += read;
            length += written;
            match result {
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => unreachable!("the text is longer than its field"),
                ReadFieldResult::Field { record_end } => {
                    let cell = String::from_utf8(field[..length].to_vec());
                    let cell = Zeroizing::new(cell.expect("text between ASCII characters"));
                    record.push(Zeroizing::new(cell.trim().to_owned()));
                    length = 0;
                    if record_end && !each(line, &std::mem::take(&mut record))? {
                        return Ok(());
                    }
                }
                ReadFieldResult::End => return Ok(()),
            }
        }
    }
}

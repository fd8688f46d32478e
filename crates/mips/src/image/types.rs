//! Reads debugging information of a program: source lines of instructions, types of variables.

use addr2line::Context;
use addr2line::gimli::{
    self, AttributeValue, BigEndian, DebuggingInformationEntry, Dwarf, EndianSlice, SectionId,
    Unit, UnitOffset,
};
use object::{Object, ObjectSection};
use std::collections::HashMap;

type Slice<'a> = EndianSlice<'a, BigEndian>;
type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// Element type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub(super) bytes: u32,
    pub(super) signed: bool,
}

/// The debugging information; empty if the program was built without it.
pub(super) struct Types<'a> {
    lines: Option<Context<Slice<'a>>>,
    elements: HashMap<String, Element>,
}

impl<'a> Types<'a> {
    pub(super) fn of(file: &impl Object<'a>) -> Types<'a> {
        let section = |id: SectionId| {
            let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
            Ok::<_, gimli::Error>(EndianSlice::new(data.unwrap_or(&[]), BigEndian))
        };
        let Ok(dwarf) = Dwarf::load(section) else {
            return Types { lines: None, elements: HashMap::new() };
        };
        let elements = elements(&dwarf).unwrap_or_default();
        Types { lines: Context::from_dwarf(dwarf).ok(), elements }
    }

    /// Returns `file:line` of the instruction at `address`.
    pub(super) fn place(&self, address: u64) -> Option<String> {
        let location = self.lines.as_ref()?.find_location(address).ok()??;
        let (file, line) = (location.file?, location.line?);
        Some(format!("{}:{line}", file.rsplit('/').next().unwrap_or(file)))
    }

    /// Returns the element type of the variable `name`.
    pub(super) fn element(&self, name: &str) -> Option<Element> {
        self.elements.get(name).copied()
    }
}

/// Returns the element types of all global variables whose type is a number or an array of
/// numbers.
fn elements(dwarf: &Dwarf<Slice<'_>>) -> gimli::Result<HashMap<String, Element>> {
    let mut found = HashMap::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        let mut tree = unit.entries_tree(None)?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            if entry.tag() != gimli::DW_TAG_variable {
                continue;
            }
            let Some(name) = entry.attr_value(gimli::DW_AT_name) else { continue };
            let name = dwarf.attr_string(&unit, name)?.to_string_lossy().into_owned();
            if let Some(element) = type_of(&unit, entry, 0)? {
                found.insert(name, element);
            }
        }
    }
    Ok(found)
}

/// Finds the number type at the core of the type of `entry`. Arrays, type names and qualifiers are
/// skipped.
fn type_of(
    unit: &Unit<Slice<'_>>,
    entry: &Entry<'_>,
    depth: u32,
) -> gimli::Result<Option<Element>> {
    let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(gimli::DW_AT_type) else {
        return Ok(None);
    };
    number(unit, offset, depth)
}

fn number(
    unit: &Unit<Slice<'_>>,
    offset: UnitOffset,
    depth: u32,
) -> gimli::Result<Option<Element>> {
    let entry = unit.entry(offset)?;
    match entry.tag() {
        gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
            let bytes = entry.attr_value(gimli::DW_AT_byte_size).and_then(|value| value.udata_value());
            let encoding = entry.attr_value(gimli::DW_AT_encoding);
            let signed = matches!(
                encoding,
                Some(AttributeValue::Encoding(gimli::DW_ATE_signed | gimli::DW_ATE_signed_char))
            );
            Ok(bytes.and_then(|bytes| u32::try_from(bytes).ok()).map(|bytes| Element { bytes, signed }))
        }
        gimli::DW_TAG_array_type
        | gimli::DW_TAG_typedef
        | gimli::DW_TAG_const_type
        | gimli::DW_TAG_volatile_type
            // Real C programs have shorter chains of types.
            if depth < 32 =>
        {
            type_of(unit, &entry, depth + 1)
        }
        _ => Ok(None),
    }
}

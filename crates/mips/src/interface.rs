//! The interface of a private program: the processor for which the program was built, and the
//! addresses of its inputs and outputs. The garbler gives the interface to the evaluator, as a JSON
//! file, in place of the program.

use crate::core::Core;
use crate::image::{Image, ImageError, Owner, Port};
use crate::isa::InstructionSet;
use crate::privacy::{Privacy, PrivacyError};
use crate::processor::Size;
use halfgate_circuit::Party;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The value of the file's field `kind`, by which an interface is distinguished from other JSON
/// files.
const KIND: &str = "halfgate-mips-interface";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: String,
    instruction_words: u32,
    data_words: u32,
    /// The instruction set, which only semi-private runs reveal. `None` means all instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    set: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    ports: Vec<FilePort>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePort {
    name: String,
    owner: String,
    address: u32,
    count: u32,
    bytes: u32,
    signed: bool,
}

const OWNERS: [(&str, Owner); 3] = [
    ("garbler", Owner::Input(Party::Garbler)),
    ("evaluator", Owner::Input(Party::Evaluator)),
    ("output", Owner::Output),
];

/// Returns the text of the interface file for runs of `image` in mode `privacy`. The file reveals
/// no more about the program than such a run does.
///
/// # Errors
/// If `privacy` needs the program itself, or does not fit the program's set.
pub fn text(image: &Image, privacy: Privacy) -> Result<String, PrivacyError> {
    let set = match privacy {
        Privacy::Private => None,
        Privacy::SemiPrivate => Some(privacy.core(image)?.set.name.to_owned()),
        Privacy::Public | Privacy::PublicPerStep | Privacy::PublicSkip => {
            return Err(PrivacyError::NoProgram);
        }
    };
    let ports = image.ports.iter().map(|port| {
        let Port { name, address, count, bytes, signed, .. } = port.clone();
        let owner =
            OWNERS.iter().find(|(_, owner)| *owner == port.owner).map_or("", |&(name, _)| name);
        FilePort { name, owner: owner.to_owned(), address, count, bytes, signed }
    });
    let file = File {
        kind: KIND.to_owned(),
        instruction_words: image.size.instructions,
        data_words: image.size.data,
        set,
        steps: image.steps,
        ports: ports.collect(),
    };
    Ok(serde_json::to_string_pretty(&file).expect("numbers and strings") + "\n")
}

/// Whether the file at `path` looks like an interface.
pub fn is_one(path: &Path) -> bool {
    let file = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() < 1 << 20);
    file && fs::read_to_string(path).is_ok_and(|text| text.contains(KIND))
}

/// Reads the interface at `path` as a program without instructions, whose data is 0.
///
/// # Errors
/// If the file cannot be read or is not an interface.
pub fn read(path: &Path) -> Result<Image, ImageError> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|source| ImageError::File { file: name.clone(), source })?;
    parse(&text, &name)
}

/// Parses `text`, the contents of an interface file, as [`read`] does. Error messages call the file
/// `name`.
///
/// # Errors
/// If the text is not an interface.
pub fn parse(text: &str, name: &str) -> Result<Image, ImageError> {
    described(text).map_err(|why| ImageError::Format { file: name.to_owned(), why })
}

fn described(text: &str) -> Result<Image, String> {
    let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.kind != KIND {
        return Err(format!("its kind is {:?}, expected {KIND:?}", file.kind));
    }
    for words in [file.instruction_words, file.data_words] {
        if !Core::has_memory_of(words) {
            return Err(format!("{words} words: a memory has no such size"));
        }
    }
    let size = Size { instructions: file.instruction_words, data: file.data_words };
    let set = InstructionSet::named(file.set.as_deref().unwrap_or("full"))
        .map_err(|error| error.to_string())?;
    let mut ports = Vec::new();
    for port in file.ports {
        let owner = OWNERS.iter().find(|(name, _)| *name == port.owner);
        let owner =
            owner.ok_or(format!("{:?} has an unknown owner: {:?}", port.name, port.owner))?.1;
        let FilePort { name, address, count, bytes, signed, .. } = port;
        if !(1..=8).contains(&bytes) {
            return Err(format!("{name} has elements of {bytes} bytes; 1 to 8 are possible"));
        }
        ports.push(Port { name, owner, address, count, bytes, signed });
    }
    let image = Image {
        size,
        set,
        instructions: Vec::new(),
        data: vec![0; size.data as usize],
        ports,
        places: Vec::new(),
        steps: file.steps,
    };
    image.check_ports()?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"kind": "halfgate-mips-interface", "instruction_words": 64, "data_words": 32, "set": "full",
        "ports": [{"name": "a", "owner": "garbler", "address": 4096, "count": 2, "bytes": 4, "signed": false}]}"#;

    #[test]
    fn what_is_written_is_read() {
        let image = described(TEXT).unwrap();
        assert_eq!((image.ports[0].bits(), image.size.data, image.steps), (64, 32, None));
        let private = text(&image, Privacy::Private).unwrap();
        assert_eq!(text(&described(&private).unwrap(), Privacy::Private).unwrap(), private);
    }

    #[test]
    fn the_file_has_the_set_only_where_runs_reveal_it() {
        let image = described(&TEXT.replace("\"full\"", "\"alu\"")).unwrap();
        assert!(!text(&image, Privacy::Private).unwrap().contains("alu"));
        let reported = text(&image, Privacy::SemiPrivate).unwrap();
        assert_eq!(described(&reported).unwrap().set.name, "alu");
        assert!(text(&image, Privacy::Public).is_err());
        assert!(text(&described(TEXT).unwrap(), Privacy::SemiPrivate).is_err());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (from, to, why) in [
            ("4096", "4220", "outside"),
            ("\"count\": 2", "\"count\": 4000000000", "outside"),
            (": 64", ": 63", "63 words"),
            ("\"bytes\": 4", "\"bytes\": 16", "16 bytes"),
            ("full", "fuller", "no instruction set"),
            ("\"garbler\"", "\"carol\"", "unknown owner"),
            ("interface", "image", "kind"),
        ] {
            let error = described(&TEXT.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}

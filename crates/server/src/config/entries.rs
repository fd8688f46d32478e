//! The entries of the configuration file in their TOML form.

use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub listen: Spanned<String>,
    pub identity: Spanned<PathBuf>,
    pub metrics: Option<Spanned<String>>,
    #[serde(default)]
    pub metrics_beyond_loopback: bool,
    pub sessions: Option<Spanned<u64>>,
    #[serde(rename = "strangers")]
    pub unknown_peers: Option<Spanned<u64>>,
    pub timeout: Option<Spanned<u64>>,
    #[serde(default)]
    pub limits: LimitsEntry,
    #[serde(default)]
    pub peer: Vec<Spanned<PeerEntry>>,
    #[serde(default)]
    pub program: Vec<Spanned<ProgramEntry>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsEntry {
    pub sessions: Option<Spanned<u64>>,
    pub rate: Option<Spanned<u64>>,
    pub ands: Option<Spanned<u64>>,
    pub bytes: Option<Spanned<u64>>,
    pub deadline: Option<Spanned<u64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PeerEntry {
    pub name: Spanned<String>,
    pub key: Spanned<String>,
    pub programs: Vec<Spanned<String>>,
    #[serde(default)]
    pub limits: LimitsEntry,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramEntry {
    pub name: Spanned<String>,
    pub circuit: Spanned<String>,
    pub role: Spanned<String>,
    pub inputs: Option<Spanned<InputsEntry>>,
    pub results: Option<Spanned<PathBuf>>,
    pub learn: Option<Learn>,
    pub cycles: Option<Spanned<u64>>,
    pub suite: Option<Spanned<String>>,
    pub security: Option<Spanned<String>>,
    pub ot: Option<Spanned<String>>,
    pub parties: Option<Spanned<String>>,
    pub order: Option<Spanned<String>>,
    #[serde(default)]
    pub as_given: bool,
    pub outputs: Option<Spanned<String>>,
    pub top: Option<String>,
    #[serde(default)]
    pub parameter: Vec<String>,
    #[serde(default)]
    pub source: Vec<PathBuf>,
    pub privacy: Option<Spanned<String>>,
    #[serde(default)]
    pub shallow: bool,
    #[serde(default)]
    pub match_paper: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputsEntry {
    pub file: Option<PathBuf>,
    pub command: Option<Vec<String>>,
    pub timeout: Option<Spanned<u64>>,
    #[serde(default)]
    pub bytes: bool,
    pub directory: Option<PathBuf>,
}

/// `learn = "evaluator"`, or a list such as `learn = ["none", "sum=both"]`.
#[derive(Clone, Debug)]
pub(super) struct Learn(pub Vec<String>);

impl<'de> Deserialize<'de> for Learn {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Learn, D::Error> {
        struct Texts;
        impl<'de> serde::de::Visitor<'de> for Texts {
            type Value = Vec<String>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("who learns the outputs, or a list")
            }

            fn visit_str<E>(self, text: &str) -> Result<Vec<String>, E> {
                Ok(vec![text.to_owned()])
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> Result<Vec<String>, A::Error> {
                let mut all = Vec::new();
                while let Some(text) = list.next_element()? {
                    all.push(text);
                }
                Ok(all)
            }
        }
        deserializer.deserialize_any(Texts).map(Learn)
    }
}

//! The configuration file: this party's identity, and peers by name.
//!
//! ```toml
//! identity = "alice"              # a private key file, of `halfgate keygen`
//!
//! [peer.bob]
//! address = "bob.example:7766"    # where `--peer bob` connects; optional
//! key = "bob.pub"                 # a public key file, the line in it, or a fingerprint
//! ot_field = 8                    # as --ot-field, which overrides it; optional
//! ```
//!
//! Files are relative to the folder of the configuration file.

use etcetera::BaseStrategy;
use halfgate_console::error::{Exit, Failure};
use halfgate_protocol::keys::{self, Fingerprint, KEY_TYPE, PublicIdentity};
use halfgate_protocol::session::OtField;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The variable that names another file; empty counts as unset.
pub const VARIABLE: &str = "HALFGATE_CONFIG";

/// Path below the user's configuration folder: `$XDG_CONFIG_HOME`, or `~/.config`.
const PLACE: &str = "halfgate/config.toml";

/// Contents of the configuration file. The default is empty.
#[derive(Debug, Default)]
pub struct Config {
    /// The path of the file, if there is one.
    path: Option<PathBuf>,
    text: String,
    file: File,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    identity: Option<Spanned<String>>,
    #[serde(default)]
    peer: BTreeMap<String, PeerEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerEntry {
    address: Option<Spanned<String>>,
    key: Spanned<String>,
    ot_field: Option<Spanned<u8>>,
}

/// A peer in the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Peer {
    /// The address that it listens on.
    pub address: Option<String>,
    /// The fingerprint of its key.
    pub key: Fingerprint,
    /// Smallest field for oblivious transfers with it.
    pub ot_field: Option<OtField>,
}

impl Config {
    /// Reads the file that `option` names, or else `HALFGATE_CONFIG`, or else the file in the
    /// user's configuration folder, which may be missing.
    ///
    /// # Errors
    /// If the file cannot be read or is invalid; the message has its name and line.
    pub fn find(option: Option<&Path>) -> Result<Config, Failure> {
        let variable = std::env::var_os(VARIABLE).filter(|text| !text.is_empty());
        if let Some(path) = option.map(Path::to_path_buf).or(variable.map(PathBuf::from)) {
            return Config::read(path);
        }
        match usual() {
            Some(path) if path.exists() => Config::read(path),
            path => Ok(Config { path, ..Config::default() }),
        }
    }

    fn read(path: PathBuf) -> Result<Config, Failure> {
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let what = format!("cannot read configuration file {}: {error}", path.display());
            Failure::new(Exit::Usage, what)
        })?;
        tracing::debug!(?path, "read the configuration");
        Config::parse(path, text)
    }

    fn parse(path: PathBuf, text: String) -> Result<Config, Failure> {
        let file = toml::from_str(&text).map_err(|error| {
            let line = line_of(&text, error.span().map_or(0, |span| span.start));
            let what = format!("{}:{line}: {}", path.display(), error.message());
            Failure::new(Exit::Usage, what)
        })?;
        Ok(Config { path: Some(path), text, file })
    }

    /// The path of this party's private key file.
    pub fn identity(&self) -> Option<PathBuf> {
        self.file.identity.as_ref().map(|name| self.beside(name.get_ref()))
    }

    /// The peer called `name`, if the file has it.
    ///
    /// # Errors
    /// If its key cannot be used, or its address is invalid.
    pub fn peer(&self, name: &str) -> Result<Option<Peer>, Failure> {
        let Some(entry) = self.file.peer.get(name) else { return Ok(None) };
        let text = entry.key.get_ref();
        let key = match text.split_whitespace().next() {
            Some(KEY_TYPE) => PublicIdentity::parse(text).map(|key| key.fingerprint()),
            _ if text.starts_with(keys::FINGERPRINT_PREFIX) => text.parse(),
            _ => PublicIdentity::from_file(&self.beside(text)).map(|key| key.fingerprint()),
        };
        let at = |error: String, span: std::ops::Range<usize>| {
            let line = line_of(&self.text, span.start);
            format!("{}:{line}: peer {name}: {error}", self.name())
        };
        let key = key.map_err(|error| {
            Failure::new(Exit::Identity, at(error.to_string(), entry.key.span()))
        })?;
        let address = entry.address.as_ref().map(|address| {
            let port = address.get_ref().rsplit_once(':').filter(|(host, _)| !host.is_empty());
            if port.is_some_and(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0)) {
                return Ok(address.get_ref().clone());
            }
            let what = format!("address {:?} is not HOST:PORT", address.get_ref());
            Err(Failure::new(Exit::Usage, at(what, address.span())))
        });
        let ot_field = entry.ot_field.as_ref().map(|bits| {
            OtField::from_bits(*bits.get_ref()).ok_or_else(|| {
                let what = format!("ot_field {} is not 1, 2, 4 or 8", bits.get_ref());
                Failure::new(Exit::Usage, at(what, bits.span()))
            })
        });
        let (address, ot_field) = (address.transpose()?, ot_field.transpose()?);
        Ok(Some(Peer { address, key, ot_field }))
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "the configuration file".to_owned(),
        }
    }

    fn beside(&self, name: &str) -> PathBuf {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).join(name)
    }
}

/// The path of the file if neither an option nor a variable names one.
pub fn usual() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.config_dir().join(PLACE))
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINGERPRINT: &str = "SHA256:Zmh6rfhivXdsj8GLjp+OIAiXFIVu4jOzkCpZHQ1fKSU";
    const LINE: &str = "halfgate-ed25519 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= bob";

    fn parsed(text: &str) -> Result<Config, Failure> {
        Config::parse(PathBuf::from("/etc/here/config.toml"), text.to_owned())
    }

    #[test]
    fn peers_have_keys_and_addresses() {
        let text = format!(
            "identity = \"alice\"\n[peer.bob]\nkey = \"{FINGERPRINT}\"\naddress = \"b.example:77\"\n\
             ot_field = 8\n[peer.carol]\nkey = \"{LINE}\"\n"
        );
        let config = parsed(&text).unwrap();
        assert_eq!(config.identity(), Some(PathBuf::from("/etc/here/alice")));
        let bob = config.peer("bob").unwrap().unwrap();
        assert_eq!(bob.address.as_deref(), Some("b.example:77"));
        assert_eq!(bob.ot_field, Some(OtField::Eight));
        let carol = config.peer("carol").unwrap().unwrap();
        assert_eq!((carol.address, carol.key, carol.ot_field), (None, bob.key, None));
        assert_eq!(config.peer("dave").unwrap(), None);
        assert_eq!(parsed("").unwrap().identity(), None);
    }

    #[test]
    fn errors_have_the_file_and_the_line() {
        for (text, line, words) in [
            ("identity = 5", 1, "string"),
            ("\nidentiy = \"a\"", 2, "identiy"),
            ("[peer.bob]\naddress = \"a:1\"", 1, "key"),
            ("[peer.bob]\nkey = \"a\"\nport = 5", 3, "port"),
            ("identity = \"a\"\nidentity = \"b\"", 2, "duplicate"),
            ("[peer.bob", 1, ""),
        ] {
            let error = parsed(text).unwrap_err();
            assert_eq!(error.exit, Exit::Usage);
            let error = error.to_string();
            let begin = format!("/etc/here/config.toml:{line}: ");
            assert!(error.starts_with(&begin) && error.contains(words), "{text:?}: {error}");
        }
        for (text, line, words) in [
            ("[peer.bob]\nkey = \"SHA256:AAAA\"", 2, "not a fingerprint"),
            ("\n[peer.bob]\nkey = \"none.pub\"", 3, "/etc/here/none.pub"),
            ("[peer.bob]\nkey = \"halfgate-ed25519 AAAA\"", 2, "not 32 bytes"),
        ] {
            let error = parsed(text).unwrap().peer("bob").unwrap_err();
            assert_eq!(error.exit, Exit::Identity);
            let error = error.to_string();
            let begin = format!("/etc/here/config.toml:{line}: peer bob: ");
            assert!(error.starts_with(&begin) && error.contains(words), "{text:?}: {error}");
        }
        for (value, words) in [("3", "ot_field 3 is not 1, 2, 4 or 8"), ("0", "ot_field 0")] {
            let text = format!("[peer.bob]\nkey = \"{FINGERPRINT}\"\not_field = {value}");
            let error = parsed(&text).unwrap().peer("bob").unwrap_err().to_string();
            assert!(error.contains("config.toml:3: ") && error.contains(words), "{error}");
        }
        for address in ["host", ":7766", "host:", "host:0", "host:port"] {
            let text = format!("[peer.bob]\nkey = \"{FINGERPRINT}\"\naddress = \"{address}\"");
            let error = parsed(&text).unwrap().peer("bob").unwrap_err().to_string();
            assert!(error.contains("config.toml:3: ") && error.contains("HOST:PORT"), "{error}");
        }
    }
}

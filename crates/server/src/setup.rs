//! A loaded configuration: keys read, programs compiled, folders checked.

use crate::config::{Config, ConfigError, Peer, Program};
use crate::host::{Host, Loaded, Values};
use crate::{config, http, inputs};
use halfgate_circuit::Party;
use halfgate_protocol::keys::{self, Fingerprint, Identity};
use halfgate_protocol::session::{Learn, RunOptions};
use std::sync::Arc;

/// Everything that serving needs.
pub struct Setup {
    /// The configuration.
    pub config: Config,
    /// The server's identity.
    pub identity: Identity,
    /// The peers, with their keys.
    pub peers: Vec<(Peer, Fingerprint)>,
    /// The compiled programs.
    pub programs: Vec<Arc<Loaded>>,
}

impl Setup {
    /// Loads everything that `config` names.
    ///
    /// # Errors
    /// What is wrong, with the line of the configuration that names it.
    pub fn load(config: Config, host: &dyn Host) -> Result<Setup, ConfigError> {
        let identity = keys::load(&config.identity)
            .map_err(|error| config.error(0, format!("identity: {error}")))?;
        if let Some(metrics) = &config.metrics {
            http::resolve(&metrics.address, metrics.beyond_loopback)
                .map_err(|what| config.error(metrics.line, what))?;
            // A port 0 is another one each time.
            if metrics.address == config.listen && !config.listen.ends_with(":0") {
                let what = format!("metrics: {} is where peers connect (listen)", config.listen);
                return Err(config.error(metrics.line, what));
            }
        }
        let mut peers: Vec<(Peer, Fingerprint)> = Vec::new();
        for peer in &config.peers {
            let wrong =
                |what: String| config.error(peer.line, format!("peer {}: key: {what}", peer.name));
            let key = key(&config, peer).map_err(|error| wrong(error.to_string()))?;
            if let Some((other, _)) = peers.iter().find(|(_, known)| *known == key) {
                return Err(wrong(format!("peer {} has the same key", other.name)));
            }
            if key == identity.public().fingerprint() {
                return Err(wrong("it is the server's own key".to_owned()));
            }
            peers.push((peer.clone(), key));
        }
        let programs = config.programs.iter().map(|program| {
            let wrong =
                |what| config.error(program.line, format!("program {}: {what}", program.name));
            load(program, host).map(Arc::new).map_err(wrong)
        });
        let programs = programs.collect::<Result<_, _>>()?;
        Ok(Setup { identity, peers, programs, config })
    }

    /// Checks that each peer's limit lets it run what it is offered, as far as that is known before
    /// a session.
    ///
    /// # Errors
    /// The first program that is too large for a peer that may run it.
    pub fn check_limits(&self) -> Result<(), ConfigError> {
        for (peer, _) in &self.peers {
            for program in self.offered(peer) {
                program.check_ands(peer).map_err(|refusal| {
                    let what = format!("peer {}: limits: {}", peer.name, refusal.text);
                    self.config.error(peer.line, what)
                })?;
            }
        }
        Ok(())
    }

    /// The peer with this key.
    pub fn peer(&self, key: &Fingerprint) -> Option<&Peer> {
        self.peers.iter().find(|(_, known)| known == key).map(|(peer, _)| peer)
    }

    /// The keys of all peers.
    pub fn keys(&self) -> Arc<[Fingerprint]> {
        self.peers.iter().map(|(_, key)| *key).collect()
    }

    /// The programs that `peer` may run.
    pub fn offered(&self, peer: &Peer) -> impl Iterator<Item = &Arc<Loaded>> {
        let programs = peer.programs.clone();
        self.programs.iter().filter(move |program| programs.contains(&program.config.name))
    }
}

fn key(config: &Config, peer: &Peer) -> Result<Fingerprint, keys::KeyError> {
    let text = peer.key.as_str();
    let is_line = text.split_whitespace().next() == Some(keys::KEY_TYPE);
    if is_line {
        return keys::PublicIdentity::parse(text).map(|key| key.fingerprint());
    }
    if text.starts_with(keys::FINGERPRINT_PREFIX) {
        return text.parse();
    }
    let folder = config.file.parent().unwrap_or(std::path::Path::new(""));
    keys::PublicIdentity::from_file(&folder.join(text)).map(|key| key.fingerprint())
}

fn load(program: &Program, host: &dyn Host) -> Result<Loaded, String> {
    let loaded = host.load(program)?;
    let (suite, security, ot) = (loaded.suite, loaded.security, program.ot);
    let options = RunOptions { suite, security, ot, ..RunOptions::default() };
    options.check_security().map_err(|error| error.to_string())?;
    if let Some(config::Inputs::Directory(folder)) = &program.inputs {
        let failed = |error| format!("inputs: {}: {error}", folder.display());
        program.inputs.as_ref().map_or(Ok(()), inputs::prepare).map_err(failed)?;
    }
    // Try everything that does not use up inputs.
    let tried = match &program.inputs {
        None => host.inputs(&loaded, Values::None).map(drop),
        Some(config::Inputs::File(file)) => host.inputs(&loaded, Values::File(file)).map(drop),
        Some(_) => has_inputs(&loaded),
    };
    tried.map_err(|error| format!("inputs: {error}"))?;
    let own = loaded.learn.iter().any(|learn: &Learn| learn.by(program.role));
    let learns = (own || loaded.learn.is_empty()) && !loaded.program.circuit.outputs.is_empty();
    match (&program.results, learns) {
        (None, true) => {
            let role = program.role;
            return Err(format!(
                "this server, the {role}, learns outputs: set the folder for them (results), or \
                 who learns them instead (learn = \"{}\")",
                role.other()
            ));
        }
        (Some(_), false) => return Err("results: this server learns no output of it".to_owned()),
        (Some(folder), true) => drop(
            tempfile::tempfile_in(folder)
                .map_err(|error| format!("results: {}: {error}", folder.display()))?,
        ),
        (None, false) => {}
    }
    Ok(loaded)
}

fn has_inputs(loaded: &Loaded) -> Result<(), String> {
    let role: Party = loaded.config.role;
    match loaded.program.circuit.inputs.iter().any(|input| input.party == role) {
        true => Ok(()),
        false => Err(format!("the {role} has none")),
    }
}

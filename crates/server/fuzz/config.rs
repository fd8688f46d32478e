//! Reads any bytes as a server's configuration. They are rejected with a one-line error that names
//! an existing line, or accepted as a configuration within the documented bounds.

use halfgate_server::config::Config;
use std::path::Path;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Config::parse(Path::new("/etc/halfgate/serve.toml"), text) {
        Err(error) => {
            assert!(error.line <= 1 + text.matches('\n').count(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
        Ok(config) => {
            assert!(
                (1..=1024).contains(&config.sessions) && (1..=4096).contains(&config.unknown_peers)
            );
            assert!(!config.peers.is_empty() && !config.programs.is_empty());
            for peer in &config.peers {
                assert!(!peer.name.contains(['/', '\n', '"']) && !peer.name.starts_with('.'));
                assert!(peer.limits.sessions > 0 && peer.limits.rate > 0);
                let known = |name: &String| config.programs.iter().any(|one| one.name == *name);
                assert!(peer.programs.iter().all(known));
            }
        }
    }
}

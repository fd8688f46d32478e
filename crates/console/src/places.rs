//! The user's own folders.

use etcetera::BaseStrategy;
use std::path::PathBuf;

/// The list of used preprocessing of this user: `halfgate/used-preprocessing` in `$XDG_STATE_HOME`
/// or `~/.local/state`. `None` if the user has no home folder.
pub fn used_preprocessing() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir());
    Some(folder.join("halfgate").join("used-preprocessing"))
}

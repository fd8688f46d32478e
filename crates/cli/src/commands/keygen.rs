//! `halfgate keygen`.

use crate::args::KeygenArgs;
use crate::connection::key_failure;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_protocol::keys;

pub(super) fn execute(args: &KeygenArgs) -> Result<(), Failure> {
    let public = keys::generate(&args.path, args.force).map_err(key_failure)?;
    print::line(&format!(
        "private key {}\npublic key  {}\nfingerprint {}",
        args.path.display(),
        keys::public_path(&args.path).display(),
        public.fingerprint()
    ))
}

//! Checks of options against the security level.

use super::error::SessionError;
use super::level::SecurityLevel;
use super::options::RunOptions;
use crate::ot::OtMode;
use halfgate_engine::Suite;

impl RunOptions {
    /// Checks that suite and transfers suit the security level.
    ///
    /// # Errors
    /// [`SessionError::Usage`] if a malicious session has another suite than half-gates, or
    /// transfers that are secure against semi-honest parties only.
    pub fn check_security(&self) -> Result<(), SessionError> {
        if self.security == SecurityLevel::SemiHonest {
            return Ok(());
        }
        if self.suite != Suite::HalfGates {
            let what = format!(
                "suite {} cannot be used with --security malicious, which needs {}",
                self.suite,
                Suite::HalfGates
            );
            return Err(SessionError::Usage(what));
        }
        if self.ot != OtMode::Malicious {
            let what = "--ot semi-honest cannot be used with --security malicious, which needs \
                        transfers that are secure against malicious parties";
            return Err(SessionError::Usage(what.to_owned()));
        }
        Ok(())
    }

    /// Checks that the security level allows files of tables garbled ahead of time.
    ///
    /// # Errors
    /// [`SessionError::Usage`] if the session is malicious.
    pub fn check_ahead_of_time(&self) -> Result<(), SessionError> {
        match self.security {
            SecurityLevel::SemiHonest => Ok(()),
            SecurityLevel::Malicious => {
                let what = "a malicious session garbles together with its peer, so files of \
                            tables garbled ahead of time are for --security semi-honest only: \
                            use --preprocess-to, on both sides";
                Err(SessionError::Usage(what.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malicious_sessions_need_their_suite_and_transfers() {
        let refused = |change: fn(&mut RunOptions)| {
            let security = SecurityLevel::Malicious;
            let mut options = RunOptions { security, ..RunOptions::default() };
            assert!(options.check_security().is_ok());
            change(&mut options);
            let error = options.check_security().unwrap_err().to_string();
            let options = RunOptions { security: SecurityLevel::SemiHonest, ..options };
            assert!(options.check_security().is_ok());
            error
        };
        let error = refused(|options| options.suite = Suite::HalfGatesFixedKey);
        assert!(error.contains("suite half-gates-fixed-key"), "{error}");
        let error = refused(|options| options.ot = OtMode::SemiHonest);
        assert!(error.contains("--ot semi-honest"), "{error}");
    }
}

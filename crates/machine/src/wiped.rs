use halfgate_engine::Label;
use zeroize::Zeroize;

/// A label that is wiped when it is dropped.
#[derive(Clone)]
pub struct Wiped(pub Label);

impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

//! Build options of a scheduled machine.

use halfgate_fase_model::Shape;
use halfgate_fase_model::code::Size;
use halfgate_machine::rtl::{DepthError, check_depth};
use halfgate_verilated::Design;

/// The build options, without the machine's shape.
pub type Options<S = Size> = halfgate_machine::rtl::Options<S>;

/// Methods of the options of a scheduled machine.
pub(super) trait Scheduled {
    /// The capacities of the machine's memories.
    fn size(&self, shape: Shape) -> Size;

    /// Makes the design of a machine with these options.
    ///
    /// # Errors
    /// If a memory cannot have the requested size.
    fn design(&self, shape: Shape) -> Result<Design, DepthError>;
}

impl Scheduled for Options {
    fn size(&self, shape: Shape) -> Size {
        self.size.unwrap_or_else(|| Size::published(shape))
    }

    fn design(&self, shape: Shape) -> Result<Design, DepthError> {
        let Size { kernel, bank, inputs, initials, .. } = self.size(shape);
        let most = Size::MOST;
        for (name, value, limit) in [
            ("kernel", kernel, most.kernel),
            ("bank", bank, most.bank),
            ("inputs", inputs, most.inputs),
            ("initials", initials, most.initials),
        ] {
            check_depth(name, value, 2, limit)?;
        }
        let params = [
            ("Pipelines", shape.pipelines),
            ("Xors", shape.xors),
            ("Banks", shape.banks),
            ("KernelDepth", kernel),
            ("BankDepth", bank),
            ("InputDepth", inputs),
            ("InitialDepth", initials),
            ("Impl", self.aes as u32),
        ];
        Ok(self.of("fase", &shape.name(), &params, true))
    }
}

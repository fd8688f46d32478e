//! Types of secret values.

use halfgate_circuit::float::{BINARY32, BINARY64, Format};
use halfgate_circuit::{Element, ElementType};
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The widest integer.
pub const MAX_WIDTH: u32 = 128;

/// Type of an element.
#[pyclass(frozen, eq, from_py_object, module = "halfgate._halfgate", name = "Native")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DType {
    pub kind: Kind,
    pub width: u32,
}

/// Interpretation of the bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
    Fixed { fraction: u32 },
    FixedUnsigned { fraction: u32 },
}

impl DType {
    pub const BOOL: DType = DType { kind: Kind::Bool, width: 1 };

    pub fn unsigned(width: u32) -> DType {
        DType { kind: Kind::Unsigned, width }
    }

    /// Number of bits.
    pub fn bits(self) -> usize {
        self.width as usize
    }

    /// Whether the top bit is a sign in two's complement.
    pub fn is_signed(self) -> bool {
        matches!(self.kind, Kind::Signed | Kind::Fixed { .. })
    }

    /// Whether addition is that of integers.
    pub fn is_integral(self) -> bool {
        !matches!(self.kind, Kind::Bool | Kind::Float)
    }

    /// Bits after the point of a fixed-point number.
    pub fn fraction(self) -> Option<usize> {
        match self.kind {
            Kind::Fixed { fraction } | Kind::FixedUnsigned { fraction } => Some(fraction as usize),
            _ => None,
        }
    }

    /// The format of a float.
    pub fn format(self) -> Option<Format> {
        match (self.kind, self.width) {
            (Kind::Float, 32) => Some(BINARY32),
            (Kind::Float, _) => Some(BINARY64),
            _ => None,
        }
    }

    /// The type of a port.
    pub fn element_type(self) -> ElementType {
        let element = match self.kind {
            Kind::Bool | Kind::Unsigned => Element::Unsigned,
            Kind::Signed => Element::Signed,
            Kind::Float if self.width == 32 => Element::Float32,
            Kind::Float => Element::Float64,
            Kind::Fixed { fraction } => Element::Fixed { fraction },
            Kind::FixedUnsigned { fraction } => Element::FixedUnsigned { fraction },
        };
        ElementType { element, width: self.width }
    }
}

#[pymethods]
impl DType {
    /// `kind` is one of `bool`, `uint`, `int`, `float`, `fixed`, `ufixed`.
    #[new]
    #[pyo3(signature = (kind, width, fraction=0))]
    fn new(kind: &str, width: u32, fraction: u32) -> PyResult<DType> {
        let refuse = |what: String| Err(pyo3::exceptions::PyValueError::new_err(what));
        let kind = match kind {
            "bool" => Kind::Bool,
            "uint" => Kind::Unsigned,
            "int" => Kind::Signed,
            "float" => Kind::Float,
            "fixed" => Kind::Fixed { fraction },
            "ufixed" => Kind::FixedUnsigned { fraction },
            other => return refuse(format!("there is no kind {other:?} of secret values")),
        };
        let least = if matches!(kind, Kind::Signed | Kind::Fixed { .. }) { 2 } else { 1 };
        let has_width = match kind {
            Kind::Bool => width == 1,
            Kind::Float => width == 32 || width == 64,
            _ => (least..=MAX_WIDTH).contains(&width),
        };
        if !has_width {
            return refuse(format!("{width} bits: an integer has {least} to {MAX_WIDTH} bits"));
        }
        if fraction > width {
            return refuse(format!("{fraction} bits after the point, but only {width} in total"));
        }
        Ok(DType { kind, width })
    }

    #[getter]
    fn width(&self) -> u32 {
        self.width
    }

    #[getter]
    fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Bool => "bool",
            Kind::Unsigned => "uint",
            Kind::Signed => "int",
            Kind::Float => "float",
            Kind::Fixed { .. } => "fixed",
            Kind::FixedUnsigned { .. } => "ufixed",
        }
    }

    #[getter(fraction)]
    fn get_fraction(&self) -> usize {
        self.fraction().unwrap_or(0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

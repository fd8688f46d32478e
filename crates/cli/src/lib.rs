//! The `halfgate` command as a library: everything but `main`, so that tests and fuzz targets
//! reach the parsers of what users write.

pub mod error;
pub mod values;

//! Instances: many garblings of one program, each of which follows from its seed.
//!
//! A garbler in a protocol with cut and choose garbles a program several times and commits to each
//! garbling. It then opens some of them by their seeds, and the other party garbles these again and
//! compares. [`garble`] makes the tables of instances and the [digest](Instance::digest) that binds
//! everything about each of them; `spec/instances.md` defines both.
//!
//! This is a component of such protocols, not a protocol: nothing here sends a message or proves
//! that instances were made honestly.
//!
//! Read [`seed`] first, then [`instance`], then [`garble`].

mod garble;
mod instance;
mod seed;

pub use garble::{InstancesError, Store, Watch, WriteError, garble};
pub use instance::{Instance, Job};
pub use seed::{Seed, SeedError};

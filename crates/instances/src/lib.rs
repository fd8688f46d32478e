//! Instances: many garblings of one program, each of which follows from its seed.
//!
//! A garbler in a protocol with cut and choose garbles a program several times and commits to each
//! garbling. It then opens some of them by their seeds, and the other party garbles these again and
//! compares. [`garble`] makes the tables of instances and the [digest](Instance::digest) of each;
//! `spec/instances.md` defines both, and says what the digest does not give.
//!
//! This is a component of such protocols, not a protocol: nothing here sends a message or proves
//! that instances were made honestly.
//!
//! The files in reading order: `job`, `seed`, `instance`, `garble`.

mod garble;
mod instance;
mod job;
mod seed;

pub use garble::{InstancesError, KeyLimit, Store, StoreError, Watch, garble};
pub use instance::Instance;
pub use job::Job;
pub use seed::{Seed, SeedError};

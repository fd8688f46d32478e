//! Prints a program as a C header, for a host of a machine with one engine:
//!
//! ```sh
//! cargo run -p halfgate-haac --example memory_image -- [PROGRAM] > program.h
//! ```
//!
//! PROGRAM is a built-in program without flip-flops (default `aes128`). The machine is `haac-1ge`.

use halfgate_compiler::{Order, compile};
use halfgate_haac::engine::{Description, Overrides};
use halfgate_haac::rtl::memory_image::c_header;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "aes128".to_owned());
    let circuit = halfgate_programs::build(&name)?;
    let program = compile(circuit, "haac:full".parse::<Order>()?)?;
    let machine = Description::built_in("haac-1ge")?.machine(&Overrides::default())?;
    print!("{}", c_header(&machine, &name, &program)?);
    Ok(())
}

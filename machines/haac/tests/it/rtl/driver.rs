//! The C driver on two simulated machines, at the ports of the top `haac_1ge`: AES-128 has the
//! result of FIPS-197, and errors of the bus are reported.

use crate::rtl::common::program;
use halfgate_haac::engine::{Description, Overrides};
use halfgate_haac::rtl::memory_image::c_header;
use halfgate_haac_model::lower::{Lowering, lower};
use halfgate_verilated::testing::can_build;
use std::path::Path;
use std::process::{Command, Output};

/// Key and block of FIPS-197, appendix C.1, and the encrypted block.
const INPUT: &str = "000102030405060708090a0b0c0d0e0f00112233445566778899aabbccddeeff";
const OUTPUT: &str = "69c4e0d86a7b0430d8cdb78070b4c55a";

fn is_installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        println!("not run: {tool} is not installed");
    }
    found
}

fn run(header: &Path, arguments: &[&str]) -> Output {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("driver/run.sh");
    let mut command = Command::new(driver);
    command.arg("--header").arg(header).args(arguments);
    command.output().expect("the script starts")
}

#[test]
#[ignore = "builds two machines, a minute: make rtl"]
fn the_driver_computes_aes_and_reports_errors_of_the_bus() {
    if !can_build() || !["cc", "c++", "make", "python3"].into_iter().all(is_installed) {
        return;
    }
    let machine = Description::built_in("haac-1ge").expect("built in");
    let machine = machine.machine(&Overrides::default()).expect("possible");
    let program = program(halfgate_programs::build("aes128").expect("built in"), "haac:full");
    let folder = tempfile::tempdir().expect("a folder");
    let header = folder.path().join("program.h");
    let code = lower(&program, machine.shape, Lowering::BEST).expect("fits");
    let text = c_header(&machine, "aes128", &program.circuit, &code).expect("fits");
    std::fs::write(&header, text).expect("writes");

    let done = run(&header, &[INPUT]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert_eq!(text.trim(), OUTPUT, "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success());
    for what in ["last", "id"] {
        let failed = run(&header, &[INPUT, what]);
        let text = String::from_utf8_lossy(&failed.stdout);
        assert!(text.contains("RLAST at a wrong beat") && !text.contains(OUTPUT), "{text}");
        assert_eq!(failed.status.code(), Some(3), "{what}");
    }
}

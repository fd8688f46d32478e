#!/usr/bin/env bash
# Runs all checks that take too long for each change. A failed part does not stop the others; the
# last line lists parts that failed and parts that could not run here.
#
#   scripts/nightly.sh [PART…]   rtl, dram, proofs, programs, cocotb, mutants, long, results,
#                                constant, fuzz, miri, sanitizers, aarch64, systems, package,
#                                pages, python (default: all)
#
# FUZZ_SECONDS is how long each fuzz target runs (60).
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
have() { command -v "$1" >/dev/null 2>&1; }

# Exit code of a part that cannot run here and has printed the reason.
not_run=77
miss() {
    echo "$part: NOT RUN: $*"
    exit $not_run
}

part_rtl() {
    have "${VERILATOR:-verilator}" || miss "verilator is not installed"
    scripts/rtl-lint.sh all
    scripts/tests.sh rtl
}
# Tests memories and machines with the simulated DRAM, which other builds leave out.
part_dram() {
    have cmake || miss "cmake is not installed"
    local direct='^dram = \["(dep:dramsim3|halfgate-dram/dram)"' manifest manifests
    # By itself, so that finding none fails.
    manifests=$(grep -lE "$direct" crates/*/Cargo.toml machines/*/Cargo.toml)
    for manifest in $manifests; do
        $cargo test --quiet --locked --manifest-path "$manifest" --features dram -- \
            dram:: configuration:: simulator::
    done
}
part_proofs() {
    if ! scripts/rtl-prove.py tools; then exit $not_run; fi
    scripts/rtl-prove.py
}
# Runs papers' programs at full size on the SystemVerilog, and compares cycles with the models.
part_programs() {
    local script
    have "${VERILATOR:-verilator}" || miss "verilator is not installed"
    for script in machines/*/programs.sh; do CARGO="$cargo" $script; done
}
part_cocotb() {
    local script
    for script in machines/*/cocotb/run.sh; do CARGO="$cargo" $script; done
}
part_mutants() {
    have "${VERILATOR:-verilator}" || miss "verilator is not installed"
    scripts/tests.sh mutants
}
part_long() { scripts/tests.sh long; }
part_results() { CARGO="$cargo" scripts/check-results.sh; }
part_constant() { scripts/constant-time.sh; }
part_fuzz() { FUZZ_REQUIRED=1 scripts/fuzz.sh "${FUZZ_SECONDS:-60}"; }

# Runs the code with pointers in Miri, which refuses undefined behaviour. Miri has no vector
# instructions, so kernels that need them are not chosen.
part_miri() {
    local miri
    for miri in "$cargo miri" "$cargo +nightly miri"; do
        if $miri --version >/dev/null 2>&1; then
            $miri test --locked --package halfgate-reference --package halfgate-kernels --lib
            return
        fi
    done
    miss "needs Miri: rustup +nightly component add miri"
}

# Runs programs on several threads, alone and in sessions, with sanitizers of threads and addresses.
part_sanitizers() {
    local source host sanitizer
    source=$(rustc +nightly --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/Cargo.lock
    [ -e "$source" ] || miss "needs rustup toolchain install nightly --component rust-src"
    host=$(rustc +nightly -vV | sed -n 's/^host: //p')
    for sanitizer in thread address; do
        local test=("$cargo" +nightly test --quiet --locked -Zbuild-std --target "$host" --lib)
        export RUSTFLAGS=-Zsanitizer=$sanitizer CARGO_TARGET_DIR=$PWD/target/sanitizer-$sanitizer
        "${test[@]}" --package halfgate-engine -- structured together
        "${test[@]}" --package halfgate-protocol -- tests::parts:: sending
    done
}

# Runs the portable kernel on a processor that is not x86-64.
part_aarch64() {
    local target=aarch64-unknown-linux-gnu
    have qemu-aarch64 && have aarch64-linux-gnu-gcc ||
        miss "needs qemu-user and gcc-aarch64-linux-gnu"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || miss "needs rustup target add $target"
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
        $cargo test --locked --target $target --package halfgate-kernels --package halfgate-circuit
}

# Checks that the code compiles for Windows and macOS.
part_systems() {
    scripts/other-systems.sh
}

# Checks that the library's crates can be published, and that packages run outside the checkout.
part_package() {
    scripts/package.sh
    scripts/dist.sh
    if have python3; then scripts/python.sh manylinux; fi
}

# Builds the book, and runs the commands on its pages, including those of simulated designs.
part_pages() {
    scripts/book.sh
    $cargo build --release --quiet --locked --package halfgate-cli
    PAGES_RTL=1 HALFGATE=${CARGO_TARGET_DIR:-target}/release/halfgate scripts/page-examples.sh
}

# Builds the wheel of the Python package, and runs its tests with many random programs.
part_python() {
    have python3 || miss "python3 is not installed"
    HALFGATE_EXAMPLES=10000 CARGO="$cargo" scripts/python.sh
}

[ $# -gt 0 ] || set -- rtl dram proofs programs cocotb mutants long results constant fuzz miri sanitizers aarch64 systems package pages python
failed=()
left_out=()
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || {
        echo "nightly: unknown part $part; the header of this script lists them" >&2
        exit 2
    }
    echo "== nightly: $part"
    # A separate process, since `set -e` is off in a function whose exit code is tested.
    set +e
    (
        set -e
        "part_$part"
    )
    status=$?
    set -e
    case $status in
        0) ;;
        $not_run) left_out+=("$part") ;;
        *) failed+=("$part") ;;
    esac
done
echo "nightly: ran $(($# - ${#left_out[@]})) of $# parts; NOT RUN: ${left_out[*]:-none}; failed: ${failed[*]:-none}"
[ ${#failed[@]} = 0 ]

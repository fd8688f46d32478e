#!/usr/bin/env bash
# All that takes too long for each change. Each part is run whatever became of the others; what
# failed and what could not run here are listed at the end.
#
#   scripts/nightly.sh [PART…]   rtl, mutants, long, results, constant, fuzz, miri, aarch64, systems,
#                               package, pages (default: all)
#
# FUZZ_SECONDS is how long each fuzz target runs (60).
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
have() { command -v "$1" >/dev/null 2>&1; }

# What a part that cannot run here exits with, after it has said why.
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
part_mutants() {
    have "${VERILATOR:-verilator}" || miss "verilator is not installed"
    scripts/tests.sh mutants
}
part_long() { scripts/tests.sh long; }
part_results() { CARGO="$cargo" scripts/check-results.sh; }
part_constant() { scripts/constant-time.sh; }
part_fuzz() { FUZZ_REQUIRED=1 scripts/fuzz.sh "${FUZZ_SECONDS:-60}"; }

# The parts of the code with pointers, in an interpreter that refuses undefined behaviour. It knows
# no vector instructions, so kernels that need them are not chosen.
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

# The portable kernel on a processor that is not x86-64.
part_aarch64() {
    local target=aarch64-unknown-linux-gnu
    have qemu-aarch64 && have aarch64-linux-gnu-gcc ||
        miss "needs qemu-user and gcc-aarch64-linux-gnu"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || miss "needs rustup target add $target"
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
        $cargo test --locked --target $target --package halfgate-kernels --package halfgate-circuit
}

# Whether it compiles for systems that nobody here runs.
part_systems() {
    scripts/other-systems.sh
}

# Whether crates that a user depends on can be published, and what is handed on runs elsewhere.
part_package() {
    scripts/package.sh
    scripts/dist.sh
}

# The book, and the commands that its pages show, those of simulated designs too.
part_pages() {
    scripts/book.sh
    $cargo build --release --quiet --locked --package halfgate-cli
    PAGES_RTL=1 HALFGATE=${CARGO_TARGET_DIR:-target}/release/halfgate scripts/page-examples.sh
}

[ $# -gt 0 ] || set -- rtl mutants long results constant fuzz miri aarch64 systems package pages
failed=()
left_out=()
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || {
        echo "nightly: there is no part $part" >&2
        exit 2
    }
    echo "== nightly: $part"
    # A process of its own, since errors end no function whose result is asked for.
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

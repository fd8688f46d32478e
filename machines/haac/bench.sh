#!/usr/bin/env bash
# Records the speed of building and simulating the SystemVerilog (ten minutes).
set -euo pipefail
cd "$(dirname "$0")/../.."

"${CARGO:-cargo}" run --release --quiet --locked --bin halfgate -- bench rtl --out bench/results/haac-rtl.json

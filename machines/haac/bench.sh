#!/usr/bin/env bash
# Records how fast the SystemVerilog is built and simulated (ten minutes).
set -euo pipefail
cd "$(dirname "$0")/../.."

"${CARGO:-cargo}" run --release --quiet --locked --bin halfgate -- bench rtl --out bench/results/haac-rtl.json

#!/usr/bin/env bash
# Runs the paper's programs at full size on the SystemVerilog: the eight programs on four engines,
# the small ones on sixteen, and all of them without pacing. Fails if a table or an output is wrong,
# or a number of cycles differs from the model's (half an hour on two idle cores).
#
#   machines/haac/programs.sh [OPTION…]   options of `halfgate bench`, such as --out FILE
set -euo pipefail
cd "$(dirname "$0")/../.."

"${CARGO:-cargo}" run --release --quiet --locked --bin halfgate -- bench rtl-programs rtl-own-time "$@"

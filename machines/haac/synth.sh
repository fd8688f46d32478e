#!/usr/bin/env bash
# Records the size of the RTL: FPGA counts, ECP5 placed and routed (an hour).
set -euo pipefail
cd "$(dirname "$0")/../.."

OUT=bench/results/haac-synth.json exec scripts/synth.sh "$@"

#!/usr/bin/env bash
# Measures the machines in standard cells; arguments go to `halfgate silicon`.
#
# LIBERTY names a Liberty file of standard cells or a folder of them (.lib, .lib.gz), PROCESS its
# process, MHZ the clock of power figures, OUT the record to write, and HALFGATE an already built
# command. OpenROAD-flow-scripts on GitHub has open libraries in flow/platforms/*/lib.
# Yosys is taken from PATH, or else installed with pip under target/, in the version of
# scripts/synth-tools.sh. OpenSTA (Debian: opensta) gives longest paths and power, if installed.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    printf 'silicon: %s\n' "$*" >&2
    exit 1
}
[ -n "${LIBERTY:-}" ] || fail 'LIBERTY=FILE names no library of standard cells: OpenROAD-flow-scripts on GitHub has open ones in flow/platforms/*/lib'
[ -r "$LIBERTY" ] || fail "LIBERTY=$LIBERTY cannot be read"
. scripts/synth-tools.sh

options=(--liberty "$LIBERTY")
[ -z "${PROCESS:-}" ] || options+=(--process "$PROCESS")
[ -z "${MHZ:-}" ] || options+=(--mhz "$MHZ")
[ -z "${OUT:-}" ] || options+=(--out "$OUT")

if [ -z "${HALFGATE:-}" ]; then
    "${CARGO:-cargo}" build --release --quiet --locked --package halfgate-cli --bin halfgate
    HALFGATE="${CARGO_TARGET_DIR:-target}/release/halfgate"
fi
exec nice -n 10 "$HALFGATE" silicon "${options[@]}" "$@"

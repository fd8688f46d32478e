#!/usr/bin/env bash
# Two processes over TLS on loopback compute AES-128, millionaires, set intersection, and a secret
# program in C; then machines take a side, as models and as simulated circuits (machines/*/demo.sh).
# Ends with an error if any result is not what it should be.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet -p halfgate-cli
cargo build --release --quiet -p halfgate-tests --example check_aes
target=${CARGO_TARGET_DIR:-target}/release
halfgate=$target/halfgate

work=$(mktemp -d)
garbler=
cleanup() {
    if [ -n "$garbler" ]; then kill "$garbler" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap cleanup EXIT

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'demo: %s\n' "$*" >&2; exit 1; }

say "Two identities"
"$halfgate" keygen "$work/alice"
"$halfgate" keygen "$work/bob"

# Whose engine is which.
engine=cpu
other_engine=cpu

# What the evaluator runs, if it is not what the garbler does, and options of its own.
other_program=
other_options=()

# session PROGRAM GARBLER-VALUES EVALUATOR-VALUES [OPTION…]
# The garbler's report goes to the terminal, the evaluator's to $work/result.json.
session() {
    local program=$1 own=$2 other=$3
    shift 3
    : >"$work/log"
    "$halfgate" garble "$program" --identity "$work/alice" --peer "$work/bob.pub" \
        --listen 127.0.0.1:0 --input "$own" --engine "$engine" "$@" >"$work/report" 2>"$work/log" &
    garbler=$!
    local address=
    for _ in $(seq 100); do
        address=$(sed -n 's/.*listening on //p' "$work/log")
        if [ -n "$address" ] || ! kill -0 "$garbler" 2>/dev/null; then break; fi
        sleep 0.05
    done
    [ -n "$address" ] || fail "the garbler does not listen: $(cat "$work/log")"
    "$halfgate" evaluate "${other_program:-$program}" --identity "$work/bob" --peer "$work/alice.pub" \
        --connect "$address" --input "$other" --engine "$other_engine" --json "$@" \
        "${other_options[@]}" >"$work/result.json" ||
        fail "the evaluator failed; the garbler says: $(cat "$work/log")"
    wait "$garbler" || fail "the garbler failed: $(cat "$work/log")"
    garbler=
    cat "$work/report"
}

# field NAME: a number of the evaluator's report.
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" "$work/result.json"; }

# expect NAME HEX: what the evaluator learned.
expect() {
    grep -Eq "\"name\":\"$1\",\"bits\":[0-9]+,\"hex\":\"0*$2\"" "$work/result.json" ||
        fail "$1 should be $2: $(cat "$work/result.json")"
    printf 'checked: %s is 0x%s for the evaluator too\n' "$1" "$2"
}

say "AES-128: the garbler holds a key, the evaluator 1,000 blocks and learns their ciphertext"
head -c 16 /dev/urandom >"$work/key.bin"
head -c 16000 /dev/urandom >"$work/blocks.bin"
session aes128-ecb "@$work/key.bin" "@$work/blocks.bin" --cycles 1000 --learn evaluator
"$target/examples/check_aes" "$work/key.bin" "$work/blocks.bin" "$work/result.json"

say "Millionaires: 1,000,000 against 999,999"
printf '{"a": 1000000}' >"$work/a.json"
printf '{"b": 999999}' >"$work/b.json"
session millionaires:32 "@$work/a.json" "@$work/b.json"
expect a_richer 1

say "Private set intersection size: 64 multiples of 3 and 64 of 5; 12 are in both"
printf '{"a": [%s]}' "$(seq -s, 3 3 192)" >"$work/a.json"
printf '{"b": [%s]}' "$(seq -s, 5 5 320)" >"$work/b.json"
session psi:64x32 "@$work/a.json" "@$work/b.json"
expect size c

say "A program in C that only the garbler knows, on a garbled processor: prices times amounts"
if command -v mips-linux-gnu-gcc >/dev/null && command -v yosys >/dev/null; then
    "$halfgate" mips build examples/mips/sum.c -o "$work/sum.elf" --memory 32 --steps 50 | sed -n '1s|.*/||p'
    "$halfgate" mips inspect "$work/sum.elf" --interface "$work/sum.json" >/dev/null
    printf '{"prices": [3, -4, 5, 6]}' >"$work/a.json"
    printf '{"amounts": [10, 20, 30, 40]}' >"$work/b.json"
    other_program=$work/sum.json other_options=(--accept-secret-program)
    session "$work/sum.elf" "@$work/a.json" "@$work/b.json"
    other_program='' other_options=()
    expect total 154
else
    echo "NOT RUN: gcc-mips-linux-gnu or Yosys is not installed"
fi

# What machines show: each has a demo.sh that uses the functions and files from above.
for machine in machines/*/demo.sh; do
    . "$machine"
done

say "All results are right"

#!/usr/bin/env bash
# Two processes over TLS on loopback compute AES-128 (once with a simulated accelerator as garbler),
# millionaires and set intersection.
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

# The garbler's engine.
engine=cpu

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
    "$halfgate" evaluate "$program" --identity "$work/bob" --peer "$work/alice.pub" \
        --connect "$address" --input "$other" --json "$@" >"$work/result.json" ||
        fail "the evaluator failed; the garbler says: $(cat "$work/log")"
    wait "$garbler" || fail "the garbler failed: $(cat "$work/log")"
    garbler=
    cat "$work/report"
}

# expect NAME HEX: what the evaluator learned.
expect() {
    grep -Eq "\"name\":\"$1\",\"bits\":[0-9]+,\"hex\":\"0*$2\"" "$work/result.json" ||
        fail "$1 should be $2: $(cat "$work/result.json")"
    printf 'checked: %s is 0x%s for the evaluator too\n' "$1" "$2"
}

say "AES-128: the garbler holds a key, the evaluator 1,000 blocks and learns their ciphertext"
head -c 16 /dev/urandom >"$work/key"
head -c 16000 /dev/urandom >"$work/blocks"
session aes128-ecb "@$work/key" "@$work/blocks" --cycles 1000 --learn evaluator
"$target/examples/check_aes" "$work/key" "$work/blocks" "$work/result.json"

say "The same program, ten blocks, garbled by the model of an accelerator (HAAC, 16 engines)"
head -c 160 "$work/blocks" >"$work/few"
session aes128-ecb "@$work/key" "@$work/few" --cycles 10 --learn evaluator >/dev/null
cpu=$(sed -n 's/.* ANDs[^;]*; \([^(]*\) (.*/\1/p' "$work/report")
engine=model:haac-16ge
session aes128-ecb "@$work/key" "@$work/few" --cycles 10 --learn evaluator >/dev/null
engine=cpu
"$target/examples/check_aes" "$work/key" "$work/few" "$work/result.json"
simulated=$(sed -n 's/^simulated: the garbler.s machine took \(.*\); .*/\1/p' "$work/report")
[ -n "$simulated" ] && [ -n "$cpu" ] || fail "no times: $(cat "$work/report")"
printf 'garbled by HAAC in %s (simulated); by this CPU in %s\n' "$simulated" "$cpu"

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

say "All results are right"

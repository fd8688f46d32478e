#!/usr/bin/env bash
# Two processes over TLS on loopback compute AES-128 (also with the model of an accelerator as garbler,
# and with its simulated circuit on either side), a division (evaluated by a simulated chip behind a
# pseudo-terminal), millionaires, set intersection, and a secret program in C.
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

# What the evaluator runs, if it is not what the garbler does.
other_program=

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
        --connect "$address" --input "$other" --engine "$other_engine" --json "$@" >"$work/result.json" ||
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

say "The accelerator's SystemVerilog (HAAC, 4 engines) beside the CPU engine and the cycle model"
if command -v "${VERILATOR:-verilator}" >/dev/null; then
    "$halfgate" simulate aes128-ecb:1 --order haac:full --machine haac-4ge --model rtl >"$work/rtl" ||
        fail "hardware, model and CPU differ: $(cat "$work/rtl")"
    grep -E '^(garbler|evaluator|labels|  cycles  )' "$work/rtl"

    # circuit ROLE GARBLER-ENGINE EVALUATOR-ENGINE: a block in a session, in as many cycles as the model.
    circuit() {
        engine=$2 other_engine=$3
        session aes128-ecb "@$work/key" "@$work/block" --learn evaluator --order haac:full >/dev/null
        engine=cpu other_engine=cpu
        "$target/examples/check_aes" "$work/key" "$work/block" "$work/result.json"
        local took model
        took=$({ sed -n 's/^simulated: .* took \(.*\) clock cycles.*/\1/p' "$work/report"
            sed -n 's/.*"clock_cycles":\([0-9]*\).*/\1/p' "$work/result.json"; } | tr -d ,)
        model=$(sed -n "/^$1/,/^\$/s/^  cycles  .* \([0-9,]*\)\$/\1/p" "$work/rtl" | tr -d ,)
        [ -n "$took" ] && [ "$took" = "$model" ] ||
            fail "the $1 took ${took:-unknown} clock cycles in the session; in the model ${model:-unknown}"
        echo "the $1's circuit took $took clock cycles, as many as the model"
    }
    head -c 16 "$work/blocks" >"$work/block"
    say "AES-128 between two processes: the circuit garbles, a CPU evaluates"
    circuit garbler rtl:haac-4ge cpu
    say "AES-128 between two processes: a CPU garbles, the circuit evaluates"
    circuit evaluator cpu rtl:haac-4ge
else
    echo "NOT RUN: verilator is not installed"
fi

say "A 64-bit division, evaluated by the mobile coprocessor (iCE40 UP5K, SPI at 30 MHz) behind a pseudo-terminal"
chip=rtl
command -v "${VERILATOR:-verilator}" >/dev/null || chip=model
[ "$chip" = rtl ] || echo "verilator is not installed: by its cycle model"
other_engine=mobile:sim,chip=$chip
session divide:64 1000000007 12345
other_engine=cpu
expect quotient 13c6c
expect remainder 15fb
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" "$work/result.json"; }
printf 'the chip took %s clock cycles at %s MHz for %s bytes to it and %s from it: %.1f ms\n' \
    "$(field clock_cycles)" "$(field mhz)" "$(field to_device)" "$(field from_device)" \
    "$(awk -v c="$(field clock_cycles)" -v m="$(field mhz)" 'BEGIN { print c / m / 1000 }')"

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
    other_program=$work/sum.json
    session "$work/sum.elf" "@$work/a.json" "@$work/b.json"
    other_program=
    expect total 154
    say "The same program, known to both, evaluated by the model of a processor's accelerator (GarbledCPU)"
    "$halfgate" run "$work/sum.elf" --garbler "@$work/a.json" --evaluator "@$work/b.json" \
        --privacy public --evaluator-engine model:garbledcpu-1 | grep -E '^(total|simulated)' | tee "$work/machine.txt"
    grep -q '^total *= 340 ' "$work/machine.txt" || { echo "the machine is wrong" >&2; exit 1; }
else
    echo "NOT RUN: gcc-mips-linux-gnu or Yosys is not installed"
fi

say "All results are right"

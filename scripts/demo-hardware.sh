#!/usr/bin/env bash
# Machines garble or evaluate in sessions between two processes, as models and as simulated
# SystemVerilog: AES-128, a program in C, a division. Each machine's part is its demo.sh. A wrong
# result ends the script with an error. Simulators are built the first time (minutes) and cached.
set -euo pipefail
cd "$(dirname "$0")/.."
PROFILE=release
. scripts/sessions.sh

head -c 16 /dev/urandom >"$work/key.bin"
head -c 16000 /dev/urandom >"$work/blocks.bin"

say "A program in C that only the garbler knows, on a garbled processor: prices times amounts"
if command -v mips-linux-gnu-gcc >/dev/null && command -v yosys >/dev/null; then
    "$halfgate" mips build examples/mips/sum.c -o "$work/sum.elf" --memory 32 --steps 50 | sed -n '1s|.*/||p'
    "$halfgate" mips inspect "$work/sum.elf" --interface "$work/sum.json" >/dev/null
    printf '{"prices": [3, -4, 5, 6]}' >"$work/a.json"
    printf '{"amounts": [10, 20, 30, 40]}' >"$work/b.json"
    evaluator_program=$work/sum.json evaluator_options=(--accept-secret-program)
    session "$work/sum.elf" "@$work/a.json" "@$work/b.json"
    evaluator_program='' evaluator_options=()
    expect total 154
else
    echo "NOT RUN: gcc-mips-linux-gnu or Yosys is not installed"
fi

# Each machine's demo.sh uses the functions and files from above.
for machine in machines/*/demo.sh; do
    . "$machine"
done

say "All results are right"

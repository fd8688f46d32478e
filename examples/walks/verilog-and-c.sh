#!/usr/bin/env bash
# A core in Verilog that somebody else has written, and a program in C with the usual headers,
# between two parties.
#
#   examples/walks/verilog-and-c.sh      (HALFGATE: the command)
set -euo pipefail
cd "$(dirname "$0")/../.."
halfgate=${HALFGATE:-halfgate}
. examples/walks/two-parties.sh

if ! command -v "${HALFGATE_YOSYS:-yosys}" >/dev/null; then
    echo "NOT RUN: there is no Yosys here (make setup installs it)"
    exit
fi

# As the core is, nobody knows whose its inputs are: the error lists them.
if "$halfgate" inspect examples/walks/core/fir.v --source examples/walks/core 2>"$work/log"; then
    fail "whose the inputs are was not asked for"
fi
grep -F "in this order: coefficients,sample" "$work/log" || fail "$(cat "$work/log")"

# A module of ours says it (examples/walks/filter.v). Negative numbers are signed samples of 12
# bits.
printf 'time,level\n0,100\n1,-200\n2,300\n3,0\n4,-7\n' >"$work/samples.csv"
echo "i12:[1, 2, -3, 4]" >"$work/coefficients.txt"
session examples/walks/filter.v "@$work/coefficients.txt" "@$work/samples.csv:level" \
    --source examples/walks/core --cycles 5
expect filtered '[100,0,-400,1600,-1707]'

# The design is read once: it is kept for the next command.
"$halfgate" cache --json | grep -Fq filter.v || fail "the design is not kept"

if ! command -v mips-linux-gnu-gcc >/dev/null; then
    echo "NOT RUN: there is no compiler for MIPS here (make setup installs it)"
    exit
fi
"$halfgate" mips build examples/walks/spread.c -o "$work/spread.elf" --memory 256,64
printf '1\n-2\n3000000\n4\n5\n6\n' >"$work/ours.txt"
echo '{"theirs": [2, -2, -5, 4, 5, 6]}' >"$work/theirs.json"
"$halfgate" mips run "$work/spread.elf" --garbler "@$work/ours.txt" --evaluator "@$work/theirs.json"

# With too few steps it does not finish, which is an error and no result of zeros.
if "$halfgate" run "$work/spread.elf" --privacy public-skip --steps 40 \
    --garbler "@$work/ours.txt" --evaluator "@$work/theirs.json" >"$work/report" 2>"$work/log"; then
    fail "a program that did not finish gave a result: $(cat "$work/report")"
fi
grep -F "did not finish in 40 steps" "$work/log" || fail "$(cat "$work/log")"

session "$work/spread.elf" "@$work/ours.txt" "@$work/theirs.json" --privacy public-skip --steps 320
expect spread 1500005000004

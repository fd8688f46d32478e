#!/usr/bin/env bash
# A circuit that another project has published runs between two parties. A Bristol file has no
# names, owners or types, so they are given where it is read, and kept in a file of our own.
#
#   examples/walks/other-circuit.sh [FILE]   a 64-bit adder in Bristol Fashion, as at
#                                            https://nigelsmart.github.io/MPC-Circuits/
#                                            (adder64.txt)
#
# Without FILE a copy beside this repository is taken, or else a circuit of ours in the same format.
set -euo pipefail
cd "$(dirname "$0")/../.."
halfgate=${HALFGATE:-halfgate}
. examples/walks/two-parties.sh

file=${1:-../shared/circuits/bristol-fashion/adder64.txt}
if [ ! -f "$file" ]; then
    echo "NOT RUN with another project's circuit: there is no $file; an adder of ours stands in for it"
    file=$work/adder64.txt
    "$halfgate" convert adder:64 "$file" --to fashion
fi

"$halfgate" inspect "$file" --parties g,e --rate 10000000

# Owners are said once, and kept in a file of our own, which both parties then run.
"$halfgate" convert "$file" "$work/adder.hgc" --parties g,e
file=$work/adder.hgc

echo 1000000007 >"$work/ours.txt"
echo -1 >"$work/theirs.txt"
# Nothing in the file says what a number is: it is an integer of 64 bits, -1 in two's complement.
session "$file" "@$work/ours.txt" "@$work/theirs.txt"
grep -Eq '"hex":"000000003b9aca06"' "$work/result.json" || fail "not the sum: $(cat "$work/result.json")"
echo "checked: the sum is 0x3b9aca06"

# A list says how wide its elements are, since the file does not.
"$halfgate" run "$file" --garbler 'u8:[1,2,3,4,5,6,7,8]' --evaluator 0 --json |
    grep -Fq '"hex":"0807060504030201"' || fail "a list of bytes"
if "$halfgate" run "$file" --garbler '[1,2]' --evaluator 0 2>"$work/log"; then
    fail "half a list was taken"
fi
cat "$work/log"

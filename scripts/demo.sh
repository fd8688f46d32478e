#!/usr/bin/env bash
# Builds the command. Then two processes compute AES-128, millionaires and set intersection over TLS
# on loopback, the last two also in malicious sessions. Every result is checked, and a wrong one
# ends the script with an error.
#
# scripts/demo-hardware.sh shows machines and their circuits, which need simulators.
set -euo pipefail
cd "$(dirname "$0")/.."
# This profile compiles quickly and is fast enough for the demo.
PROFILE=demo
begin=$SECONDS
. scripts/sessions.sh
built=$SECONDS

say "AES-128: the garbler holds a key, the evaluator 1,000 blocks and learns their ciphertext"
head -c 16 /dev/urandom >"$work/key.bin"
head -c 16000 /dev/urandom >"$work/blocks.bin"
session aes128-ecb "@$work/key.bin" "@$work/blocks.bin" --cycles 1000 --learn evaluator
"$check_aes" "$work/key.bin" "$work/blocks.bin" "$work/result.json"

# both_levels CIRCUIT GARBLER-VALUES EVALUATOR-VALUES NAME HEX: a session at each security level,
# with the same result. Their prices are a row of a table.
prices=
both_levels() {
    local level cost row
    row=$(printf '%-16s' "$1")
    for level in semi-honest malicious; do
        session "$1" "$2" "$3" --security "$level"
        expect "$4" "$5"
        cost=$(awk -v s="$(field setup_seconds) $(field seconds)" \
            -v b="$(field bytes_sent) $(field bytes_received)" 'BEGIN {
                split(s, s2, " "); split(b, b2, " ")
                printf "%7.3f s %10.1f kB", s2[1] + s2[2], (b2[1] + b2[2]) / 1000
            }')
        row="$row   $cost"
    done
    prices="$prices$row"$'\n'
}

say "Millionaires: 1,000,000 against 999,999; then again with --security malicious"
printf '{"a": 1000000}' >"$work/a.json"
printf '{"b": 999999}' >"$work/b.json"
both_levels millionaires:32 "@$work/a.json" "@$work/b.json" a_richer 1

say "Private set intersection size: 64 multiples of 3 and 64 of 5; 12 are in both"
printf '{"a": [%s]}' "$(seq -s, 3 3 192)" >"$work/a.json"
printf '{"b": [%s]}' "$(seq -s, 5 5 320)" >"$work/b.json"
both_levels psi:64x32 "@$work/a.json" "@$work/b.json" size c

say "The price: set-up and run, and the bytes in both directions"
printf '%-16s   %-23s   %s\n' program "  semi-honest" "  malicious"
printf '%s' "$prices"

say "All results are right"
cat <<END
Two processes, each with an identity of its own, talked TLS 1.3 and computed on inputs that neither
showed to the other. It took $((SECONDS - built)) s, and the build $((built - begin)) s. Try next:

  $halfgate run edit-distance --garbler text:kitten --evaluator text:sitting
  $halfgate programs    what else is built in; docs/start.md has your own
  $halfgate inspect aes128 --security malicious    its price in advance; docs/malicious.md
  make demo-hardware               accelerators take a side, simulated cycle by cycle
END

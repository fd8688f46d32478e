#!/usr/bin/env bash
# Reproduces the papers' tables and figures and records their targets.
#
#   scripts/reproduce.sh [MACHINE…]   default: every machine with a paper
#
# NETLISTS is a folder with netlists that papers used, or with subfolders that have them; a
# machine's file `netlists` names the files. Without it, parts that need them are not run: the
# record keeps their old figures, marked as not run. The same holds for tables of resources without
# the tools that `make synth` installs. `make check-results` checks whether a record can be
# reproduced.
set -euo pipefail
cd "$(dirname "$0")/.."

netlists=${NETLISTS:-}
PATH=$PWD/target/synth-tools/bin:$PATH
shopt -s nullglob
[ $# -gt 0 ] || set -- $(for paper in machines/*/src/reproduce; do basename "${paper%/src/reproduce}"; done)

. scripts/netlists.sh

if [ -n "$netlists" ] && [ -z "$(for machine in "$@"; do given "$machine" "$netlists"; done)" ]; then
    wanted=$(for machine in "$@"; do cat "machines/$machine/netlists" 2>/dev/null || true; done | paste -sd ' ')
    echo "reproduce: NETLISTS=$netlists has none of $wanted" >&2
    exit 1
fi
for machine in "$@"; do
    options=(--out "bench/results/$machine.json")
    folder=$(given "$machine" "$netlists")
    if [ -n "$folder" ]; then
        options+=(--netlists "$folder")
    elif [ -n "$netlists" ] && [ -e "machines/$machine/netlists" ]; then
        echo "reproduce: NETLISTS=$netlists has no $(cat "machines/$machine/netlists") for $machine" >&2
        exit 1
    fi
    "${CARGO:-cargo}" run --release --quiet --locked --bin halfgate -- reproduce "$machine" "${options[@]}"
done

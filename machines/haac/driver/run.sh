#!/usr/bin/env bash
# Builds the C driver with two simulated machines (haac-1ge as garbler and as evaluator), and runs
# a program on them. Needs Verilator, a C and a C++ compiler. Builds take some minutes once.
#
#   machines/haac/driver/run.sh [--header FILE] INPUT [last|id]
#
# INPUT is as in example.c. FILE is the program's header; the default is AES-128, whose header
# `halfgate image` writes (HALFGATE names an already built command).
set -euo pipefail
cd "$(dirname "$0")/../../.."

driver=machines/haac/driver
out=$PWD/target/driver
mkdir -p "$out"
if [ "${1:-}" = --header ]; then
    cmp -s "$2" "$out/program.h" || cp "$2" "$out/program.h"
    shift 2
else
    halfgate=("${CARGO:-cargo}" run --quiet --locked --package halfgate-cli --bin halfgate --)
    [ -z "${HALFGATE:-}" ] || halfgate=("$HALFGATE")
    "${halfgate[@]}" image aes128 --machine haac-1ge --order haac:full -o "$out/program.h" >&2
fi
mapfile -t files < <(scripts/rtl-cores.py files halfgate:machine:haac)
sum=$(cat "${files[@]}" | cksum)
for role in "garbler:1'b1" "evaluator:1'b0"; do
    name=V${role%:*}
    if [ "$(cat "$out/$name/sources" 2>/dev/null)" != "$sum" ]; then
        rm -rf "${out:?}/$name"
        verilator --cc -O3 --x-assign unique --top-module haac_1ge "-GGarbler=${role#*:}" \
            --prefix "$name" --Mdir "$out/$name" -Wno-fatal "${files[@]}" >&2
        make -C "$out/$name" -f "$name.mk" -j "$(nproc)" OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 \
            "${name}__ALL.a" verilated.o verilated_threads.o >&2
        echo "$sum" >"$out/$name/sources"
    fi
done
verilator_include=$(verilator --getenv VERILATOR_ROOT)/include
cc -std=c99 -O1 -Wall -Wextra -Werror -pedantic -c "$driver/haac.c" -o "$out/haac.o"
cc -std=c99 -O1 -Wall -Wextra -Werror -I"$out" -c "$driver/example.c" -o "$out/example.o"
c++ -std=c++17 -O1 -Wall -I"$out/Vgarbler" -I"$out/Vevaluator" -I"$verilator_include" \
    -I"$verilator_include/vltstd" \
    -c "$driver/sim.cpp" -o "$out/sim.o"
c++ "$out"/{example,haac,sim}.o "$out/Vgarbler/Vgarbler__ALL.a" "$out/Vevaluator/Vevaluator__ALL.a" \
    "$out"/Vgarbler/verilated{,_threads}.o -pthread -o "$out/example"
"$out/example" "$@"

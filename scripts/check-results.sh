#!/usr/bin/env bash
# Checks whether recorded rows can be reproduced: reruns rows that are equal on every computer and
# take under two minutes each, and compares every field with bench/results.
#
#   scripts/check-results.sh [OPTION…] [NAME…]
#
#   NAME             only the file bench/results/NAME.json [default: all files]
#   --command PATH   an already built command [default: build this folder]
#   --netlists PATH  folder with the papers' netlists, or with subfolders that have them
#                    [default: ../shared/circuits, if it exists]
#
# Each difference is printed with file, row and field, the recorded and the new value. Figures that
# depend on the computer are not compared; the other fields of their rows are. The output names rows
# whose netlist or tool is missing, and files that are not rerun, with the reason. `Machine::checks`
# lists the parts of a record that are rerun.
#
# The exit code is 0 if there is no difference, 1 if there is any, and 2 if something could not be
# run. scripts/compare-records.sh compares two commits instead.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."

fail() {
    printf 'check-results: %s\n' "$*" >&2
    exit 2
}

command= netlists=
names=()
while [ $# -gt 0 ]; do
    case $1 in
        --command | --netlists) [ $# -gt 1 ] || fail "$1 needs a value; see --help" ;;&
        --command)
            [ -x "$2" ] || fail "$1 $2: no such command"
            command=$(realpath "$2")
            shift
            ;;
        --netlists)
            [ -d "$2" ] || fail "$1 $2: no such folder"
            netlists=$2
            shift
            ;;
        -h | --help)
            sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
            exit
            ;;
        -*) fail "unknown option $1; see --help" ;;
        *)
            [ -e "bench/results/$1.json" ] || fail "there is no bench/results/$1.json"
            names+=("$1")
            ;;
    esac
    shift
done
if [ -z "$command" ]; then
    "${CARGO:-cargo}" build --release --quiet --locked --bin halfgate || fail "the command does not build"
    command=${CARGO_TARGET_DIR:-target}/release/halfgate
fi
[ -n "$netlists" ] || [ ! -d ../shared/circuits ] || netlists=../shared/circuits
if [ ${#names[@]} = 0 ]; then
    for file in bench/results/*.json; do names+=("$(basename "$file" .json)"); done
fi
PATH=$PWD/target/synth-tools/bin:$PATH
machines=$("$command" machines --json | grep -o '"machine":"[^"]*"' | cut -d '"' -f 4 | sort -u) ||
    fail "$command does not list machines"

. scripts/netlists.sh

# check NAME: checks one record; returns the command's exit code.
check() {
    local options=(--check "bench/results/$1.json") folder
    if [ "$1" = circuits ]; then
        "$command" bench "${options[@]}"
        return
    fi
    folder=$(given "$1" "$netlists")
    [ -z "$folder" ] || options+=(--netlists "$folder")
    "$command" reproduce "$1" "${options[@]}"
}

differ=() failed=()
for name in "${names[@]}"; do
    case $name in
        *-synth | *-place) why="Yosys, place and route: many minutes a row, or more" ;;
        silicon) why="standard cells of a library that users fetch: hours; and a simulated DRAM" ;;
        *-rtl | *-programs) why="simulated RTL: rates of the computer that it names, a large design" ;;
        circuits) why= ;;
        *)
            why=
            grep -qx -e "$name" <<<"$machines" ||
                why="times of the computer, or counts of the commit, that it names"
            ;;
    esac
    if [ -n "$why" ]; then
        echo "bench/results/$name.json: not rerun: $why"
        continue
    fi
    start=$SECONDS code=0
    check "$name" || code=$?
    case $code in
        0) ;;
        # The command's exit code for differences.
        8) differ+=("$name") ;;
        *) failed+=("$name") ;;
    esac
    echo "  took $((SECONDS - start)) s"
done
echo "check-results: with differences: ${differ[*]:-none}; could not be run: ${failed[*]:-none}"
[ ${#failed[@]} = 0 ] || exit 2
[ ${#differ[@]} = 0 ]

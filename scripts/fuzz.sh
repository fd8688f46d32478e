#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: runs fuzz targets (default: all) for so long each, one after the other.
#
# cargo-fuzz is used as it is found, else installed into target/tools. Where that fails, as without
# a network, nothing is fuzzed and the last line says NOT RUN and why; with FUZZ_REQUIRED=1 that
# is a failure. A crash ends the script and leaves its input in fuzz/artifacts.
#
# What a target starts from is in fuzz/seeds/TARGET, and in the folders that `seeds` names; what
# it finds on the way is kept in fuzz/corpus/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?usage: fuzz.sh SECONDS [TARGET…]}
shift
version=0.13.2
tools=$PWD/target/tools
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The folders with seeds of target $1.
seeds() {
    [ ! -d "fuzz/seeds/$1" ] || echo "fuzz/seeds/$1"
    case $1 in
        bristol | scd | hscd) echo crates/frontends/testdata ;;
        machines) echo spec/machines ;;
        vectors) echo spec/vectors ;;
    esac
}

not_run() {
    echo "fuzz: NOT RUN: $*"
    [ "${FUZZ_REQUIRED:-0}" = 1 ] && exit 1
    exit 0
}

PATH=$PATH:$tools/bin
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz: installing cargo-fuzz $version into target/tools"
    if ! cargo install --quiet --locked --root "$tools" "cargo-fuzz@$version" 2>"$log"; then
        not_run "cargo-fuzz $version cannot be installed: $(grep -m 1 error "$log" || tail -n 1 "$log")"
    fi
fi

# The sanitizer and coverage flags are unstable; this lets the stable compiler take them.
export RUSTC_BOOTSTRAP=1
# All targets at once, so that both cores have something to do.
cargo fuzz build
if [ $# = 0 ]; then
    mapfile -t targets < <(cargo fuzz list)
else
    targets=("$@")
fi
for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target"
    mapfile -t folders < <(seeds "$target")
    if ! cargo fuzz run "$target" "fuzz/corpus/$target" "${folders[@]}" -- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        echo "fuzz: $target failed; its input is in fuzz/artifacts/$target" >&2
        exit 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz: $target: $runs inputs in $seconds s, no crash"
done

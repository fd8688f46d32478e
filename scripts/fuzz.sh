#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: runs fuzz targets (default: all) for SECONDS each, as many at a time as
# FUZZ_JOBS says (1). With FUZZ_RUNS each goes on until it had so many inputs.
#
# Targets are the files fuzz/*.rs of every package, as fuzz/README.md says; PACKAGE/fuzz/NAME.rs is
# the target PACKAGE-NAME. This script writes the package that cargo-fuzz builds to target/fuzz.
#
# cargo-fuzz is used as it is found, else installed into target/tools. Where that fails, as without
# a network, nothing is fuzzed and the last line says NOT RUN and why; with FUZZ_REQUIRED=1 that
# is a failure. A crash ends the script and leaves its input in target/fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

seconds=${1:?usage: fuzz.sh SECONDS [TARGET…]}
shift
version=0.13.2
tools=$root/target/tools
package=$root/target/fuzz
log=$(mktemp)
trap 'rm -f "$log"' EXIT

fail() {
    echo "fuzz: $*" >&2
    exit 1
}

not_run() {
    echo "fuzz: NOT RUN: $*"
    [ "${FUZZ_REQUIRED:-0}" = 1 ] && exit 1
    exit 0
}

# The source of each target, by the target's name.
declare -A sources
shopt -s nullglob
for source in {crates,machines}/*/fuzz/*.rs programs/fuzz/*.rs; do
    folder=${source%/fuzz/*}
    target=${folder##*/}-$(basename "$source" .rs)
    [ -z "${sources[$target]:-}" ] || fail "$source and ${sources[$target]} have the same name"
    sources[$target]=$source
done
mapfile -t all < <(printf '%s\n' "${!sources[@]}" | sort)
[ $# -gt 0 ] || set -- "${all[@]}"
for target in "$@"; do
    [ -n "${sources[$target]:-}" ] || fail "there is no target $target; there are ${all[*]}"
done

# Writes standard input to the file $1, which keeps its date if it has this content already:
# otherwise cargo would build it again.
write() {
    local content
    content=$(cat)
    [ -e "$1" ] && [ "$content" = "$(cat "$1")" ] || printf '%s\n' "$content" >"$1"
}

# Packages that targets may use: the workspace's dependencies, and machines with their models.
packages() {
    local manifest
    awk '/^\[/ { here = $0 == "[workspace.dependencies]" } here && /^[a-z]/' Cargo.toml
    for manifest in machines/*/Cargo.toml machines/*/model/Cargo.toml; do
        sed -n "0,/^name = \"\(.*\)\"/s||\1 = { path = \"${manifest%/Cargo.toml}\" }|p" "$manifest"
    done
}

# Those of them that a target mentions, as `name::`.
dependencies() {
    local line name
    packages |
        while read -r line; do
            name=${line%% *}
            if grep -qE "(^|[^:[:alnum:]_])${name//-/_}::" "${sources[@]}"; then
                echo "${line/path = \"/path = \"$root/}"
            fi
        done
}

manifest() {
    cat <<END
# Written by scripts/fuzz.sh.
[package]
name = "halfgate-fuzz-targets"
version = "0.0.0"
edition = "2024"
publish = false

[package.metadata]
cargo-fuzz = true

# A workspace of its own: libFuzzer's flags are for all of it.
[workspace]

[dependencies]
$(grep '^libfuzzer-sys = ' Cargo.toml)
$(dependencies)
END
    for target in "${all[@]}"; do
        cat <<END

[[bin]]
name = "$target"
path = "targets/$target.rs"
test = false
doc = false
bench = false
END
    done
}

mkdir -p "$package/targets"
manifest | write "$package/Cargo.toml"
for target in "${all[@]}"; do
    write "$package/targets/$target.rs" <<END
#![no_main]
#[path = "$root/${sources[$target]}"]
mod target;
libfuzzer_sys::fuzz_target!(|data: &[u8]| target::run(data));
END
done
# The versions of the workspace's own build; cargo leaves out what is not needed.
cp Cargo.lock "$package/Cargo.lock"

PATH=$PATH:$tools/bin
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz: installing cargo-fuzz $version into target/tools"
    if ! cargo install --quiet --locked --root "$tools" "cargo-fuzz@$version" 2>"$log"; then
        why=$(grep -m 1 error "$log" || tail -n 1 "$log")
        not_run "cargo-fuzz $version cannot be installed: $why"
    fi
fi

# The sanitizer and coverage flags are unstable; this lets the stable compiler take them.
export RUSTC_BOOTSTRAP=1
if [ $# = ${#all[@]} ]; then
    # All at once, so that every core has something to do.
    cargo fuzz build --fuzz-dir "$package"
fi

# Runs the target $1 on the folders that follow, with libFuzzer's option $2. Writes how many inputs
# it had.
run() {
    local target=$1 limit=$2 log=$package/$1.log
    shift 2
    if ! cargo fuzz run --fuzz-dir "$package" "$target" "$@" -- \
        "$limit" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        fail "$target failed; its input is in target/fuzz/artifacts/$target"
    fi
    sed -n 's/^stat::number_of_executed_units: *//p' "$log"
}

fuzz() {
    local target=$1 source=${sources[$1]} folder from inputs more
    local folders=("$package/corpus/$target")
    mkdir -p "${folders[0]}"
    folder=${source%/*}/seeds/$(basename "$source" .rs)
    [ ! -d "$folder" ] || folders+=("$root/$folder")
    while read -r folder; do
        [ -d "$folder" ] || fail "$source names seeds in $folder, which is no folder"
        folders+=("$root/$folder")
    done < <(sed -n 's|^//! seeds: *||p' "$source")
    from=$SECONDS
    inputs=$(run "$target" "-max_total_time=$seconds" "${folders[@]}")
    if [ "$inputs" -lt "$least" ]; then
        more=$(run "$target" "-runs=$((least - inputs))" "${folders[@]}")
        inputs=$((inputs + more))
    fi
    echo "fuzz: $target: $inputs inputs in $((SECONDS - from)) s, no crash"
}

jobs=${FUZZ_JOBS:-1}
least=${FUZZ_RUNS:-0}
trap 'rm -f "$log"; kill $(jobs -p) 2>/dev/null || true' EXIT
running=0
for target in "$@"; do
    if [ "$running" -ge "$jobs" ]; then
        wait -n
        running=$((running - 1))
    fi
    fuzz "$target" | tee -a "$log" &
    running=$((running + 1))
done
for ((; running > 0; running--)); do wait -n; done
awk '{ total += $3; if (NR == 1 || $3 < least) least = $3 }
    END { printf "fuzz: %d targets, %d inputs, %d at least, no crash\n", NR, total, least }' "$log"

#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: runs fuzz targets (default: all) for SECONDS each, FUZZ_JOBS (1) at a
# time. With FUZZ_RUNS each target runs until it has had that many inputs. With FUZZ_TOTAL the
# faster half of the targets then continues, each for about the same time, until all targets
# together have had that many inputs.
#
# Targets are built without a sanitizer, except those that request AddressSanitizer because they
# reach unsafe code. In both cases, using more than MEMORY MiB is a crash.
#
# Targets are the files fuzz/*.rs of every package, as fuzz/README.md says; PACKAGE/fuzz/NAME.rs is
# the target PACKAGE-NAME. This script writes the package that cargo-fuzz builds to target/fuzz.
#
# An installed cargo-fuzz is used, else it is installed into target/tools. If that fails, for
# example without a network, nothing is fuzzed and the last line is NOT RUN with the reason; with
# FUZZ_REQUIRED=1 that is an error. A crash ends the script and leaves its input in
# target/fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

seconds=${1:?usage: fuzz.sh SECONDS [TARGET…]}
shift
version=0.13.2
tools=$root/target/tools
package=$root/target/fuzz
readonly MEMORY=4096
# Seconds after which an input counts as a hang, unless the target names another number.
readonly HANG=20
host=$(rustc -vV | sed -n 's/^host: //p')
log=$(mktemp)
files=
trap 'rm -rf "$log" "$files"; kill $(jobs -p) 2>/dev/null || true' EXIT

fail() {
    echo "fuzz: $*" >&2
    exit 1
}

not_run() {
    echo "fuzz: NOT RUN: $*"
    [ "${FUZZ_REQUIRED:-0}" = 1 ] && exit 1
    exit 0
}

# Target name -> source file.
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
    [ -n "${sources[$target]:-}" ] || fail "unknown target $target; there are ${all[*]}"
done

# Writes standard input to the file $1. An unchanged file keeps its date, since cargo would
# otherwise build it again.
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

# The packages that a target mentions, as `name::`.
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

# A separate workspace, since libFuzzer's flags apply to all of it.
[workspace]

[lints.rust]
unexpected_cfgs = { level = "warn", check-cfg = ["cfg(fuzzing)"] }

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
# Third-party crates that are compiled as for a release, without coverage. Cryptography has no
# branch that depends on the values of its input, so its coverage would tell libFuzzer nothing, and
# makes base OTs slow. The CSV parser computes the same table for each input.
readonly PLAIN="aes blake3 chacha20 chacha20poly1305 csv_core curve25519_dalek poly1305 polyval sha2"
before=$(cat "$package/rustc" 2>/dev/null || true)
write "$package/rustc" <<END
#!/usr/bin/env bash
# Written by scripts/fuzz.sh. cargo calls it with the path of rustc and the arguments.
arguments=()
for argument in "\$@"; do
    case " $PLAIN :\$argument" in
        *" \$CARGO_CRATE_NAME "*:-C*sancov* | *" \$CARGO_CRATE_NAME "*:-C*sanitizer-coverage*) ;;
        *" \$CARGO_CRATE_NAME "*:-Cdebug-assertions*) ;;
        *) arguments+=("\$argument") ;;
    esac
done
exec "\${arguments[@]}"
END
# Cargo does not see that this changed.
[ "$before" = "$(cat "$package/rustc")" ] || rm -rf "$package/target"
chmod +x "$package/rustc"
# The versions of the workspace's own build; cargo drops unneeded ones.
cp Cargo.lock "$package/Cargo.lock"

PATH=$PATH:$tools/bin
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz: installing cargo-fuzz $version into target/tools"
    if ! cargo install --quiet --locked --root "$tools" "cargo-fuzz@$version" 2>"$log"; then
        why=$(grep -m 1 error "$log" || tail -n 1 "$log")
        not_run "cargo-fuzz $version cannot be installed: $why"
    fi
fi

# The sanitizer and coverage flags are unstable; this makes the stable compiler accept them.
export RUSTC_BOOTSTRAP=1 RUSTC_WRAPPER=$package/rustc
# The values of lines that begin with $2 in the module comment of target $1.
setting() { sed -n "s|^//! $2: *||p" "${sources[$1]}"; }

sanitizer() {
    local name
    name=$(setting "$1" sanitizer)
    case ${name:=none} in
        none | address) echo "$name" ;;
        *) fail "${sources[$1]} names the unknown sanitizer $name; use address or none" ;;
    esac
}

# Builds the target $2, or all, with the sanitizer $1. Each sanitizer has its own folder, so that a
# build for one does not invalidate those for the other.
build() {
    local name=$1
    shift
    cargo fuzz build --fuzz-dir "$package" --target-dir "$package/target/$name" --target "$host" \
        --sanitizer "$name" "$@"
}

whole=none
[ $# = ${#all[@]} ] || whole=
# Builds all targets at once, to use every core.
[ -z "$whole" ] || build "$whole"
for target in "$@"; do
    name=$(sanitizer "$target")
    [ "$name" = "$whole" ] || build "$name" "$target"
done

# Targets write millions of temporary files, and one kind is synced to disk.
# The folder is removed at the end, because targets leave some files behind.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    files=$(mktemp -d -p /dev/shm fuzz.XXXXXX)
    export TMPDIR=$files
fi

# Prints on standard error every half a minute what the target $1 has done according to its log $2,
# until standard input ends.
progress() {
    local from=$SECONDS status inputs
    while true; do
        read -r -t 30 && status=0 || status=$?
        # Above 128, the time is over.
        [ "$status" -gt 128 ] || return 0
        inputs=$(sed -n 's|^#\([0-9]*\).* exec/s: \([0-9]*\).*|\1 inputs or more, \2 a second|p' \
            "$2" | tail -n 1)
        echo "fuzz: $1: ${inputs:-no inputs yet} after $((SECONDS - from)) s" >&2
    done
}

# Runs the target $1 on the following folders, with libFuzzer's option $2. Prints the number of
# inputs.
run() {
    local target=$1 limit=$2 log=$package/$1.log artifacts=$package/artifacts/$1 name longest hang
    shift 2
    name=$(sanitizer "$target")
    longest=$(setting "$target" longest)
    hang=$(setting "$target" hang)
    mkdir -p "$artifacts"
    echo "fuzz: $target: runs with $limit; see ${log#"$root"/}" >&2
    if ! (
        # AddressSanitizer limits single allocations, and needs address space for itself.
        [ "$name" = address ] || ulimit -v $((MEMORY << 10))
        export ASAN_OPTIONS=detect_odr_violation=0
        exec "$package/target/$name/$host/release/$target" -artifact_prefix="$artifacts/" \
            ${longest:+"-max_len=$longest"} "$limit" -timeout="${hang:-$HANG}" \
            -rss_limit_mb="$MEMORY" -print_final_stats=1 "$@"
    ) 9> >(progress "$target" "$log") >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        fail "$target failed; its input is in target/fuzz/artifacts/$target"
    fi
    sed -n 's/^stat::number_of_executed_units: *//p' "$log"
}

# Sets `folders` to the target's corpus and seeds.
folders_of() {
    local target=$1 source=${sources[$1]} folder
    folders=("$package/corpus/$target")
    mkdir -p "${folders[0]}"
    folder=${source%/*}/seeds/$(basename "$source" .rs)
    [ ! -d "$folder" ] || folders+=("$root/$folder")
    while read -r folder; do
        [ -d "$folder" ] || fail "$source names seeds in $folder, which is not a folder"
        folders+=("$root/$folder")
    done < <(setting "$target" seeds)
}

# Runs the target $1 for `seconds`, and until it has had `least` inputs.
fuzz() {
    local target=$1 folders from inputs more
    folders_of "$target"
    from=$SECONDS
    inputs=$(run "$target" "-max_total_time=$seconds" "${folders[@]}")
    if [ "$inputs" -lt "$least" ]; then
        more=$(run "$target" "-runs=$((least - inputs))" "${folders[@]}")
        inputs=$((inputs + more))
    fi
    echo "fuzz: $target: $inputs inputs in $((SECONDS - from)) s, no crash"
}

# Runs the target $1 on $2 more inputs.
go_on() {
    local target=$1 folders from=$SECONDS inputs
    folders_of "$target"
    inputs=$(run "$target" "-runs=$2" "${folders[@]}")
    echo "fuzz: $target: $inputs inputs more in $((SECONDS - from)) s, no crash"
}

# Runs each argument, a function with its arguments, FUZZ_JOBS at a time, and keeps their output in
# the log.
each() {
    local running=0 line words
    for line in "$@"; do
        read -r -a words <<<"$line"
        if [ "$running" -ge "$jobs" ]; then
            wait -n
            running=$((running - 1))
        fi
        "${words[@]}" | tee -a "$log" &
        running=$((running + 1))
    done
    for ((; running > 0; running--)); do wait -n; done
}

# Prints arguments for `each`, one per line: the inputs missing to `total`, split over the faster
# half of the targets by their rates.
missing() {
    sed -nE 's/^fuzz: (.*): ([0-9]+) inputs in ([0-9]+) s.*/\1 \2 \3/p' "$log" |
        awk '{ print $1, $2, $2 / ($3 > 0 ? $3 : 1) }' | sort -k 3,3nr |
        awk -v missing="$total" '
            { name[NR] = $1; missing -= $2; rate[NR] = $3 }
            END {
                if (missing <= 0) exit
                half = int((NR + 1) / 2)
                for (at = 1; at <= half; at++) all += rate[at]
                if (all == 0) exit
                for (at = 1; at <= half; at++)
                    printf "go_on %s %d\n", name[at], missing * rate[at] / all + 1
            }'
}

jobs=${FUZZ_JOBS:-1}
least=${FUZZ_RUNS:-0}
total=${FUZZ_TOTAL:-0}
each "${@/#/fuzz }"
mapfile -t more < <(missing)
each "${more[@]}"
awk '{ inputs[$2] += $3 }
    END {
        for (target in inputs) {
            total += inputs[target]
            if (targets++ == 0 || inputs[target] < least) least = inputs[target]
        }
        printf "fuzz: %d targets, %d inputs, %d at least, no crash\n", targets, total, least
    }' "$log"

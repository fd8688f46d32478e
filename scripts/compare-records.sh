#!/usr/bin/env bash
# Says whether a change moved a row that is recorded: runs `halfgate reproduce` for every machine, and
# `halfgate vectors`, with an old and a new command, and compares all rows. Whether the records
# themselves still come out is scripts/check-results.sh's to say, which needs one command and minutes.
#
#   scripts/compare-records.sh [OPTION…] [BASE]
#
#   BASE             commit to compare with [default: where this branch left its upstream]
#   --old PATH       an old command that is built already, in place of BASE
#   --new PATH       a new command that is built already [default: build this folder]
#   --only NAME      only this machine; may be repeated. `--only vectors`: only vectors
#   --netlists PATH  folder with the papers' netlists, in it or in folders in it
#                    [default: ../shared/circuits, if it is there]
#   --quick          small sizes, for machines that have them: seconds, but not the recorded rows
#
# Every field of a row must be equal, to the last digit; wall-clock figures are not compared. These
# are measured in a unit of time or a rate, or differ when the old command runs again; parts with
# differences are run again for this. Of their rows, the name, unit, published figure, target and
# words are compared.
#
# Each difference is printed with machine, part, row and field, and both values. The exit code is 0
# if there is none, 1 if there is any, and 2 if something could not be compared. All outputs stay in
# target/compare. This takes two builds, and two or three times as long as `make reproduce`.
#
# Records in bench/results are made again by:
#
#   NAME.json of a machine    make reproduce   (halfgate reproduce NAME --out FILE)
#   cpu.json, circuits.json   make bench       (halfgate bench GROUP… --out FILE)
#   NAME-rtl.json             make bench       (halfgate bench rtl --out FILE)
#   NAME-synth.json           make synth       (halfgate synth --out FILE)
#   NAME…-place.json          make place
#   house.json                scripts/house.sh
#   use.json                  scripts/use.sh
#
# This script runs only what `make reproduce` runs. To compare another record with the one in Git:
#
#   git show HEAD:FILE >OLD && cargo run -p halfgate-record --example compare -- OLD FILE
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."

here=$PWD
work=$here/target/compare
cargo=${CARGO:-cargo}
built=${CARGO_TARGET_DIR:-$here/target}/release

progress() { printf 'compare: %4d s: %s\n' "$SECONDS" "$*" >&2; }
fail() {
    printf 'compare: %s\n' "$*" >&2
    exit 2
}
help() { sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; }

base= quick= netlists=
only=()
declare -A command=([old]='' [new]='') root
while [ $# -gt 0 ]; do
    case $1 in
        --old | --new | --only | --netlists) [ $# -gt 1 ] || fail "$1 needs a value; see --help" ;;&
        --old | --new)
            [ -x "$2" ] || fail "$1 $2: no such command"
            command[${1#--}]=$(realpath "$2")
            shift
            ;;
        --only)
            only+=("$2")
            shift
            ;;
        --netlists)
            [ -d "$2" ] || fail "--netlists $2: no such folder"
            netlists=$2
            shift
            ;;
        --quick) quick=--quick ;;
        -h | --help)
            help
            exit
            ;;
        -*) fail "unknown option $1; see --help" ;;
        *)
            [ -z "$base" ] || fail "one commit only: $base or $1"
            base=$1
            ;;
    esac
    shift
done
[ -z "$base" ] || [ -z "${command[old]}" ] || fail "either a commit or --old"

# checkout COMMAND: the checkout that a command was built in. It reads sources there.
checkout() { git -C "$(dirname "$1")" rev-parse --show-toplevel 2>/dev/null || echo "$here"; }

mkdir -p "$work"
root[new]=$here
if [ -n "${command[old]}" ]; then
    root[old]=$(checkout "${command[old]}")
    progress "old: ${command[old]}, which runs in ${root[old]}"
else
    [ -n "$base" ] || base=$(git merge-base HEAD '@{upstream}' 2>/dev/null) ||
        base=$(git merge-base HEAD origin/HEAD 2>/dev/null) ||
        fail "this branch has no upstream: name a commit"
    base=$(git rev-parse --verify --quiet "$base^{commit}") || fail "no such commit"
    root[old]=$work/tree
    command[old]=$work/tree/target/release/halfgate
    progress "old: $(git log -1 --format='%h %s' "$base"), in ${root[old]}"
    [ "$base" != "$(git rev-parse HEAD)" ] || progress "HEAD: compares what is not committed"
    if [ -e "$work/tree/.git" ]; then
        git -C "$work/tree" checkout --quiet --force --detach "$base"
    else
        git worktree prune
        git worktree add --quiet --force --detach "$work/tree" "$base"
    fi
    (cd "$work/tree" && CARGO_TARGET_DIR=$work/tree/target \
        nice -n 10 "$cargo" build --release --locked --bin halfgate)
fi
if [ -n "${command[new]}" ]; then
    root[new]=$(checkout "${command[new]}")
    progress "new: ${command[new]}, which runs in ${root[new]}"
else
    progress "new: this folder"
    command[new]=$built/halfgate
    nice -n 10 "$cargo" build --release --locked --bin halfgate
fi
progress "what compares rows"
nice -n 10 "$cargo" build --release --locked --package halfgate-record --example compare
compare=$built/examples/compare

# Each machine looks for files by name, so one folder with links to all of them serves all machines.
[ -n "$netlists" ] || [ ! -d ../shared/circuits ] || netlists=../shared/circuits
if [ -n "$netlists" ]; then
    progress "netlists from $netlists"
    rm -rf "$work/netlists"
    mkdir "$work/netlists"
    find -L "$(realpath "$netlists")" -maxdepth 2 -type f -exec ln -sf -t "$work/netlists" {} +
    netlists=$work/netlists
else
    progress "no netlists: rows that need them have no figures"
fi

# names SIDE: its machines, as the command or else the checkout has them.
names() {
    local found
    found=$("${command[$1]}" machines --json | grep -o '"machine":"[^"]*"') || true
    found=$(cut -d '"' -f 4 <<<"$found")
    [ -n "$found" ] || found=$(cd "${root[$1]}" && printf '%s\n' machines/*/rtl | cut -d / -f 2)
    printf '%s\n' "$found"
}
machines=$({ names new; names old; } | awk 'NF && !seen[$0]++')
for name in "${only[@]}"; do
    [ "$name" = vectors ] || grep -qx -e "$name" <<<"$machines" ||
        fail "--only $name: there is vectors," $machines
done
wanted() { [ ${#only[@]} = 0 ] || printf '%s\n' "${only[@]}" | grep -qx -e "$1"; }

# reproduce SIDE NAME FILE [OPTION…]: its exit code. Options that a machine refuses are left out.
reproduce() {
    local side=$1 name=$2 file=$3 code start=$SECONDS with_quick=$quick with_netlists=$netlists
    shift 3
    while :; do
        local options=("$@" $with_quick)
        [ -z "$with_netlists" ] || options+=(--netlists "$with_netlists")
        progress "$side: reproduce $name ${options[*]}"
        code=0
        (cd "${root[$side]}" && PATH=$here/target/synth-tools/bin:$PATH \
            nice -n 10 "${command[$side]}" reproduce "$name" --json "${options[@]}") \
            2>&1 >"$file.part" | tee "$file.log" >&2 || code=${PIPESTATUS[0]}
        if [ "$code" = 2 ] && [ -n "$with_netlists" ] && grep -q -e --netlists "$file.log"; then
            with_netlists=
        elif [ "$code" = 2 ] && [ -n "$with_quick" ] && grep -q -e --quick "$file.log"; then
            with_quick=
        else
            break
        fi
    done
    [ "$code" != 0 ] || mv "$file.part" "$file"
    progress "$side: $name took $((SECONDS - start)) s"
    return "$code"
}

differences=0 failures=0
summary=()

# show NAME FILE: the differences in a file of them.
show() {
    awk -F '\t' -v name="$1" '{
        printf "%s, %s%s: %s\n", name, $1, $2 == "" ? "" : ", " $2, $3
        printf "    old: %s\n    new: %s\n", $4, $5
    }' "$2"
}

# rows DIFFERENCES SUMMARY OLD NEW [AGAIN]: compares outputs.
rows() {
    "$compare" "${@:3}" >"$1" 2>"$2" || [ $? = 1 ] || fail "$(cat "$2")"
}

compare_machine() {
    local name=$1 old=$work/old/$1.json new=$work/new/$1.json again=$work/again/$1.json
    local found=$work/$1.differences said=$work/$1.summary side parts
    local -A code
    rm -f "$old" "$new" "$again"
    for side in old new; do
        code[$side]=0
        reproduce "$side" "$name" "$work/$side/$name.json" || code[$side]=$?
    done
    # 5 is the exit code for a machine that is unknown or has no paper.
    case ${code[old]},${code[new]} in
        0,0) ;;
        5,5)
            summary+=("$name: nothing to reproduce")
            return
            ;;
        5,0)
            summary+=("$name: not compared, only the new command reproduces it")
            return
            ;;
        *)
            summary+=("$name: NOT COMPARED, exit codes ${code[old]} (old) and ${code[new]} (new)")
            failures=$((failures + 1))
            return
            ;;
    esac
    rows "$found" "$said" "$old" "$new"
    # A number follows a part's name if the part occurs twice.
    mapfile -t parts < <(
        awk -F '\t' '$3 ~ /^(measured|met|note|notes)$/ { sub(/ \[.*/, "", $1); print $1 }' "$found" |
            sort -u
    )
    if [ ${#parts[@]} -gt 0 ]; then
        progress "$name: runs again to tell wall-clock figures: ${parts[*]}"
        if reproduce old "$name" "$again" "${parts[@]/#/--only=}"; then
            rows "$found" "$said" "$old" "$new" "$again"
        else
            failures=$((failures + 1))
        fi
    fi
    summary+=("$name: $(cat "$said")")
    [ -s "$found" ] || return 0
    differences=$((differences + $(wc -l <"$found")))
    show "$name" "$found"
}

# Both commands check the new files, which must be the old ones.
compare_vectors() {
    local side found=$work/vectors.differences
    local -A code
    progress "vectors"
    for side in old new; do
        code[$side]=0
        (cd "${root[new]}" && "${command[$side]}" vectors spec/vectors/*.json) \
            >"$work/$side/vectors.txt" 2>&1 || code[$side]=$?
    done
    {
        diff "$work/old/vectors.txt" "$work/new/vectors.txt" || true
        diff --brief "${root[old]}/spec/vectors" "${root[new]}/spec/vectors" || true
        [ "${code[new]}" = 0 ] || echo "new: exit code ${code[new]}"
    } >"$found" 2>&1
    local files count
    files=$(grep -c '^spec/' "$work/new/vectors.txt") || true
    count=$(wc -l <"$found")
    summary+=("vectors: $files files; $count differences")
    differences=$((differences + count))
    sed 's/^/vectors: /' "$found"
}

mkdir -p "$work"/{old,new,again}
if wanted vectors; then compare_vectors; fi
for name in $machines; do
    if wanted "$name"; then compare_machine "$name"; fi
done

progress "done"
printf '%s\n' "${summary[@]}"
[ "$failures" = 0 ] || exit 2
[ "$differences" = 0 ] || exit 1
echo "no recorded row moved"

#!/usr/bin/env bash
# Runs Rust tests under cargo-nextest if installed (scripts/setup.sh installs it), else under `cargo
# test`.
#
#   scripts/tests.sh           tests required for a merge: documentation examples, then all others
#   scripts/tests.sh quick     tests that the changed files affect, without those that simulate RTL
#   scripts/tests.sh PROFILE   tests of another profile of .config/nextest.toml, also the long ones
#
# For `quick`, the changed files are those that differ from the commit SINCE (HEAD) or are not
# tracked; if there are none, those of the last commit. It tests their packages and all packages
# that depend on these.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
PATH=$PATH:$PWD/target/tools/bin

has_verilator() { command -v "${VERILATOR:-verilator}" >/dev/null 2>&1; }
has_nextest() { $cargo nextest --version >/dev/null 2>&1; }
not_run() { echo "$1: NOT RUN: $2 is not installed"; }

# Prints the packages of the changed files, one per line, or `--workspace` if tests read a changed
# file outside all packages.
changed() {
    local files file folder
    files=$(git diff --name-only "${SINCE:-HEAD}" && git ls-files --others --exclude-standard)
    [ -n "$files" ] || files=$(git diff --name-only HEAD~1)
    while read -r file; do
        folder=$(dirname "$file")
        while [ "$folder" != . ] && ! grep -qs '^\[package\]' "$folder/Cargo.toml"; do
            folder=$(dirname "$folder")
        done
        case $folder/$file in
            ./*.md | ./docs/* | ./rtl/* | ./scripts/* | ./Makefile | ./.* | fuzz/*.md | examples/*) ;;
            ./*) echo --workspace ;;
            *) sed -n '0,/^name = "\(.*\)"/s//\1/p' "$folder/Cargo.toml" ;;
        esac
    done <<<"$files" | sort -u
}

# Prints the package $1 and all packages that depend on it, or whose tests do.
dependents() {
    local package
    users() {
        $cargo tree --offline --locked --workspace --prefix none --format '{p}' --invert "$@" |
            cut -d ' ' -f 1
    }
    local all
    all=$(users "$1" --edges normal,build)
    for package in $(sort -u <<<"$all"); do
        users "$package" --edges normal,build,dev --depth 1
    done | sort -u
}

quick() {
    local package packages filter='all()'
    packages=$(changed)
    if [ -z "$packages" ]; then
        echo "quick: no changed file affects a test"
        return
    fi
    if ! grep -qx -e --workspace <<<"$packages"; then
        packages=$(for package in $packages; do dependents "$package"; done | sort -u)
        [ -n "$packages" ] || { echo "quick: no package contains or uses the changed files" >&2; exit 1; }
        filter=$(sed 's/.*/package(=&)/' <<<"$packages" | paste -sd '|')
    fi
    echo "quick: tests of" $packages
    # Cargo always gets the same list of packages, and then builds only the changed ones. With a
    # shorter list it would build packages again with other features. A test that would build RTL
    # says that it was not run.
    VERILATOR=/nonexistent $cargo nextest run --profile quick --locked --no-tests pass \
        --workspace -E "$filter"
}

profile=${1:-ci}
if ! has_nextest; then
    if [ "$profile" != ci ]; then
        not_run "$profile" cargo-nextest
        exit 77
    else
        $cargo test --workspace --locked
        has_verilator || not_run rtl verilator
    fi
    exit
fi

case $profile in
    quick) quick ;;
    ci)
        # Nextest does not run documentation examples. They run first, so that its summary is last.
        $cargo test --doc --workspace --locked --quiet
        if ! has_verilator; then
            not_run rtl verilator
            profile=quick
        fi
        # Two tests a core, since some wait: for a peer, for a time limit, for a design that others
        # build. This takes 733 instead of 800 s on two cores.
        $cargo nextest run --profile $profile --workspace --locked \
            --test-threads $((2 * $(getconf _NPROCESSORS_ONLN)))
        ;;
    *)
        has_verilator || not_run rtl verilator
        $cargo nextest run --profile "$profile" --workspace --locked --run-ignored all
        ;;
esac

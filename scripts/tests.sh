#!/usr/bin/env bash
# Rust tests, under cargo-nextest where it is (scripts/setup.sh installs it), else under `cargo
# test`.
#
#   scripts/tests.sh           what must pass before a change goes in: examples in the documentation,
#                              then all other tests
#   scripts/tests.sh quick     what the changed files can break, without the tests that simulate RTL
#   scripts/tests.sh PROFILE   tests of another profile of .config/nextest.toml, the long ones too
#
# `quick` looks at the files that differ from the commit SINCE (HEAD) or are not tracked; if there
# are none, at those of the last commit. It tests the packages that they are in and those that
# depend on these.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
PATH=$PATH:$PWD/target/tools/bin

has_verilator() { command -v "${VERILATOR:-verilator}" >/dev/null 2>&1; }
has_nextest() { $cargo nextest --version >/dev/null 2>&1; }
not_run() { echo "$1: NOT RUN: $2 is not installed"; }

# The packages of the changed files, one a line, or `--workspace` if a file outside all packages
# was changed that tests read.
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

# The package $1, all that depend on it, and those whose tests do.
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
        echo "quick: nothing was changed that a test reads"
        return
    fi
    if ! grep -qx -e --workspace <<<"$packages"; then
        packages=$(for package in $packages; do dependents "$package"; done | sort -u)
        [ -n "$packages" ] || { echo "quick: no package depends on what was changed" >&2; exit 1; }
        filter=$(sed 's/.*/package(=&)/' <<<"$packages" | paste -sd '|')
    fi
    echo "quick: tests of" $packages
    # Cargo is asked for the same packages each time: it builds no others than the changed ones, but
    # those with other features if it is asked for fewer. A test that would build RTL says that it
    # was not run.
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
        # Nextest runs no examples of the documentation. They come first, so that its summary is
        # last.
        $cargo test --doc --workspace --locked --quiet
        if ! has_verilator; then
            not_run rtl verilator
            profile=quick
        fi
        $cargo nextest run --profile $profile --workspace --locked
        ;;
    *)
        has_verilator || not_run rtl verilator
        $cargo nextest run --profile "$profile" --workspace --locked --run-ignored all
        ;;
esac

#!/usr/bin/env bash
# Builds and tests a copy of each crate in examples/ outside the workspace, as a developer who
# copies it would. Nothing is downloaded: the copies use the versions in this workspace's
# Cargo.lock.
#
#   scripts/examples.sh           runs tests; a crate with a file output.txt must also print it
#   scripts/examples.sh --format  only checks formatting
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
root=$PWD

if [ "${1:-}" = --format ]; then
    for manifest in examples/*/Cargo.toml examples/*/*/Cargo.toml; do
        "$cargo" fmt --manifest-path "$manifest" --check
    done
    exit
fi

# The copies are one workspace with this workspace's profile and target folder, so that third-party
# crates built with the same features are reused.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
folder=$CARGO_TARGET_DIR/examples
rm -rf "$folder"
mkdir -p "$folder"
cp Cargo.lock "$folder/Cargo.lock"
{
    printf '[workspace]\nresolver = "3"\nmembers = ["*"]\n\n'
    sed -n '/^\[profile.dev\]/,$p' Cargo.toml
} >"$folder/Cargo.toml"
for manifest in examples/*/Cargo.toml; do
    cp -rp "$(dirname "$manifest")" "$folder"
done
# Removes a crate's own workspace and profile.
find "$folder" -mindepth 2 -name Cargo.toml -exec sed -i \
    -e '/^\[workspace\]/d' -e '/^\[profile/,/^$/d' \
    -e "s#path = \"\(\.\./\)*\(crates\|programs\)\b#path = \"$root/\2#" {} +

cd "$folder"
# Cargo warns of crates in the profile that no example uses, and leaves them out of the lock file.
"$cargo" metadata --offline --format-version 1 >/dev/null 2>metadata.log || {
    cat metadata.log >&2
    exit 1
}
while read -r crate; do
    grep -qx "name = \"$crate\"" Cargo.lock || sed -i "/^$crate = { opt-level/d" Cargo.toml
done < <(sed -n 's/ = { opt-level.*//p' Cargo.toml)
"$cargo" test --offline --quiet --workspace
for expected in */output.txt; do
    crate=${expected%/output.txt}
    "$cargo" run --offline --quiet --manifest-path "$crate/Cargo.toml" | diff "$expected" - || {
        echo "examples: examples/$crate does not print its output.txt" >&2
        exit 1
    }
done
echo "examples: each crate in examples/ builds and passes its tests outside the workspace"

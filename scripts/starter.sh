#!/usr/bin/env bash
# Builds, tests and runs a copy of examples/starter outside the workspace: what a developer does who
# copies it. Nothing is fetched: it uses the versions of this workspace's Cargo.lock.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r examples/starter/. "$folder"
cp Cargo.lock "$folder/Cargo.lock"
sed -i "s|path = \"../../crates/halfgate\"|path = \"$root/crates/halfgate\"|" "$folder/Cargo.toml"

# What the workspace's tests have built is used again: the copy has the workspace's profile, and
# the workspace's crates, which are dependencies here, are built as its members are.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
sed -i '/^\[profile/,/^$/d' "$folder/Cargo.toml"
sed -n '/^\[profile.dev\]/,$p' Cargo.toml >>"$folder/Cargo.toml"
same=()
for crate in halfgate halfgate-{circuit,compiler,engine,frontends,kernels,protocol,reference,secret}; do
    same+=(--config "profile.dev.package.$crate.opt-level=1")
    same+=(--config "profile.dev.package.$crate.debug='line-tables-only'")
done
cd "$folder"
"$cargo" test --offline --quiet "${same[@]}"
said=$("$cargo" run --offline --quiet "${same[@]}")
[ "$said" = "cheaper at yours: [false, true, false, true], by 99 at most" ] || {
    echo "starter: examples/starter printed: $said" >&2
    exit 1
}
echo "starter: a crate that depends on halfgate alone builds, passes its test and runs"

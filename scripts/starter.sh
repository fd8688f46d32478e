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

# What the workspace's tests have built is used again: its own crates stand in the same place, and
# are told to keep the workspace's level of optimisation.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
same=()
for crate in halfgate halfgate-{circuit,compiler,engine,frontends,kernels,protocol,reference,secret}; do
    same+=(--config "profile.dev.package.$crate.opt-level=1")
done
cd "$folder"
"$cargo" test --offline --quiet "${same[@]}"
said=$("$cargo" run --offline --quiet "${same[@]}")
[ "$said" = "cheaper at yours: [false, true, false, true], by 99 at most" ] || {
    echo "starter: examples/starter printed: $said" >&2
    exit 1
}
echo "starter: a crate that depends on halfgate alone builds, passes its test and runs"

#!/usr/bin/env bash
# Checks that the library's crates can be published: packages each for upload, and builds it from
# its package alone.
#
#   scripts/package.sh [ARGUMENT…]   arguments go to cargo package, such as --no-verify
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
# `halfgate` and its parts.
packages=(halfgate halfgate-cache halfgate-circuit halfgate-compiler halfgate-engine
    halfgate-frontends halfgate-kernels halfgate-model halfgate-protocol halfgate-reference
    halfgate-secret)
dirty=()
[ -z "$(git status --porcelain)" ] || dirty=(--allow-dirty)
$cargo package --quiet --locked "${dirty[@]}" "${packages[@]/#/--package=}" "$@"
echo "package: ${packages[*]}: can be published"

#!/usr/bin/env bash
# Checks licences, sources and versions of all dependencies against deny.toml, without a network.
# Known vulnerabilities are a separate check (`cargo deny check advisories`).
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
PATH=$PATH:$PWD/target/tools/bin
if ! $cargo deny --version >/dev/null 2>&1; then
    echo "deny: NOT CHECKED: licences and sources of dependencies, as cargo-deny is not installed"
    exit 0
fi
$cargo deny --offline --locked check licenses bans sources

#!/usr/bin/env bash
# Checks licences, sources and versions of all dependencies against deny.toml, those of the Python
# package included, which has its own Cargo.lock. Uses the network only to fetch missing crates.
# Known vulnerabilities are a separate check (`cargo deny check advisories`).
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
PATH=$PATH:$PWD/target/tools/bin
if ! $cargo deny --version >/dev/null 2>&1; then
    echo "deny: NOT CHECKED: licences and sources of dependencies, as cargo-deny is not installed"
    exit 0
fi
for manifest in Cargo.toml python/Cargo.toml; do
    fetch=($cargo fetch --locked --quiet --manifest-path "$manifest")
    if ! "${fetch[@]}" --offline 2>/dev/null && ! said=$("${fetch[@]}" 2>&1); then
        echo "$said" >&2
        if [[ $said == *"lock file"* ]]; then
            echo "deny: ${manifest%.toml}.lock is not current: $cargo update --workspace" \
                "--manifest-path $manifest" >&2
            exit 1
        fi
        echo "deny: NOT CHECKED: dependencies of $manifest, as they cannot be fetched"
        continue
    fi
    # A licence that only one of the two has is no fault.
    $cargo deny --offline --locked --manifest-path "$manifest" --config "$PWD/deny.toml" \
        check --allow license-not-encountered licenses bans sources
done

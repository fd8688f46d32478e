#!/usr/bin/env bash
# Checks what packages may depend on, and where there may be unsafe code and network I/O. The rules
# are in crates/house/rules.toml.
set -euo pipefail
cd "$(dirname "$0")/.."

exec "${CARGO:-cargo}" run --quiet --locked --package halfgate-house -- \
    check --only dependencies,sources,labels_in_models

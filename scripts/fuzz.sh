#!/usr/bin/env bash
# fuzz.sh [--if-installed] SECONDS: runs every fuzz target for so long, one after the other.
#
# cargo-fuzz is installed if it is missing; with --if-installed, nothing is run instead, and a line
# says so. A crash ends the script and leaves its input in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."

if_installed=false
if [ "${1-}" = --if-installed ]; then
    if_installed=true
    shift
fi
seconds=${1:?usage: fuzz.sh [--if-installed] SECONDS}

if ! cargo fuzz --version >/dev/null 2>&1; then
    if $if_installed; then
        echo "fuzz: NOT RUN, as cargo-fuzz is not installed; \`make fuzz\` installs it"
        exit 0
    fi
    cargo install --locked cargo-fuzz
fi

# The sanitizer and coverage flags are unstable; this lets the stable compiler take them.
export RUSTC_BOOTSTRAP=1
targets=$(cargo fuzz list)
for target in $targets; do
    echo "fuzz: $target for $seconds s"
    cargo fuzz run "$target" -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0
done
echo "fuzz: $(wc -w <<<"$targets") targets ran for $seconds s each without a crash"

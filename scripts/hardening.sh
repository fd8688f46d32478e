#!/usr/bin/env bash
# Measures how sessions withstand unknown peers, faults and curious parties, and records it in
# bench/results/hardening.json.
#
#   scripts/hardening.sh [PART…]   points, transfers, strangers, memory, hostile, soak, fuzz
#                                 (default: all; soak and hostile take a quarter of an hour, fuzz
#                                 hours)
#
# points      tests of the twelve weaknesses found by a review of the protocol
# transfers   rates of correlated OT, time of the base OTs
# strangers   what 1,000 idle unknown peers add to an expected peer's handshake
# memory      secrets left in a process's memory after a run
# hostile     HOSTILE (10^6) hostile messages in every state of a session
# soak        SESSIONS (10^4) sessions of a server, and FAULTS (5,000) of the library with faults
# fuzz        at least FUZZ_RUNS (10^6) inputs and FUZZ_SECONDS (60) for each fuzz target, and at
#             least FUZZ_TOTAL (10^8) inputs for all together
#
# Times need two idle cores. Nothing is recorded if a part fails.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
PATH=$PATH:$PWD/target/tools/bin
out=bench/results/hardening.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- points transfers strangers memory hostile soak fuzz

# row NAME UNIT BOUND TARGET MEASURED NOTE
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }

# Runs the tests of a point: a filter of tests, or `released` for those of constant time, which
# examine optimised code.
passes() {
    if [ "$1" = released ]; then
        $cargo test --release --quiet --locked -p halfgate-protocol --lib -- --include-ignored \
            --test-threads=1 constant_time
    else
        $cargo nextest run --locked --no-tests fail -p halfgate-protocol -p halfgate-cli \
            -p halfgate-compiler -E "$1"
    fi
}

# Tests of each point: consent, unknown peers, time, results, transfers, orders, memory, transcript,
# bounds, constant time, warnings, base transfers.
points=(
    'test(the_evaluator_of_a_private_program_has_its_interface_only)'
    'test(/^rendezvous::tests::/) or test(/^unknown_peers::/)'
    'test(/^session::tests::time::/)'
    'test(/^kept::/)'
    'test(transfers_are_secure_against_an_evaluator_that_cheats_by_default) or test(/^ot::tests::/)'
    'test(the_garbler_names_the_order) or test(what_a_peer_may_ask_for_is_bounded)'
    'test(nothing_is_left_of_a_session) or test(what_is_dropped_is_wiped) or test(a_party_leaves_no_dump)'
    'test(every_field_of_both_hellos_is_in_the_session)'
    'test(/^session::tests::key_limit::/)'
    released
    'test(options_that_give_up_security_warn)'
    'test(/^ot::base::tests::/)'
)

part_points() {
    local point passed=0
    for point in "${points[@]}"; do
        if passes "$point" >"$work/tests" 2>&1; then
            passed=$((passed + 1))
        else
            tail -n 20 "$work/tests" >&2
        fi
    done
    row "numbered points whose tests pass" points at_least 12 "$passed" \
        "the tests that scripts/hardening.sh names"
}

part_transfers() {
    local name
    $cargo run --release --quiet --locked --bin halfgate -- bench ot --out "$work/ot.json" >"$work/log"
    # value NAME: the measured value in the record.
    value() {
        awk -F '[:,]' -v name="\"$1\"" '$1 ~ /"name"/ { here = index($0, name) }
            here && $1 ~ /"measured"/ { print $2 + 0; found = 1 }
            END { exit !found }' "$work/ot.json"
    }
    for name in receiver sender; do
        row "correlated OT, malicious-secure, $name, k = 2" M/s at_least 100 \
            "$(value "correlated OT, $name, malicious, k = 2")" \
            "halfgate bench ot: processor time of one thread, messages in memory"
    done
    row "128 base OTs, both parties one after the other" ms at_most 12 "$(value '128 base OT')" \
        "halfgate bench ot: Canetti, Sarkar and Wang, trees for k = 2 included"
}

# long PACKAGE FILTER: runs long tests of a package and prints their output.
long() {
    $cargo nextest run --locked --profile long --run-ignored all --no-tests fail --no-capture \
        --package "$1" -E "$2" >"$work/tests" 2>&1 || { tail -n 40 "$work/tests" >&2; exit 1; }
    cat "$work/tests"
}

part_strangers() {
    local added
    ulimit -n 4096
    $cargo test --release --quiet --locked -p halfgate-protocol --lib unknown_peers_cost \
        -- --ignored --nocapture >"$work/tests"
    added=$(sed -n 's/^they add \(.*\) %$/\1/p' "$work/tests" | grep .)
    row "what 1,000 idle strangers add to an expected peer's handshake" % at_most 20 "$added" \
        "test unknown_peers_cost, medians of 101 handshakes"
}

part_memory() {
    local found runs
    long halfgate-protocol 'test(/^session::tests::memory::/)' >"$work/memory"
    found=$(sed -n 's/^secrets found in memory: \([0-9]*\).*/\1/p' "$work/memory" |
        awk '{ sum += $1; lines++ } END { if (!lines) exit 1; print sum, lines }')
    runs=${found#* }
    row "secrets found in memory after a run" copies at_most 0 "${found% *}" \
        "$runs searches: both roles, all ways to end, in one process, over TCP and TLS, and each type dropped"
}

part_hostile() {
    local tally
    HALFGATE_HOSTILE=${HOSTILE:-1000000} long halfgate-protocol 'test(/^hostile::.*_million_messages$/)' >"$work/hostile"
    tally=$(sed -n 's/^hostile messages: \([0-9]*\); hangs \([0-9]*\), panics \([0-9]*\), results \([0-9]*\);.*/\1 \2 \3 \4/p' \
        "$work/hostile" | awk '{ all += $1; bad += $2 + $3 + $4 } END { if (!NR) exit 1; print all, bad }')
    row "hostile messages sent, in ten states of each role" messages at_least 1000000 "${tally% *}" \
        "tests hostile of crates/protocol; HALFGATE_HOSTILE says how many"
    row "hangs, panics and results after them" cases at_most 0 "${tally#* }" "the same run"
}

part_soak() {
    local sessions=${SESSIONS:-10000} served growth
    HALFGATE_SOAK=$sessions long halfgate-cli 'test(/^serve::soak$/)' >"$work/soak"
    served=$(sed -n 's/^served \([0-9]*\) sessions.* first 100:.*/\1/p' "$work/soak" | awk '{ sum += $1 } END { print sum + 0 }')
    growth=$(sed -n 's/^served .* first 100: memory +*\(-*[0-9]*\) KiB.*/\1/p' "$work/soak" | sort -n | tail -n 1 | grep .)
    row "sessions served, half one after another and half 64 at a time" sessions at_least 10000 "$served" \
        "test serve::soak of crates/cli; HALFGATE_SOAK says how many"
    row "growth of the server's memory after the first hundred, the larger of both halves" KiB at_most 0 "$growth" \
        "resident memory of the process; descriptors and threads: none"
    HALFGATE_SOAK=${FAULTS:-5000} long halfgate-protocol 'test(/^soak::thousands/)' >"$work/faults"
    row "sessions in the library, most of them with a fault" sessions at_least 5000 \
        "$(sed -n 's/^soak: \([0-9]*\) sessions.*/\1/p' "$work/faults" | grep .)" \
        "$(sed -n 's/^soak: [0-9]* sessions, \(.*\)/\1/p' "$work/faults")"
}

part_fuzz() {
    local total
    FUZZ_REQUIRED=1 FUZZ_RUNS=${FUZZ_RUNS:-1000000} FUZZ_TOTAL=${FUZZ_TOTAL:-100000000} \
        scripts/fuzz.sh "${FUZZ_SECONDS:-60}" | tee "$work/fuzz" >&2
    total=$(tail -n 1 "$work/fuzz")
    row "inputs of all fuzz targets together, without a crash" inputs at_least 100000000 \
        "$(sed 's/.*targets, \([0-9]*\) inputs.*/\1/' <<<"$total")" "$total"
    row "inputs of the fuzz target that had fewest" inputs at_least 1000000 \
        "$(sed 's/.*inputs, \([0-9]*\) at least.*/\1/' <<<"$total")" "$total"
}

# All parts are measured before any is recorded, because a record changes the tree.
rows=
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || { echo "hardening: there is no part $part" >&2; exit 2; }
    echo "hardening: $part" >&2
    measured=$("part_$part")
    rows+=$measured$'\n'
done
printf '%s' "$rows" | $cargo run --quiet --locked -p halfgate-record --example record -- "$out"
column -t -s $'\t' <<<"$rows" 2>/dev/null || printf '%s' "$rows"

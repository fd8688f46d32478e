# Sessions between two processes over TLS on loopback, for scripts/demo.sh and
# scripts/demo-hardware.sh, which source it in the repository's root.

# PROFILE is the profile that they are built with.
profile=${PROFILE:-demo}
halfgate=${CARGO_TARGET_DIR:-target}/$profile/halfgate
check_aes=${CARGO_TARGET_DIR:-target}/$profile/halfgate-check-aes

work=$(mktemp -d)
garbler=
cleanup() {
    if [ -n "$garbler" ]; then kill "$garbler" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap cleanup EXIT

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'demo: %s\n' "$*" >&2; exit 1; }

# build: the command, and what checks AES.
build() {
    echo "demo: building the command; cargo shows how far it is (minutes the first time)"
    cargo build --locked --profile "$profile" --package halfgate-cli --package halfgate-check-aes
}

# Keys of both parties.
identities() {
    "$halfgate" keygen "$work/alice" >/dev/null
    "$halfgate" keygen "$work/bob" >/dev/null
}

# Whose engine is which.
engine=cpu
other_engine=cpu

# What the evaluator runs, if it is not what the garbler does, and options of its own.
other_program=
other_options=()

# session PROGRAM GARBLER-VALUES EVALUATOR-VALUES [OPTION…]
# The garbler's report goes to the terminal, the evaluator's to $work/result.json.
session() {
    local program=$1 own=$2 other=$3
    shift 3
    : >"$work/log"
    "$halfgate" garble "$program" --identity "$work/alice" --peer "$work/bob.pub" \
        --listen 127.0.0.1:0 --input "$own" --engine "$engine" "$@" >"$work/report" 2>"$work/log" &
    garbler=$!
    local address=
    for _ in $(seq 100); do
        address=$(sed -n 's/.*listening on //p' "$work/log")
        if [ -n "$address" ] || ! kill -0 "$garbler" 2>/dev/null; then break; fi
        sleep 0.05
    done
    [ -n "$address" ] || fail "the garbler does not listen: $(cat "$work/log")"
    "$halfgate" evaluate "${other_program:-$program}" --identity "$work/bob" --peer "$work/alice.pub" \
        --connect "$address" --input "$other" --engine "$other_engine" --json "$@" \
        "${other_options[@]}" >"$work/result.json" ||
        fail "the evaluator failed; the garbler says: $(cat "$work/log")"
    wait "$garbler" || fail "the garbler failed: $(cat "$work/log")"
    garbler=
    cat "$work/report"
}

# field NAME: a number of the evaluator's report.
field() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" "$work/result.json"; }

# expect NAME HEX: what the evaluator learned.
expect() {
    grep -Eq "\"name\":\"$1\",\"bits\":[0-9]+,\"hex\":\"0*$2\"" "$work/result.json" ||
        fail "$1 should be $2: $(cat "$work/result.json")"
    printf 'checked: %s is 0x%s for the evaluator too\n' "$1" "$2"
}

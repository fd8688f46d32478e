# For scripts that play both parties, over TLS on this machine: `session` runs them, `expect` looks
# at what the evaluator learned. Wants $halfgate; makes the folder $work, which goes at the end.

work=$(mktemp -d)
garbler=
cleanup() {
    if [ -n "$garbler" ]; then kill "$garbler" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap cleanup EXIT

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Options of one party alone, and what the evaluator runs if that is not what the garbler does.
garbler_options=()
evaluator_options=()
evaluator_program=

for name in alice bob; do "$halfgate" keygen "$work/$name" >/dev/null; done

# session CIRCUIT GARBLER-VALUES EVALUATOR-VALUES [OPTION…]
session() {
    local circuit=$1 ours=$2 theirs=$3 address=
    shift 3
    : >"$work/log"
    "$halfgate" garble "$circuit" --identity "$work/alice" --peer "$work/bob.pub" \
        --listen 127.0.0.1:0 --input "$ours" "$@" "${garbler_options[@]}" \
        >"$work/report" 2>"$work/log" &
    garbler=$!
    # It says where it listens once it has read the circuit.
    while [ -z "$address" ] && kill -0 "$garbler" 2>/dev/null; do
        address=$(sed -n 's/.*listening on //p' "$work/log")
        sleep 0.05
    done
    [ -n "$address" ] || fail "the garbler does not listen: $(cat "$work/log")"
    "$halfgate" evaluate "${evaluator_program:-$circuit}" --identity "$work/bob" \
        --peer "$work/alice.pub" --connect "$address" --input "$theirs" --json "$@" \
        "${evaluator_options[@]}" >"$work/result.json" ||
        fail "the evaluator failed; the garbler says: $(cat "$work/log")"
    wait "$garbler" || fail "the garbler failed: $(cat "$work/log")"
    garbler=
    cat "$work/report"
}

# expect NAME VALUE: what the evaluator learned, as JSON.
expect() {
    grep -Fq "\"name\":\"$1\"" "$work/result.json" || fail "there is no output $1"
    sed 's/{"name"/\n&/g' "$work/result.json" | grep -F "\"name\":\"$1\"" |
        grep -Fq "\"value\":$2}" ||
        fail "$1 should be $2: $(cat "$work/result.json")"
    printf 'checked: %s is %s\n' "$1" "$2"
}

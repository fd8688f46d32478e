# Sessions between two processes over TLS on loopback, for scripts/demo.sh and
# scripts/demo-hardware.sh, which source this file in the repository's root. Builds the command and
# the AES checker with the profile PROFILE, and sources examples/walks/two-parties.sh.

halfgate=${CARGO_TARGET_DIR:-target}/$PROFILE/halfgate
check_aes=${CARGO_TARGET_DIR:-target}/$PROFILE/halfgate-check-aes

echo "demo: building the command; cargo shows how far it is (minutes the first time)"
cargo build --locked --profile "$PROFILE" --package halfgate-cli --package halfgate-check-aes
. examples/walks/two-parties.sh

say() { printf '\n== %s\n' "$*"; }

# field NAME: a number of the evaluator's report. The phases, which come last, have the same names.
field() { sed -n "s/\"phases\".*//; s/.*\"$1\":\([0-9.]*\).*/\1/p" "$work/result.json"; }

# expect NAME HEX: checks the evaluator's output NAME, in hexadecimal.
expect() {
    grep -Eq "\"name\":\"$1\",\"bits\":[0-9]+,\"hex\":\"0*$2\"" "$work/result.json" ||
        fail "$1 should be $2: $(cat "$work/result.json")"
    printf 'checked: %s is 0x%s for the evaluator too\n' "$1" "$2"
}

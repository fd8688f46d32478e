#!/usr/bin/env bash
# Measures what new users experience, and records it in bench/results/use.json.
#
#   scripts/use.sh [PART…]   values, circuits, verilog, c, start (default: all; start takes minutes)
#
# values      wrong results without an error, for hundreds of malformed and ambiguous values
# circuits    circuits of other projects, and samples of dialects, that do not load
# verilog     seconds from a Verilog design to garbling, on a first read and from the cache
# c           the same for a program in C
# start       minutes of machine time from a clone to a first result
#
# Times need two idle cores. Nothing is recorded if a part fails.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
PATH=$PATH:$PWD/target/tools/bin
out=bench/results/use.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- values circuits verilog c start

# row NAME UNIT TARGET MEASURED NOTE: a figure whose target is at most TARGET.
row() { printf '%s\t%s\tat_most\t%s\t%s\t%s\n' "$@"; }
seconds() { date +%s.%N; }
took() { awk -v from="$1" -v to="$(seconds)" -v unit="${2:-1}" 'BEGIN { printf "%.2f", (to - from) / unit }'; }

# failures PACKAGE FILTER: the number of these tests that fail.
failures() {
    $cargo nextest run --locked --no-fail-fast --package "$1" -E "$2" >"$work/tests" 2>&1 || true
    grep -q 'Summary' "$work/tests" || { tail -n 20 "$work/tests" >&2; exit 1; }
    sed -n 's/.*Summary.* \([0-9]*\) failed.*/\1/p' "$work/tests" | grep . || echo 0
}

part_values() {
    row "kinds of wrong answers without an error, of those found and 200 generated values" kinds 0 \
        "$(failures halfgate-cli 'test(/^values::/)')" "tests of crates/cli that fail: values"
}

part_circuits() {
    row "circuits of other projects and samples of dialects: tests that find one that does not load" \
        tests 0 "$(failures halfgate-frontends 'test(/^(samples|dialects)::/)')" \
        "with the circuits beside the repository: $(find ../shared/circuits -type f ! -name '*.md' 2>/dev/null | wc -l)"
}

# reads COMMAND…: seconds of a command that reads a design, on its first and its second run.
reads() {
    local from
    export HALFGATE_RTL_DIR=$work/kept
    rm -rf "$HALFGATE_RTL_DIR"
    from=$(seconds)
    "$@" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
    first=$(took "$from")
    from=$(seconds)
    "$@" >/dev/null
    second=$(took "$from")
}

halfgate=${CARGO_TARGET_DIR:-target}/release/halfgate
how='halfgate inspect, all of it'

part_verilog() {
    local designs=crates/frontends/tests/designs
    $cargo build --release --quiet --locked -p halfgate-cli
    cat >"$work/shift.v" <<'END'
module shift #(parameter N = 4096) (
  input clk, (* party = "garbler" *) input enable, (* party = "evaluator" *) input in, output out);
  reg [N-1:0] stages;
  always @(posedge clk) if (enable) stages <= {stages[N-2:0], in};
  assign out = stages[N-1];
endmodule
END
    reads "$halfgate" inspect "$work/shift.v" --parameter N=64 --rate 1e8
    row "64-bit shift register in Verilog, first run" s 3 "$first" "$how; N=64 of a module whose own N is 4096"
    reads "$halfgate" inspect $designs/aes_core/core.v --source $designs/aes_core \
        --parties g,g,g,g,g,e --rate 1e8
    row "AES core in Verilog, first run" s 10 "$first" "$how; AES-128 and 256, both directions"
    row "AES core in Verilog, second run" s 0.3 "$second" "$how"
}

part_c() {
    $cargo build --release --quiet --locked -p halfgate-cli
    "$halfgate" mips build examples/mips/sum.c -o "$work/sum.elf" --memory 1024 >/dev/null
    reads "$halfgate" inspect "$work/sum.elf" --privacy public --steps 100 --rate 1e8
    row "C program of 1,024 words, first run" s 6 "$first" "$how, of a public program"
    row "C program of 1,024 words, second run" s 0.3 "$second" "$how, of a public program"
}

part_start() {
    local from clone=$work/clone
    git clone --quiet . "$clone"
    from=$(seconds)
    (
        cd "$clone"
        unset CARGO_TARGET_DIR
        $cargo build --release --quiet --locked -p halfgate-cli
        echo 1000000 >ours.txt
        echo 999999 >theirs.txt
        target/release/halfgate run millionaires:32 --garbler @ours.txt --evaluator @theirs.txt |
            grep -q 'a_richer = 1'
    )
    row "from a clone to a first result of one's own, crates fetched before" min 5 "$(took "$from" 60)" \
        "cargo build --release -p halfgate-cli, and a run"
}

mkdir -p target
# All parts measure before any is recorded, since a record changes the tree.
rows=
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || { echo "use: unknown part $part: use values, circuits, verilog, c or start" >&2; exit 2; }
    echo "use: $part" >&2
    measured=$("part_$part")
    rows+=$measured$'\n'
done
printf '%s' "$rows" | $cargo run --quiet --locked -p halfgate-record --example record -- "$out"
column -t -s $'\t' <<<"$rows" 2>/dev/null || printf '%s' "$rows"

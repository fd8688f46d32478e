#!/usr/bin/env bash
# Places and routes the mobile coprocessor on an iCEBreaker (iCE40 UP5K-SG48), and prints its
# resources and its clock.
#
#   machines/mobile/rtl/boards/place.sh              behind SPI
#   machines/mobile/rtl/boards/place.sh uart         behind a serial line of 3 Mbaud
#   machines/mobile/rtl/boards/place.sh spi round    one AES round and two bytes after an item per
#                                                    clock cycle; else half a round and one byte
#
# The bitstream is target/mobile/LINK.bin or LINK-round.bin; iceprog writes it to the board. OUT, if
# set, is the path of a record to write. The result of placement depends on its seed: up to SEEDS
# (20) are tried until two clocks are met, that of boards/icebreaker.v, with two percent to spare
# for the PLL's jitter, and SPI's of 30 MHz. nextpnr and icestorm are Debian's.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

link=${1:-spi}
aes=${2:-half}
have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    printf 'mobile: %s\n' "$*" >&2
    exit 1
}
case $link in
    spi) parameters='-G Link=0' ;;
    uart) parameters='-G Link=1' ;;
    *) fail "unknown link $link: use spi or uart" ;;
esac
case $aes in
    half) name=$link what="iCE40 UP5K, $link" ;;
    round) name=$link-round parameters+=' -G Round=1' what="iCE40 UP5K, $link, a round a cycle" ;;
    *) fail "unknown AES form $aes: use half or round (rounds per clock cycle)" ;;
esac
. scripts/synth-tools.sh
if ! have nextpnr-ice40 || ! have icepack; then
    [ "$(id -u)" = 0 ] && have apt-get ||
        fail "needs nextpnr-ice40 and icepack; on Debian or Ubuntu: sudo apt-get install nextpnr-ice40 fpga-icestorm"
    echo "mobile: installing nextpnr-ice40 and fpga-icestorm with apt-get"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nextpnr-ice40 fpga-icestorm >/dev/null
fi

board=machines/mobile/rtl/boards/icebreaker
# 12 MHz * (DIVF + 1) / 2^DIVQ, with the parameters of the board's file.
value() { sed -n "s/.*parameter $1 = \\([0-9]*\\).*/\\1/p" $board.v; }
clock=$(awk -v f="$(value DIVF)" -v q="$(value DIVQ)" 'BEGIN { print 12 * (f + 1) / 2 ^ q }')
want=$(awk "BEGIN { print 1.02 * $clock }")
spi=30
out=target/mobile
mkdir -p "$out/tmp"
# Programs in WebAssembly can access this folder only.
export TMPDIR="$PWD/$out/tmp"
# Packages precede the modules that import them.
files=$(printf '%s ' machines/mobile/rtl/generated/*.sv machines/mobile/rtl/*_pkg.sv $(find machines/mobile/rtl rtl/lib -name '*.sv' ! -path '*/formal/*' | grep -v _pkg | sort))
# A clock enable of fewer than nine flip-flops is made of lookup tables instead: Yosys finds enables
# in the next states, whose paths are longer than the states' own.
echo "mobile: synthesis of $name"
yosys-slang -q -l "$out/$name-yosys.log" -p "read_slang -j 1 --ignore-assertions -D SYNTHESIS --top mobile_chip $parameters $files
    read_verilog $board.v
    synth_ice40 -device u -spram -dffe_min_ce_use 9 -top icebreaker
    delete t:\$scopeinfo
    write_json $out/$name.json" >/dev/null 2>&1 || fail "synthesis failed: see $out/$name-yosys.log"

# The frequency of a clock in MHz, as nextpnr reports it after routing.
of_clock() { sed -n "s/.*Max frequency for clock *'$1': \\([0-9.]*\\) MHz.*/\\1/p" "$out/$name-nextpnr.log" | tail -n 1; }
met=0
for seed in $(seq 1 "${SEEDS:-20}"); do
    echo "mobile: place and route, seed $seed"
    nextpnr-ice40 --up5k --package sg48 --json "$out/$name.json" --pcf $board.pcf --asc "$out/$name.asc" \
        --report "$out/$name-report.json" --freq "$clock" --seed "$seed" --timing-allow-fail \
        >"$out/$name-nextpnr.log" 2>&1 || fail "nextpnr failed: see $out/$name-nextpnr.log"
    fmax=$(of_clock core)
    # The clock of SPI includes its falling edges, at which bits change; a serial line has no such
    # clock.
    sck=$(of_clock spi_clock)
    echo "mobile: $fmax MHz${sck:+, SPI $sck MHz}"
    if awk "BEGIN { exit !($fmax >= $want && ${sck:-$spi} >= $spi) }"; then
        met=1
        break
    fi
done
icepack "$out/$name.asc" "$out/$name.bin"

used() { sed -n "s/.*$1: *\\([0-9]*\\)\/ *\\([0-9]*\\).*/\\1 \\2/p" "$out/$name-nextpnr.log" | tail -n 1; }
# Adds a figure to the record: name, unit, target or null, whether the target is a maximum, value,
# remark.
figures=
figure() {
    local met=null most=false
    [ "$4" = 1 ] && most=true
    if [ "$3" != null ]; then
        met=false
        if awk "BEGIN { exit !($4 ? $5 <= $3 : $5 >= $3) }"; then met=true; fi
    fi
    figures+=$(printf '%s\n    { "name": "%s", "unit": "%s", "published": null, "target": %s, "at_most": %s, "measured": %s, "met": %s, "how": "synthesis", "note": "%s" }' \
        "${figures:+,}" "$1" "$2" "$3" $most "$5" $met "${6:-}")
}
printf '\n%-22s %8s %8s %8s\n' "iCE40 UP5K, $name" used of share
for cell in ICESTORM_LC ICESTORM_RAM ICESTORM_SPRAM ICESTORM_PLL SB_IO; do
    read -r count all <<<"$(used $cell)"
    printf '%-22s %8s %8s %7s%%\n' "$cell" "$count" "$all" $((100 * count / all))
    case $cell in
        ICESTORM_LC) figure "$what: logic cells of $all" cells $((all * 9 / 10)) 1 "$count" ;;
        ICESTORM_RAM) figure "$what: block RAMs" memories null 1 "$count" "of $all that the part has" ;;
        ICESTORM_SPRAM) figure "$what: single-port RAMs" memories null 1 "$count" "of $all that the part has" ;;
    esac
done
printf '%-22s %8s MHz, the PLL gives %s MHz\n' Fmax "$fmax" "$clock"
[ -z "$sck" ] || printf '%-22s %8s MHz, for 30 MHz\n' "Fmax of SPI's clock" "$sck"
printf '%-22s %8s bytes, %s\n' bitstream "$(stat -c %s "$out/$name.bin")" "$out/$name.bin"
figure "$what: clock after place and route" MHz "$clock" 0 "$fmax" \
    "the target is the PLL's clock, which the board needs, so up to ${SEEDS:-20} seeds are tried, here $seed; the published clock has a row in mobile.json"
[ -z "$sck" ] || figure "$what: SPI's clock after place and route" MHz $spi 0 "$sck" "what the board needs"
if [ -n "${OUT:-}" ]; then
    tools="$(yosys-slang --version | cut -d ' ' -f 1,2), $(nextpnr-ice40 --version 2>&1 | sed 's/.*(Version \(.*\)).*/nextpnr-ice40 \1/'), seed $seed"
    printf '{\n  "machine": "%s",\n  "commit": "%s",\n  "date": "%s",\n  "results": [%s\n  ]\n}\n' "$tools" \
        "$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$figures" >"$OUT"
fi
[ $met = 1 ] || fail "no seed meets $want MHz${sck:+ and SPI at $spi MHz}; the last gave $fmax MHz${sck:+ and $sck MHz}"

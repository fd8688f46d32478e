#!/usr/bin/env bash
# Has Yosys prove that the composite S-box is the table: for no byte do the two differ. Then that it
# refuses a composite with one sum changed, as a proof that cannot fail would prove nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

PATH=$PWD/target/synth-tools/bin:$PATH
if command -v yosys-slang >/dev/null 2>&1; then
    yosys=yosys-slang
elif command -v yosys >/dev/null 2>&1; then
    yosys=yosys
else
    echo "rtl: NOT PROVED that both S-boxes are equal: Yosys is not installed"
    exit 0
fi

# Fails unless `sbox_table` and the composite S-box in file $1 are equal.
prove() {
    "$yosys" -q -p "
        read_verilog -sv rtl/lib/aes/sbox_table.sv $1
        proc -norom
        miter -equiv -flatten -make_outputs sbox_table sbox_composite both
        hierarchy -top both
        sat -verify -prove trigger 0 both" >"$log" 2>&1
}

mkdir -p target
log=$(mktemp target/prove.XXXXXX)
broken=$log.sv
trap 'rm -f "$log" "$broken"' EXIT
if ! prove rtl/lib/aes/sbox_composite.sv; then
    cat "$log"
    echo "rtl: the composite S-box is NOT PROVED to be the table" >&2
    exit 1
fi

sed 's/q0\[1\] ^ q1\[0\];/q0[1] ^ q1[1];/' rtl/lib/aes/sbox_composite.sv >"$broken"
if cmp -s "$broken" rtl/lib/aes/sbox_composite.sv; then
    echo "rtl: no sum to break in sbox_composite.sv: give scripts/rtl-prove.sh another" >&2
    exit 1
fi
if prove "$broken" || ! grep -q 'proof did fail' "$log"; then
    cat "$log"
    echo "rtl: Yosys does not refuse a broken S-box" >&2
    exit 1
fi
echo "rtl: Yosys proves the composite S-box equal to the table, and refuses a broken one"

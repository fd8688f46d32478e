#!/usr/bin/env bash
# Proves with Yosys that the composite S-box equals the table for every byte. Then checks that the
# proof fails for a composite with one changed sum, as a proof that cannot fail proves nothing.
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
    echo "rtl: the composite S-box is NOT PROVED equal to the table" >&2
    exit 1
fi

sed 's/q0\[1\] ^ q1\[0\];/q0[1] ^ q1[1];/' rtl/lib/aes/sbox_composite.sv >"$broken"
if cmp -s "$broken" rtl/lib/aes/sbox_composite.sv; then
    echo "rtl: sbox_composite.sv has no longer the sum that scripts/rtl-prove.sh changes: choose another" >&2
    exit 1
fi
if prove "$broken" || ! grep -q 'proof did fail' "$log"; then
    cat "$log"
    echo "rtl: Yosys also proves a broken S-box equal: the proof is worthless" >&2
    exit 1
fi
echo "rtl: Yosys proves the composite S-box equal to the table, and refuses a broken one"

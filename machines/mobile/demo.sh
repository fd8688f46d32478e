# Part of scripts/demo-hardware.sh, which sources it.

say "A 64-bit division, evaluated by the mobile coprocessor (iCE40 UP5K, SPI at 30 MHz) behind a pseudo-terminal"
chip=rtl
command -v "${VERILATOR:-verilator}" >/dev/null || chip=model
[ "$chip" = rtl ] || echo "verilator is not installed: using the cycle model"
evaluator_options=(--engine "mobile:sim,chip=$chip")
session divide:64 1000000007 12345
evaluator_options=()
expect quotient 13c6c
expect remainder 15fb
printf 'the chip took %s clock cycles at %s MHz for %s bytes to it and %s from it: %.1f ms\n' \
    "$(field clock_cycles)" "$(field mhz)" "$(field to_device)" "$(field from_device)" \
    "$(awk -v c="$(field clock_cycles)" -v m="$(field mhz)" 'BEGIN { print c / m / 1000 }')"

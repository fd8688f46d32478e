# Part of scripts/demo-hardware.sh, which sources it.

say "AES-128 again, ten blocks, garbled by the model of an accelerator (HAAC, 16 engines)"
head -c 160 "$work/blocks.bin" >"$work/few.bin"
session aes128-ecb "@$work/key.bin" "@$work/few.bin" --cycles 10 --learn evaluator >/dev/null
cpu=$(sed -n 's/.* ANDs[^;]*; \([^(]*\) (.*/\1/p' "$work/report")
garbler_options=(--engine model:haac-16ge)
session aes128-ecb "@$work/key.bin" "@$work/few.bin" --cycles 10 --learn evaluator >/dev/null
garbler_options=()
"$check_aes" "$work/key.bin" "$work/few.bin" "$work/result.json"
simulated=$(sed -n 's/^simulated: the garbler.s machine took \(.*\); .*/\1/p' "$work/report")
[ -n "$simulated" ] && [ -n "$cpu" ] || fail "no times: $(cat "$work/report")"
printf 'garbled by HAAC in %s (simulated); by this CPU in %s\n' "$simulated" "$cpu"

say "The accelerator's SystemVerilog (HAAC, 4 engines) beside the CPU engine and the cycle model"
if command -v "${VERILATOR:-verilator}" >/dev/null; then
    "$halfgate" simulate aes128-ecb:1 --order haac:full --machine haac-4ge --model rtl >"$work/rtl" ||
        fail "hardware, model and CPU differ: $(cat "$work/rtl")"
    grep -E '^(garbler|evaluator|labels|  cycles  )' "$work/rtl"

    # circuit ROLE GARBLER-ENGINE EVALUATOR-ENGINE: runs a block in a session, and checks that the
    # machine takes as many clock cycles as the model.
    circuit() {
        garbler_options=(--engine "$2") evaluator_options=(--engine "$3")
        session aes128-ecb "@$work/key.bin" "@$work/block.bin" --learn evaluator --order haac:full >/dev/null
        garbler_options=() evaluator_options=()
        "$check_aes" "$work/key.bin" "$work/block.bin" "$work/result.json"
        local took model
        took=$({ sed -n 's/^simulated: .* took \(.*\) clock cycles.*/\1/p' "$work/report"
            sed -n 's/.*"clock_cycles":\([0-9]*\).*/\1/p' "$work/result.json"; } | tr -d ,)
        model=$(sed -n "/^$1/,/^\$/s/^  cycles  .* \([0-9,]*\)\$/\1/p" "$work/rtl" | tr -d ,)
        [ -n "$took" ] && [ "$took" = "$model" ] ||
            fail "the $1 took ${took:-unknown} clock cycles in the session; in the model ${model:-unknown}"
        echo "the $1's circuit took $took clock cycles, as many as the model"
    }
    head -c 16 "$work/blocks.bin" >"$work/block.bin"
    say "AES-128 between two processes: the circuit garbles, a CPU evaluates"
    circuit garbler rtl:haac-4ge cpu
    say "AES-128 between two processes: a CPU garbles, the circuit evaluates"
    circuit evaluator cpu rtl:haac-4ge
else
    echo "NOT RUN: verilator is not installed"
fi

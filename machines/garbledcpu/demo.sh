# Part of scripts/demo-hardware.sh, which sources it.

# The program in C exists if its tools are installed.
if [ -e "$work/sum.elf" ]; then
    say "The same program, known to both, evaluated by the model of a processor's accelerator (GarbledCPU)"
    "$halfgate" run "$work/sum.elf" --garbler "@$work/a.json" --evaluator "@$work/b.json" \
        --privacy public --evaluator-engine model:garbledcpu-1 | grep -E '^(total|simulated)' | tee "$work/machine.txt"
    grep -q '^total *= 340 ' "$work/machine.txt" || fail "total is not 340"
fi

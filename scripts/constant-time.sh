#!/usr/bin/env bash
# Checks that secrets are used as masks, never in branches or addresses, and that they are wiped.
#
#   scripts/constant-time.sh              builds with optimisation, then checks 1 to 3
#   scripts/constant-time.sh kernels      only kernels: check 1, and the short tests of check 2
#   scripts/constant-time.sh --self-test  only shows that check 1 detects known leaks
#
# Check 1 reads the optimised machine code of the functions `garble`, `evaluate`, `garble_wide`,
# `evaluate_wide`, `garble_instances`, `authenticated`, `authenticated_wide` and `leaky` of
# the x86 vector kernels. On all paths, whether or not a test takes them, it refuses
#   - moves from a vector or mask register to a general register or to the flags:
#     vmovd/vmovq/vpextr/kmov to a general register, movmsk, ptest, testps, comis, kortest, ...;
#   - gathers and scatters, whose indices are vectors, and divisions, whose time may vary;
#   - calls, except to the key schedule (public), memcpy/memset (public lengths) and panics.
# An AND's colour bits are computed in vectors, so a branch or an index that uses one needs such a
# step. One exception: a vector may be moved to general registers if its last definition, in the
# same basic block, is an unaligned load from outside the stack. Compilers load several `And`s,
# slots and flags that way. The unaligned loads are of lists and tables, which are public. Labels
# are loaded aligned, and spilled secrets are on the stack. The wide functions, those of instances
# and `leaky` load labels unaligned too, so they have no exception. This check cannot see
# secrets that general registers load directly from memory. There are two, the label of a move and
# Δ; vectors spilled to the stack could be a third. Check 2 sees these.
#
# Check 2 single-steps every kernel, including the portable one, under different secrets and
# compares code and data addresses step by step: crates/kernels/tests/constant_time. It sees every
# instruction, but only on the paths that its operations take. It also covers the extension of
# oblivious transfers, masked pairs, decoding and the choice of input labels:
# crates/protocol/src/session/tests/constant_time.rs.
#
# Check 3 searches the memory of a process for secrets that sessions and instances leave, also in
# this profile: crates/protocol/src/session/tests/memory.rs, crates/instances/tests/memory.
#
# All checks are of the binary built here; another compiler builds another binary. They do not cover
# instructions whose time depends on operands (AES, XOR, AND and shifts do not, on the kernels'
# processors), speculation or power.
set -euo pipefail
cd "$(dirname "$0")/.."

kernels='vaes512 vaes256 aesni'
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT

# Check 1. Reads relocations and a disassembly (`objdump -R`, `objdump -d -C --no-show-raw-insn`)
# twice, the first time for jump targets and function names, and prints each violation.
check() {
    cat >"$scratch"
    awk -F '\t' -v kernels="$kernels" '
        function bad(why) { printf "%s: %s: %s\n", name, why, $2; failures++ }
        function hex(number) { sub(/^0+/, "", number); return number }
        BEGIN {
            allowed = "<(halfgate_kernels::schedule::Schedule::turn|halfgate_kernels::instances::Schedules::turn|mem(cpy|set|move)@|core::panicking::|" \
                "core::slice::index::|core::slice::copy_from_slice|core::slice::<impl.*copy_from_slice|" \
                "core::option::|core::result::)"
            count = split(kernels, list, " ")
            for (i = 1; i <= count; i++) {
                wanted[list[i] "::garble"]; wanted[list[i] "::evaluate"]
                wanted[list[i] "::garble_wide"]; wanted[list[i] "::evaluate_wide"]
                wanted[list[i] "::garble_instances"]; wanted[list[i] "::leaky"]
                wanted[list[i] "::authenticated"]; wanted[list[i] "::authenticated_wide"]
            }
        }
        / R_X86_64_RELATIVE / { split($0, word, " "); sub(/.*0x/, "", word[3]); slot[hex(word[1])] = hex(word[3]) }
        /^[0-9a-f]+ <.*>:$/ {
            name = $0
            address = name; sub(/ .*/, "", address); symbol[hex(address)] = name
            sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); sub(/^halfgate_kernels::/, "", name)
            inside = name in wanted
            if (inside) seen[name] = 0
            split("", pointer)
            split("", public)
            next
        }
        !inside || NF < 2 { next }
        # The first pass.
        NR == FNR {
            if ($2 ~ /^j[a-z]+ +[0-9a-f]+/) { split($2, jump, " "); joins[jump[2]] }
            next
        }
        {
            seen[name]++
            address = $1; gsub(/[ :]/, "", address)
            if (address in joins) split("", public)
            code = $2; sub(/ *#.*/, "", code)
            # The callee: direct, through a slot of the linker'\''s table, or by a pointer loaded
            # from one.
            target = $2
            if (match($2, /# [0-9a-f]+/)) {
                place = substr($2, RSTART + 2, RLENGTH - 2)
                if (place in slot) target = symbol[slot[place]]
            }
            mnemonic = code; sub(/ .*/, "", mnemonic)
            operands = code; if (!sub(/^[^ ]+ +/, "", operands)) operands = ""
            last = operands; sub(/.*,/, "", last)
            if (mnemonic ~ /^call/ && last ~ /^\*%/) target = pointer[substr(last, 2)]
            else if (last ~ /^%r/) { delete pointer[last]; if (mnemonic == "mov" && operands ~ /\(%rip\),/) pointer[last] = target }
            vector = operands ~ /%([xyz]mm[0-9]|k[0-7])/
            general = last ~ /^%(r|e|[abcd][xlh]$|[sd]il?$|[sb]pl?$)/
        }
        # From vectors to general registers or flags.
        mnemonic ~ /^v?p?(movmsk|test(ps|pd)$|test$)/ && vector { bad("vector to flags or register") }
        mnemonic ~ /^(v?u?comi|kortest|ktest)/ { bad("vector to flags") }
        mnemonic ~ /^v?pcmp[ei]str/ { bad("vector to flags") }
        vector && general && mnemonic !~ /movmsk/ {
            source = operands
            if (match(source, /%[xyz]mm[0-9]+/)) source = substr(source, RSTART + 4, RLENGTH - 4)
            if (!(source in public) || name ~ /_(wide|instances|labels)$/) bad("vector to general register")
        }
        mnemonic ~ /gather|scatter/ { bad("vector as addresses") }
        mnemonic ~ /^i?div[bwlq]?$/ { bad("division") }
        mnemonic ~ /^call/ && target !~ allowed { bad("call") }
        # The vectors that hold an unaligned load from outside the stack.
        /jmp|call|ret|\tj[a-z]+ / { split("", public) }
        vector && last ~ /^%[xyz]mm/ {
            register = last; gsub(/[^0-9]/, " ", register); split(register, number, " ")
            delete public[number[1]]
            if (mnemonic ~ /^v?(movdqu(8|16|32|64)?|movups)$/ && operands !~ /[{]/ &&
                operands ~ /^[^%]*\(%.*\),/ && operands !~ /%rsp|%rbp\)|\(%rbp,/) {
                public[number[1]]
            }
        }
        END {
            for (f in wanted) {
                if (!(f in seen)) { print f ": not found in the disassembly"; failures++ }
                else if (seen[f] < 5) { print f ": found, but empty"; failures++ }
            }
            exit failures > 0
        }' "$scratch" "$scratch"
}

# Machine code without a violation, with lines inserted into one function, vaes512::garble if none
# is named.
sample() {
    for kernel in $kernels; do
        for role in garble evaluate garble_wide evaluate_wide garble_instances authenticated \
            authenticated_wide leaky; do
            printf '0000000000001000 <halfgate_kernels::%s::%s>:\n' "$kernel" "$role"
            printf '    1000:\t%s\n' 'vmovdqa (%r14,%rax,1),%xmm0' 'vaesenc %ymm1,%ymm0,%ymm0' \
                'vptestmq %zmm0,%zmm1,%k1' 'kmovd  %eax,%k2' 'vpxor  %xmm0,%xmm1,%xmm1'
            [ "$kernel::$role" = "${2:-vaes512::garble}" ] && awk -v lines="$1" 'BEGIN {
                count = split(lines, line, " ; ")
                for (i = 1; i <= count; i++) printf "    %d:\t%s\n", 1009 + i, line[i]
            }'
            printf '    1020:\t%s\n' 'call   5bc10 <halfgate_kernels::schedule::Schedule::turn>' ret
        done
    done
}

self_test() {
    local code missed=0
    for code in 'vmovdqu (%r11,%rbp,8),%xmm1 ; vmovd  %xmm1,%edx' nop; do
        sample "$code" | check >/dev/null || { echo "self-test: refused: $code"; missed=1; }
    done
    for code in 'vmovq  %xmm0,%rax' 'vmovd  %xmm0,%eax' 'vpextrb $0x0,%xmm0,%eax' \
        'vpextrq $0x1,%xmm0,%r10' 'vpmovmskb %ymm0,%edx' 'vmovmskps %xmm0,%ecx' 'movmskpd %xmm0,%ecx' \
        'kmovd  %k1,%eax' 'kmovb  %k1,%r9d' 'kortestb %k1,%k1' 'ktestq %k1,%k2' 'vptest %xmm0,%xmm1' \
        'ptest  %xmm0,%xmm0' 'vtestps %xmm0,%xmm1' 'vucomisd %xmm0,%xmm1' 'comiss %xmm0,%xmm1' \
        'vcvttsd2si %xmm0,%rax' 'vpgatherdd %ymm1,(%rax,%ymm2,4),%ymm0' 'div    %rcx' \
        'call   1234 <halfgate_kernels::aesni::secret>' 'call   *%rax' \
        'vmovdqu 0x20(%rsp),%xmm1 ; vmovd  %xmm1,%edx' \
        'vmovdqa (%r14,%rax,1),%xmm1 ; vmovd  %xmm1,%edx' \
        'vmovdqu (%r11),%xmm1 ; vpxor  %xmm0,%xmm1,%xmm1 ; vmovd  %xmm1,%edx' \
        'vmovdqu (%r11),%xmm1 ; jne    1000 <x> ; vmovd  %xmm1,%edx' \
        'jmp    1012 ; vmovdqu (%r11),%xmm1 ; vmovd  %xmm1,%edx'; do
        if sample "$code" | check >/dev/null; then echo "self-test: missed: $code"; missed=1; fi
    done
    if sample 'vmovdqu (%r11,%rbp,8),%xmm1 ; vmovd  %xmm1,%edx' vaes512::garble_wide |
        check >/dev/null; then
        echo 'self-test: missed a label that a wide function moves to a register'
        missed=1
    fi
    if sample nop | sed 's/aesni::evaluate/aesni::renamed/' | check >/dev/null; then
        echo 'self-test: did not notice that a function is missing'
        missed=1
    fi
    [ $missed = 0 ] && echo 'self-test: every leak was caught'
}

self_test
[ "${1:-}" = --self-test ] && exit

if [ "$(uname -m)" != x86_64 ]; then
    echo "not run: the checks are for x86-64, and this is $(uname -m)"
    exit
fi
if ! command -v objdump >/dev/null; then
    echo 'not run: objdump, of the binutils, is not installed'
    exit
fi

cargo build --release --locked -p halfgate-kernels --example rate
program=${CARGO_TARGET_DIR:-target}/release/examples/rate
{ objdump -R "$program"; objdump -d -C --no-show-raw-insn "$program"; } | check
echo "check 1: $kernels: no way from vectors to branches or addresses"

which=(--include-ignored)
[ "${1:-}" = kernels ] && which=()
cargo test --release --locked -p halfgate-kernels --test constant_time -- "${which[@]}" --nocapture
[ "${1:-}" = kernels ] && exit

# One thread, since allocations of one test must not change the addresses that another traces.
cargo test --release --locked -p halfgate-protocol --lib -- --include-ignored --nocapture \
    --test-threads=1 constant_time
echo 'check 2: same path for all secrets, but for what a line "not run" above leaves out'

# The memory searches run again in this profile: a compiler could remove wiping from the optimised
# program, since nothing reads the written zeros.
cargo test --release --locked -p halfgate-protocol --lib -- --test-threads=1 session::tests::memory
cargo test --release --locked -p halfgate-instances --test memory
echo 'check 3: nothing of Δ, labels and inputs is left in memory'

#!/usr/bin/env bash
# page-examples.sh [PAGE…]: runs the commands on pages and compares their output (default:
# README.md, the book's pages, and the READMEs of the machines and the digits).
#
# An example is an indented line that begins with `$`; the indented lines below it are its output,
# including standard error. Times, rates, sizes of messages, fingerprints and the last digits of
# millions of clock cycles differ from run to run and are not compared. `cat FILE` must show the
# file, or creates it if the checkout has none. A listening party runs in parallel with the next
# command. Lines without a `$` are not run.
#
# HALFGATE names the command (target/release/halfgate). Commands that build, that need a device, or
# whose tool is missing are listed as NOT RUN, and without PAGES_RTL=1 also those of simulated
# designs.
set -euo pipefail
cd "$(dirname "$0")/.."

halfgate=$(realpath "${HALFGATE:-target/release/halfgate}")
[ $# -gt 0 ] || set -- README.md docs/*.md machines/*/README.md examples/digits/README.md
work=$(mktemp -d)
listener=
trap '[ -z "$listener" ] || kill "$listener" 2>/dev/null || true; rm -rf "$work"' EXIT
failed=0 ran=0
export HALFGATE_RTL_DIR=${HALFGATE_RTL_DIR:-$work/kept}

# Replaces the parts of a text that differ from run to run. Fingerprints come first, since one may
# contain what looks like a time.
mask() {
    sed -E -e 's#SHA256:[A-Za-z0-9+/]{43}#KEY#g' -e 's/[0-9][0-9.,]* ?(ns|us|ms|s|min)\>/TIME/g' \
        -e 's/[0-9.]+ ([kMG] )?AND\/s/RATE/g' -e 's/sent [^,;]*, received [^,;]*$/BYTES/' \
        -e 's/[0-9.]+ [kMG] cycles\/s/RATE/g' -e 's/most of it [a-z]*$/PART/' \
        -e 's/([0-9],[0-9])[0-9]{2},[0-9]{3} clock cycles/\1… clock cycles/' \
        -e 's/127\.0\.0\.1:[0-9]+/ADDRESS/g' -e 's/[[:space:]]*$//' \
        -e '/^halfgate: (reading|building|built) /d' -e '/^halfgate: run [0-9]+, [0-9]+ %: /d'
}

# Splits page $1 into $work/cases/N.command and N.want.
split() {
    rm -rf "$work/cases" && mkdir "$work/cases"
    awk -v to="$work/cases" '
        /^    \$ / {
            file = sprintf("%s/%03d", to, ++count)
            blank = 0
            goes_on = 1
            $0 = "    " substr($0, 7)
        }
        file && /^    / {
            line = substr($0, 5)
            if (goes_on) {
                print line >(file ".command")
                printf "" >(file ".want")
                goes_on = line ~ /\\$/
                next
            }
            for (; blank; blank--) print "" >(file ".want")
            print line >(file ".want")
            next
        }
        { blank = file && !/./ ? blank + 1 : 0 }
        /./ { file = "" }' "$1"
}

why_not() {
    case $1 in
        make\ * | cargo\ *) echo "builds" ;;
        *faults=*) echo "its counts depend on random faults" ;;
        *rtl*)
            [ "${PAGES_RTL:-}" = 1 ] || echo "builds a simulated design, in minutes"
            command -v verilator >/dev/null || echo "verilator is not installed"
            ;;
        *.v\ *) command -v yosys >/dev/null || echo "yosys is not installed" ;;
        *mips\ build* | *.elf*)
            command -v mips-linux-gnu-gcc >/dev/null || echo "the compiler for MIPS is not installed"
            ;;
    esac
}

# Succeeds if the lines of file $2 match those of file $1, in which a line `…` stands for any lines.
agree() {
    awk '
        NR == FNR { want[++wants] = $0; next }
        { got[++gots] = $0 }
        # The first position in `from`..`to` where `length` lines equal the wanted lines from `at`
        # on.
        function place(at, length_, from, to,    k, i) {
            for (k = from; k <= to; k++) {
                for (i = 0; i < length_ && got[k + i] == want[at + i]; i++) { }
                if (i == length_) return k
            }
            return 0
        }
        END {
            next_ = 1
            for (at = 1; at <= wants; at += count) {
                if (any = want[at] == "…") at++
                for (count = 0; at + count <= wants && want[at + count] != "…"; count++) { }
                if (!count) break
                is_last = at + count > wants
                first = any && is_last ? gots - count + 1 : next_
                last = any ? gots - count + 1 : next_
                if (first < next_ || !(found = place(at, count, first, last))) exit 1
                next_ = found + count
                any = 0
            }
            exit !(any || next_ == gots + 1)
        }' "$1" "$2"
}

# Compares the output of case $1 with the page.
compare() {
    grep -q . "$1.want" || return 0
    mask <"$1.want" >"$1.wanted"
    mask <"$1.got" >"$1.masked"
    ! agree "$1.wanted" "$1.masked" || return 0
    diff "$1.wanted" "$1.masked" >"$1.diff" || true
    failed=1
    printf 'page-examples: %s: $ %s\n' "$page" "$(head -n 1 "$1.command")" >&2
    cat "$1.diff" >&2
}

run() {
    local case=$1 text reason file
    text=$(<"$case.command")
    text=${text//127.0.0.1:7766/127.0.0.1:$port}
    reason=$(why_not "$text")
    file=${text#cat }
    if [ -n "$reason" ]; then
        printf 'page-examples: NOT RUN: %s: $ %s (%s)\n' "$page" "${text%%$'\n'*}" "$reason"
        return
    elif [ "$file" != "$text" ] && [ ! -e "$file" ]; then
        cp "$case.want" "$file"
        return
    fi
    ran=$((ran + 1))
    if [[ $text = *--listen* ]]; then
        bash -c "$text" >"$case.got" 2>&1 &
        listener=$! heard=$case
        for _ in $(seq 100); do grep -q listening "$case.got" && break || sleep 0.1; done
        return
    fi
    bash -c "$text" >"$case.got" 2>&1 || [ -s "$case.want" ] || { failed=1; cat "$case.got" >&2; }
    compare "$case"
    [ -z "$listener" ] || { wait "$listener" || true; listener=; compare "$heard"; }
}

root=$PWD
for page in "$@"; do
    split "$page"
    # This script may run concurrently with itself.
    port=$((10000 + RANDOM % 20000))
    rm -rf "$work/here" && mkdir -p "$work/here/target/release"
    ln -s "$halfgate" "$work/here/target/release/halfgate"
    ln -s "$root"/{bench,crates,docs,examples,machines,programs,rtl,spec} "$work/here"
    cd "$work/here"
    # Files that the page on two machines creates, and other pages use.
    printf '\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f' >key.bin
    printf '\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff' >block.bin
    PATH=$work/here/target/release:$PATH
    if ! grep -qs 'keygen alice$' "$work"/cases/*.command; then
        for name in alice bob; do halfgate --quiet keygen $name >/dev/null; done
    fi
    for command in "$work"/cases/*.command; do
        [ ! -e "$command" ] || run "${command%.command}"
    done
    cd "$root"
done
[ $failed = 0 ] || exit 1
echo "page-examples: checked: $ran commands print what the pages show"

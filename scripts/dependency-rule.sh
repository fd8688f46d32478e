#!/usr/bin/env bash
# Holds the workspace to the dependency rules of ARCHITECTURE.md and prints every breach:
#
# - of the crates, each may depend on those of ours that `allowed` names, and no others;
# - `reference` depends on nothing at all;
# - only `protocol` and `cli` do network I/O (the benchmark harness may measure a socket);
# - `unsafe` stands in `kernels`, and in the calls into Verilated libraries (`crates/rtl/src/ffi`).
#
# Tests' own dependencies are free.
set -euo pipefail
cd "$(dirname "$0")/.."

# The packages of ours that package $1 may depend on, as a regular expression for a whole name.
allowed() {
    case $1 in
        halfgate-reference | halfgate-kernels | halfgate-circuit | halfgate-tests | halfgate-fuzz) echo nothing ;;
        halfgate-frontends | halfgate-compiler | halfgate-secret | halfgate-values) echo halfgate-circuit ;;
        halfgate-programs) echo 'halfgate-(circuit|secret)' ;;
        halfgate-machines) echo 'halfgate-(circuit|compiler)' ;;
        halfgate-spec) echo halfgate-machines ;;
        halfgate-mips) echo 'halfgate-(circuit|compiler|frontends)' ;;
        halfgate-engine) echo 'halfgate-(circuit|compiler|kernels|machines|reference)' ;;
        halfgate-rtl) echo 'halfgate-(compiler|engine|machines)' ;;
        halfgate-protocol) echo 'halfgate-(circuit|compiler|engine)' ;;
        halfgate) echo 'halfgate-(circuit|secret|compiler|engine|protocol|frontends)' ;;
        halfgate-bench) echo 'halfgate-(circuit|frontends|mips|compiler|machines|engine|protocol|programs)' ;;
        halfgate-cli) echo 'halfgate-(circuit|frontends|mips|compiler|machines|engine|protocol|programs|bench|rtl|values)' ;;
        *) return 1 ;;
    esac
}

breaches=0
breach() {
    printf 'dependency rule: %s\n' "$*" >&2
    breaches=$((breaches + 1))
}

packages=$(sed -n 's/^name = "\(halfgate\(-[^"]*\)\{0,1\}\)"$/\1/p' */Cargo.toml crates/*/Cargo.toml | sort -u)
for package in $packages; do
    if ! mine=$(allowed "$package"); then
        breach "scripts/dependency-rule.sh does not say what the new package $package may depend on"
        continue
    fi
    # Direct dependencies, build scripts' included, tests' not; the package itself comes first.
    depends_on=$(cargo tree --locked --offline --quiet --package "$package" --depth 1 \
        --edges normal,build --target all --all-features --prefix none --format '{p}' |
        tail -n +2 | cut -d ' ' -f 1 | sort -u)
    for name in $depends_on; do
        if [[ $name == halfgate-* && ! $name =~ ^($mine)$ ]]; then
            breach "$package depends on $name"
        elif [[ $package == halfgate-reference ]]; then
            breach "$package depends on $name: it must depend on nothing"
        elif [[ $name =~ ^(socket2|rustls|tokio|mio)$ && ! $package =~ ^halfgate-(protocol|cli)$ ]]; then
            breach "$package depends on $name: network I/O is for protocol and cli"
        fi
    done
done

# Prints file and line of the pattern $1 in the Rust sources among the paths $2…
matches() {
    local pattern=$1
    shift
    find "$@" -name '*.rs' -print0 | sort -z | xargs -0 grep -nHE "$pattern" || true
}

while read -r line; do
    [[ -z $line || $line =~ ^crates/(protocol|cli)/ ]] || breach "network I/O outside protocol and cli: $line"
done <<<"$(matches '\bstd::net\b|\bTcp(Stream|Listener)\b|\bUdpSocket\b' crates/*/src programs/src)"

while read -r line; do
    [[ -z $line || $line =~ ^crates/(kernels/|rtl/src/ffi) ]] || breach "unsafe outside kernels and FFI: $line"
done <<<"$(matches '\bunsafe +(\{|fn|impl|trait|extern)' crates programs bench tests)"

[ "$breaches" = 0 ] || exit 1
echo "dependency rule: holds for $(wc -w <<<"$packages") packages"

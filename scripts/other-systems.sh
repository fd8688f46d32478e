#!/usr/bin/env bash
# Checks that the library and the command compile for Windows and macOS. Nothing is linked and
# nothing is run.
#
#   scripts/other-systems.sh [TARGET…]   default: x86_64-pc-windows-gnu aarch64-apple-darwin
#
# Some dependencies (ring, blake3) have C code, which needs a compiler for the target: zig, or the
# Python package ziglang. ZIG_PYTHON names the Python interpreter that has this package (default:
# python3). Without either, only packages without C code are checked. The output names the packages
# that were checked, and the exit code is 77 if nothing could be checked.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
python=${ZIG_PYTHON:-python3}
[ $# -gt 0 ] || set -- x86_64-pc-windows-gnu aarch64-apple-darwin

# Packages without C code in themselves or their dependencies.
without_c=(halfgate-reference halfgate-kernels halfgate-circuit halfgate-secret halfgate-frontends
    halfgate-model)

if command -v zig >/dev/null; then
    zig=(zig)
elif "$python" -m ziglang version >/dev/null 2>&1; then
    zig=("$(command -v "$python")" -m ziglang)
else
    zig=()
fi

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

# zig's name of a Rust target.
zig_target() {
    case $1 in
        x86_64-pc-windows-gnu) echo x86_64-windows-gnu ;;
        *-apple-darwin) echo "${1%%-*}-macos" ;;
        *) return 1 ;;
    esac
}

# Makes scripts for the C compiler and the archiver of target $1, and sets the variables by which
# builds find them.
compiler_for() {
    local target=$1 own name variable
    own=$(zig_target "$target") || return 1
    name=$tools/$target
    # Build scripts pass options that name the target as other compilers do, which zig does not
    # know. So the compiler script drops them and passes zig's name.
    cat >"$name-cc" <<END
#!/usr/bin/env bash
words=()
for word in "\$@"; do
    case \$word in
        --target=* | -arch | arm64 | x86_64 | -mmacosx-version-min=*) ;;
        *) words+=("\$word") ;;
    esac
done
exec $(printf '%q ' "${zig[@]}") cc -target $own "\${words[@]}"
END
    printf '#!/bin/sh\nexec %s ar "$@"\n' "$(printf '%q ' "${zig[@]}")" >"$name-ar"
    chmod +x "$name-cc" "$name-ar"
    variable=${target//-/_}
    export "CC_$variable=$name-cc" "AR_$variable=$name-ar"
}

checked=0
for target in "$@"; do
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
        echo "$target: NOT RUN: needs rustup target add $target"
        continue
    fi
    if [ ${#zig[@]} -gt 0 ] && compiler_for "$target"; then
        packages=(halfgate halfgate-cli)
    else
        packages=("${without_c[@]}")
        echo "$target: NOT RUN: packages whose dependencies have C code, which need zig" \
            "(pip install ziglang). Only these are checked: ${packages[*]}"
    fi
    # Debugging information would not be used.
    CARGO_PROFILE_DEV_DEBUG=0 $cargo check --quiet --locked --target "$target" \
        "${packages[@]/#/--package=}"
    echo "$target: compiles: ${packages[*]}"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || exit 77

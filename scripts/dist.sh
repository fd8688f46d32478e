#!/usr/bin/env bash
# Builds the packages for distribution in target/dist, and tests each outside the checkout.
#
#   scripts/dist.sh [PART…]   amd64, arm64, deb (default: all)
#
#   amd64, arm64   halfgate-VERSION-linux-ARCH.tar.gz: a static binary (musl) without system
#                  dependencies; it cannot simulate SystemVerilog, as it cannot load libraries
#   deb            a Debian package for this computer's processor: the binary needs libc, and has
#                  all functions
#
# All have the man pages, the completions and the SystemVerilog. DIST_PROFILE is the build profile
# (release). zig compiles the C code of static binaries: `zig`, or Python's package ziglang for the
# python3 in ZIG_PYTHON (python3). qemu-aarch64-static, if installed, runs the ARM64 binary. A part
# that cannot be built here is left out, with the reason; the exit code is 77 if no part was built.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
profile=${DIST_PROFILE:-release}
python=${ZIG_PYTHON:-python3}
out=$PWD/target/dist
tools=$out/tools
lld=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
folder=${profile/#dev/debug}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# All files get the time of the commit, so that equal sources give equal archives.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
[ $# -gt 0 ] || set -- amd64 arm64 deb

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    echo "dist: $*" >&2
    exit 1
}
not_run=77
miss() {
    echo "$part: NOT RUN: $*"
    exit $not_run
}

if have zig; then
    zig=(zig)
elif "$python" -m ziglang version >/dev/null 2>&1; then
    zig=("$(command -v "$python")" -m ziglang)
else
    zig=()
fi

# The path of the command built for target $1, or for this computer.
built() { echo "${CARGO_TARGET_DIR:-target}${1:+/$1}/$folder/halfgate"; }

build() { $cargo build --quiet --locked --profile "$profile" -p halfgate-cli "$@"; }

# Makes a C compiler and an archiver for target $1, for dependencies, and a linker. rustc has a C
# library and start files. The paths are constant, since cargo rebuilds everything if they change.
static_tools() {
    local target=$1 variable name=$tools/$1
    mkdir -p "$name"
    # Build scripts also pass Rust's name of the target, which zig does not know.
    cat >"$name-cc" <<END
#!/usr/bin/env bash
words=()
for word in "\$@"; do
    case \$word in --target=*) ;; *) words+=("\$word") ;; esac
done
exec $(printf '%q ' "${zig[@]}") cc -target ${target%%-*}-linux-musl -fno-sanitize=undefined \\
    "\${words[@]}"
END
    printf '#!/bin/sh\nexec %s ar "$@"\n' "$(printf '%q ' "${zig[@]}")" >"$name-ar"
    # musl's libc contains libdl, but a crate links that library by name.
    printf '!<arch>\n' >"$name/libdl.a"
    # The linker strips for any processor, which this computer's strip does not.
    printf '#!/bin/sh\nexec %q "$@" -L %q --strip-all\n' "$lld" "$name" >"$name/rust-lld"
    chmod +x "$name-cc" "$name-ar" "$name/rust-lld"
    variable=${target//-/_}
    export "CC_$variable=$name-cc" "AR_$variable=$name-ar"
    variable=$(tr a-z- A-Z_ <<<"$target")
    export "CARGO_TARGET_${variable}_LINKER=$name/rust-lld"
}

# Installs everything except the binary below $1, a folder such as /usr.
shared() {
    local to=$1 host path
    host=$(built)
    mkdir -p "$to/share/halfgate/rtl" "$to/share/man/man1" "$to/share/doc/halfgate"
    mkdir -p "$to/share/bash-completion/completions" "$to/share/zsh/site-functions"
    mkdir -p "$to/share/fish/vendor_completions.d"
    # The library, then the sources of machines and crates, each in a folder named after its owner.
    cp -r rtl/. "$to/share/halfgate/rtl"
    for path in machines/*/rtl crates/*/rtl; do
        mkdir -p "$to/share/halfgate/rtl/$(basename "$(dirname "$path")")"
        cp -r "$path/." "$to/share/halfgate/rtl/$(basename "$(dirname "$path")")"
    done
    cp -r crates/verilated/sim "$to/share/halfgate/rtl/sim"
    "$host" --quiet man "$to/share/man/man1" >/dev/null
    gzip -9n "$to"/share/man/man1/*.1
    "$host" completions bash >"$to/share/bash-completion/completions/halfgate"
    "$host" completions zsh >"$to/share/zsh/site-functions/_halfgate"
    "$host" completions fish >"$to/share/fish/vendor_completions.d/halfgate.fish"
    cp README.md LICENSE-MIT LICENSE-APACHE docs/serve.md "$to/share/doc/halfgate"
    mkdir -p "$to/share/doc/halfgate/examples"
    cp crates/cli/packaging/serve.toml crates/cli/packaging/halfgate.service \
        "$to/share/doc/halfgate/examples"
}

# Runs the installed binary $1, prefixed by the following arguments, in an empty folder and with an
# environment that does not refer to the checkout.
check() {
    local binary=$1 home=$work/home port address
    shift
    rm -rf "$home"
    mkdir -p "$home"
    installed() {
        (cd "$home" && env -i HOME="$home" PATH=/usr/bin:/bin "${runner[@]}" "$binary" "$@")
    }
    runner=("$@")
    [ "$(installed --version)" = "halfgate $version" ] || fail "$binary: --version is not $version"
    installed run millionaires:32 --garbler 5 --evaluator 7 --json | grep -q '"hex":' ||
        fail "$binary: no result"
    installed doctor --json >"$home/doctor.json"
    grep -q "\"folders\":\[\"[^\"]*/share/halfgate/rtl\"\]" "$home/doctor.json" ||
        fail "$binary: does not find its SystemVerilog: $(cat "$home/doctor.json")"
    grep -q "$PWD" "$home/doctor.json" && fail "$binary: reads the checkout"
    # Two parties over TLS.
    installed keygen alice >/dev/null
    installed keygen bob >/dev/null
    port=$((20000 + RANDOM % 20000))
    address=127.0.0.1:$port
    echo 7 >"$home/b.txt"
    installed garble adder:8 --identity alice --peer bob.pub --listen "$address" --input 5 --json \
        >"$home/garbler.json" 2>/dev/null &
    installed evaluate adder:8 --identity bob --peer alice.pub --connect "$address" --input 7 --json \
        2>/dev/null | grep -q '"hex":"0c"' || fail "$binary: two parties over TLS: no result"
    wait $! || fail "$binary: the garbler failed"
    # The example configuration of a server.
    installed keygen server >/dev/null
    cp crates/cli/packaging/serve.toml "$home"
    echo 1000 >"$home/wealth.json"
    mkdir "$home/results"
    installed serve serve.toml --check | grep -q "all is well" || fail "$binary: serve --check refuses the example configuration"
}

archive() {
    local target=$1 arch=$2 tree name
    name=halfgate-$version-linux-$arch
    tree=$work/$name
    [ ${#zig[@]} -gt 0 ] ||
        miss "needs zig to compile C code for a static binary (pip install ziglang)"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || miss "needs rustup target add $target"
    [ -x "$lld" ] || miss "needs rust-lld, which rustup installs with Rust"
    build
    static_tools "$target"
    build --target "$target"
    mkdir -p "$tree/bin"
    cp "$(built "$target")" "$tree/bin/halfgate"
    chmod 755 "$tree/bin/halfgate"
    shared "$tree"
    if readelf -d "$tree/bin/halfgate" 2>/dev/null | grep -q NEEDED; then
        fail "$name: the binary is not static"
    fi
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        -C "$work" -czf "$out/$name.tar.gz" "$name"
    mkdir "$work/unpacked-$arch"
    tar -C "$work/unpacked-$arch" -xzf "$out/$name.tar.gz"
    local binary=$work/unpacked-$arch/$name/bin/halfgate
    if [ "$(uname -m)" = "${target%%-*}" ]; then
        check "$binary" && echo "$part: $out/$name.tar.gz: runs outside the checkout"
    elif have "qemu-${target%%-*}-static"; then
        check "$binary" "$(command -v "qemu-${target%%-*}-static")" &&
            echo "$part: $out/$name.tar.gz: runs outside the checkout, emulated"
    else
        echo "$part: $out/$name.tar.gz: built; NOT RUN: needs qemu-user-static"
    fi
}

part_amd64() { archive x86_64-unknown-linux-musl amd64; }
part_arm64() { archive aarch64-unknown-linux-musl arm64; }

part_deb() {
    local tree=$work/deb arch libc file
    have dpkg-deb || miss "needs dpkg-deb"
    arch=$(dpkg --print-architecture)
    build
    mkdir -p "$tree/usr/bin" "$tree/DEBIAN"
    cp "$(built)" "$tree/usr/bin/halfgate"
    strip "$tree/usr/bin/halfgate"
    shared "$tree/usr"
    # The service, which does not start without a configuration, and its user.
    mkdir -p "$tree/usr/lib/systemd/system" "$tree/usr/lib/sysusers.d"
    cp crates/cli/packaging/halfgate.service "$tree/usr/lib/systemd/system"
    cp crates/cli/packaging/halfgate.sysusers "$tree/usr/lib/sysusers.d/halfgate.conf"
    if have systemd-analyze; then
        sed "s#/usr/bin/halfgate#$tree/usr/bin/halfgate#" crates/cli/packaging/halfgate.service \
            >"$work/halfgate.service"
        systemd-analyze verify --man=no "$work/halfgate.service" 2>"$work/verified" &&
            [ ! -s "$work/verified" ] || fail "systemd-analyze refuses the service: $(cat "$work/verified")"
    else
        echo "$part: the service is NOT CHECKED: needs systemd-analyze"
    fi
    cat >"$tree/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ] && command -v systemd-sysusers >/dev/null; then
    systemd-sysusers halfgate.conf
fi
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
fi
END
    cat >"$tree/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl stop halfgate.service
fi
END
    # The newest version of libc's symbols that the binary needs.
    libc=$(objdump -T "$tree/usr/bin/halfgate" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
    cat >"$tree/DEBIAN/control" <<END
Package: halfgate
Version: $version
Architecture: $arch
Maintainer: The Halfgate developers <halfgate@localhost>
Section: science
Priority: optional
Depends: libc6 (>= ${libc#GLIBC_}), libgcc-s1
Recommends: yosys
Suggests: verilator, g++, make, zlib1g-dev, gcc-mips-linux-gnu
Installed-Size: $(du -sk "$tree/usr" | cut -f 1)
Description: two parties compute a function on their private inputs
 Garbled circuits: neither party sees the other's inputs. Circuits come from Bristol, SCD and
 Verilog files and from C. Machines that accelerate garbling are simulated, as models and in SystemVerilog.
END
    cat LICENSE-MIT LICENSE-APACHE >"$tree/usr/share/doc/halfgate/copyright"
    find "$tree" -type d -exec chmod 755 {} +
    find "$tree" -type f ! -path '*/bin/*' -exec chmod 644 {} +
    chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm"
    file=$out/halfgate_${version}_$arch.deb
    dpkg-deb --root-owner-group --build "$tree" "$file" >/dev/null
    dpkg-deb -x "$file" "$work/installed"
    check "$work/installed/usr/bin/halfgate"
    echo "$part: $file: runs outside the checkout"
}

failed=()
left_out=()
for part in "$@"; do
    [ "$(type -t "part_$part")" = function ] || {
        echo "dist: unknown part $part: use amd64, arm64 or deb" >&2
        exit 2
    }
    # A separate process, since `set -e` is off in a function whose exit code is tested.
    set +e
    (
        set -e
        trap - EXIT
        "part_$part"
    )
    status=$?
    set -e
    case $status in
        0) ;;
        $not_run) left_out+=("$part") ;;
        *) failed+=("$part") ;;
    esac
done
(cd "$out" && rm -f SHA256SUMS && shopt -s nullglob && files=(*.tar.gz *.deb) &&
    [ ${#files[@]} = 0 ] || sha256sum "${files[@]}" >SHA256SUMS)
echo "dist: NOT RUN: ${left_out[*]:-none}; failed: ${failed[*]:-none}"
[ ${#failed[@]} = 0 ] || exit 1
[ ${#left_out[@]} -lt $# ] || exit $not_run

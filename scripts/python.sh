#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a virtual environment in target/python,
# runs its tests, and runs the notebooks. Needs python3 (3.10 or later) with venv and, the first
# time, a network.
#
#   scripts/python.sh                all of it
#   scripts/python.sh wheel          only the wheel, in target/python/wheels
#   scripts/python.sh manylinux      only a wheel for all Linux systems with glibc 2.17 or later, in
#                                    target/python/manylinux, and its tests of sessions
#   scripts/python.sh bench [FILE]   measures the package's targets, and writes them to FILE
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
python=${PYTHON:-python3}
home=$PWD/target/python
wheels=$home/wheels
export CARGO_TARGET_DIR=$home/cargo

if ! "$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "python: $python is not Python 3.10 or later with the module venv: install it, or set PYTHON" >&2
    exit 1
fi
if [ ! -x "$home/bin/maturin" ]; then
    "$python" -m venv "$home"
    "$home/bin/pip" --quiet install "maturin==1.16.*"
fi

if [ "${1:-}" = manylinux ]; then
    # zig links against the symbols of an old glibc. auditwheel checks that no later one is needed.
    rm -rf "$home/manylinux"
    "$home/bin/pip" --quiet install "ziglang==0.17.*" "auditwheel==6.*"
    PATH=$home/bin:$PATH "$home/bin/maturin" build --release --locked --quiet --zig \
        --compatibility manylinux2014 --manifest-path python/Cargo.toml --out "$home/manylinux"
    wheel=$(echo "$home/manylinux"/*.whl)
    "$home/bin/auditwheel" show "$wheel" | grep -A 1 'is consistent with' | tr '\n' ' '
    echo
    "$python" -m venv "$home/manylinux/venv"
    "$home/manylinux/venv/bin/pip" --quiet install "$wheel" "pytest>=8"
    cp python/tests/{parties,test_sessions}.py "$home/manylinux"
    (cd "$home/manylinux" && venv/bin/python -m pytest -q test_sessions.py)
    echo "python: $wheel: runs outside the checkout"
    exit
fi

rm -rf "$wheels"
"$home/bin/maturin" build --release --locked --quiet --manifest-path python/Cargo.toml --out "$wheels"
wheel=$(echo "$wheels"/*.whl)
echo "python: $(basename "$wheel"), $(($(stat -c %s "$wheel") / 1000)) kB"
if [ "${1:-}" = wheel ]; then
    exit
fi

"$home/bin/pip" --quiet install --force-reinstall --no-deps "$wheel"
"$home/bin/pip" --quiet install "$wheel[test]"
# Outside python/, so that the installed package is used and not the sources.
rm -rf "$home/run"
mkdir "$home/run"
cp -r python/tests python/pyproject.toml python/bench.py "$home/run"

if [ "${1:-}" = bench ]; then
    CARGO_TARGET_DIR=target "$cargo" build --release --quiet --locked --package halfgate-cli
    "$home/bin/python" "$home/run/bench.py" --wheel "$wheel" --command target/release/halfgate \
        ${2:+--out "$2"}
    exit
fi

(cd python && "$cargo" fmt --check && "$cargo" clippy --quiet --release --locked -- -D warnings)
tree=$PWD
cd "$home/run"
"$home/bin/mypy" --strict -p halfgate
HALFGATE_BOOK=$tree/docs/python.md "$home/bin/python" -m pytest -q "${@:1}" tests

# Examples are checked as a user would check them; they need no types of their own.
"$home/bin/pip" --quiet install "$wheel[notebooks]"
rm -rf examples
"$home/bin/python" "$tree/scripts/python-code.py" examples "$tree"/{docs/python.md,python/README.md} \
    "$tree"/examples/notebooks/*.ipynb
cp "$tree"/scripts/{notebooks,pictures,python-code}.py bench.py examples
as_users=("$home/bin/mypy" --strict --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls)
"${as_users[@]}" examples/*.py
echo 'bill.complie()' >>examples/page_python.py
if "${as_users[@]}" examples/page_python.py >/dev/null; then
    echo "python: mypy accepts an example with a misspelt method, so that it checks nothing" >&2
    exit 1
fi
"$home/bin/python" "$tree/scripts/notebooks.py"

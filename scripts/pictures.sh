#!/usr/bin/env bash
# pictures.sh [OUT]: draws all pictures of the book as SVG into the folder OUT (target/pictures).
#
# Most are drawn from bench/results and bench/figures. Those of docs/python.md are of its examples,
# which are run here. PYTHON is a Python that has the package halfgate with matplotlib
# (target/python/bin/python, which `make python` makes). HALFGATE is the command
# (target/release/halfgate); without it, the picture of a machine is left out. The exit code is 77
# if the package is missing, so that nothing was drawn.
set -euo pipefail
out=$(realpath --canonicalize-missing "${1:-target/pictures}")
cd "$(dirname "$0")/.."

python=${PYTHON:-target/python/bin/python}
if ! "$python" -c 'import halfgate.plot' 2>/dev/null; then
    echo "pictures: NOT DRAWN: $python has no package halfgate with matplotlib: run \`make python\`," \
        "or \`pip install './python[plot]'\` and set PYTHON"
    exit 77
fi
"$python" scripts/pictures.py "$out" "${HALFGATE:-target/release/halfgate}"

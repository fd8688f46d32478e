#!/usr/bin/env bash
# Two companies compare what they pay. Each has a table of salaries; both learn the mean, the median
# and the highest salary of all together, and nothing else of the other's.
#
#   examples/walks/salaries.sh      (HALFGATE: the command; WRITE: what writes the circuit)
set -euo pipefail
cd "$(dirname "$0")/../.."
halfgate=${HALFGATE:-halfgate}
. examples/walks/two-parties.sh

cat >"$work/ours.csv" <<'END'
name,salary
Ann,61000
Bea,58500
Carl,72000
Dora,49900
END
cat >"$work/theirs.csv" <<'END'
employee;since;pay
Emil;2019;55000
"Fay; Gil";2021;83000
Hugo;2008;64100
END

# The function is written once, in Rust (crates/halfgate/examples/salaries.rs), into a file for
# both.
${WRITE:-cargo run --quiet -p halfgate --example salaries --} "$work/salaries.hgc" 4 3

session "$work/salaries.hgc" "@$work/ours.csv:salary" "@$work/theirs.csv:pay"
# Of 49900 55000 58500 61000 64100 72000 83000.
expect mean 63357
expect median 61000
expect highest 83000

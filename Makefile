# Each target does its own set-up; `make` alone lists them.

CARGO ?= cargo
# How long `make fuzz` runs each fuzz target.
FUZZ_SECONDS ?= 60
# A folder with netlists that papers used, for `make reproduce`: see scripts/reproduce.sh.
NETLISTS ?=

.DEFAULT_GOAL := help
.PHONY: help setup spec check quick test nightly rtl demo demo-hardware bench reproduce check-results synth place fuzz mutants dist docs

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## Install what a build needs and is not there; quick if nothing is missing
	@scripts/setup.sh

spec: setup ## Write what is generated from spec/: Rust constants, SystemVerilog packages, tables
	$(CARGO) run --quiet --locked -p halfgate-spec

check: setup ## Formatting, lints, links, licences, structure rules, nothing generated is stale
	$(CARGO) fmt --all --check
	scripts/examples.sh --format
	for script in scripts/*.sh examples/walks/*.sh machines/*/*.sh machines/*/rtl/*/*.sh .ci/run; do bash -n $$script || exit 1; done
	CARGO="$(CARGO)" scripts/deny.sh
	$(CARGO) run --quiet --locked -p halfgate-house -- check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" \
		$(CARGO) doc --workspace --no-deps --locked --quiet
	$(CARGO) run --quiet --locked -p halfgate-spec -- --check
	scripts/rtl-lint.sh
	scripts/rtl-prove.sh

quick: setup ## What the changed files can break, without simulated RTL (a minute; SINCE=commit to look further back)
	@CARGO="$(CARGO)" scripts/tests.sh quick

test: setup ## All that CI runs: the crates in examples/, constant time, all tests but the long ones
	scripts/examples.sh
	scripts/constant-time.sh kernels
	CARGO="$(CARGO)" scripts/tests.sh
	@echo "test: all that ran passed; what could not run here is named above"

nightly: setup ## All that takes long: all RTL, known faults, fuzzing, other processors (hours)
	CARGO="$(CARGO)" scripts/nightly.sh

rtl: setup ## All tests of the RTL, the long ones and those of 16 engines too (an hour and more)
	scripts/rtl-lint.sh all
	CARGO="$(CARGO)" scripts/tests.sh rtl

demo: ## Two processes over TLS on loopback: AES-128 on 1,000 blocks, millionaires, set intersection
	@scripts/setup.sh build
	@scripts/demo.sh

demo-hardware: setup ## Machines take a side, as models and as simulated SystemVerilog (builds simulators)
	@scripts/demo-hardware.sh

bench: setup ## Measure every target of the scoreboard on this machine (minutes; wants two idle cores)
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench kernel engine ot session memory --out bench/results/cpu.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench gadgets floats sequential compile --out bench/results/circuits.json
	@for script in machines/*/bench.sh; do CARGO="$(CARGO)" $$script || exit 1; done

reproduce: setup ## The tables and figures of the papers, and their targets (minutes)
	CARGO="$(CARGO)" NETLISTS="$(NETLISTS)" scripts/reproduce.sh

check-results: setup ## Whether recorded rows come out again that take under two minutes each (NETLISTS as for reproduce)
	CARGO="$(CARGO)" scripts/check-results.sh $(if $(NETLISTS),--netlists "$(NETLISTS)")

synth: setup ## What the RTL costs: FPGA counts, ECP5 placed and routed, cells if LIBERTY=file.lib (an hour)
	@for script in machines/*/synth.sh; do \
		CARGO="$(CARGO)" LIBERTY="$(LIBERTY)" PROCESS="$(PROCESS)" $$script || exit 1; done

place: setup ## Place and route machines for boards: what they take, Fmax, bitstreams (half an hour)
	@for script in machines/*/place.sh; do $$script || exit 1; done

dist: setup ## Static binaries and a Debian package in target/dist, each run away from the checkout
	CARGO="$(CARGO)" scripts/dist.sh

docs: setup ## The book in target/book/html, with every link and anchor checked (installs mdbook and lychee once)
	CARGO="$(CARGO)" scripts/book.sh

fuzz: setup ## Run each fuzz target for FUZZ_SECONDS (60 each)
	FUZZ_REQUIRED=1 scripts/fuzz.sh $(FUZZ_SECONDS)

mutants: setup ## Put each known fault into models and RTL, and show what finds it (hours)
	CARGO="$(CARGO)" scripts/tests.sh mutants

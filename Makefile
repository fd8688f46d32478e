# Each target does its own set-up; `make` alone lists them.

CARGO ?= cargo
# Seconds that `make fuzz` runs each fuzz target.
FUZZ_SECONDS ?= 60
# Folder with netlists that papers used, for `make reproduce`: see scripts/reproduce.sh.
NETLISTS ?=

.DEFAULT_GOAL := help
.PHONY: help setup spec check check-code check-rtl quick test nightly rtl prove cocotb demo demo-hardware bench bench-scale reproduce check-results synth silicon place fuzz mutants dist docs python

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## Install missing tools; quick if none is missing
	@scripts/setup.sh

spec: setup ## Generate Rust constants, SystemVerilog packages and tables from spec/
	$(CARGO) run --quiet --locked -p halfgate-spec

check: setup ## Check formatting, lints, links, licences, structure rules and generated files
	@$(MAKE) --no-print-directory --jobs 2 check-code check-rtl

# Both halves at once, since neither keeps two cores busy.
check-code:
	$(CARGO) fmt --all --check
	scripts/examples.sh --format
	for script in scripts/*.sh examples/walks/*.sh machines/*/*.sh machines/*/*/*.sh machines/*/rtl/*/*.sh .ci/run; do bash -n $$script || exit 1; done
	CARGO="$(CARGO)" scripts/deny.sh
	$(CARGO) run --quiet --locked -p halfgate-house -- check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" \
		$(CARGO) doc --workspace --no-deps --locked --quiet
	$(CARGO) run --quiet --locked -p halfgate-spec -- --check

check-rtl:
	scripts/rtl-lint.sh
	@if command -v python3 >/dev/null; then scripts/rtl-prove.py quick; \
		else echo "rtl: NOT PROVED: python3 is not installed"; fi

quick: setup ## Test what the changed files affect, without simulated RTL (a minute; SINCE=commit to look further back)
	@CARGO="$(CARGO)" scripts/tests.sh quick

test: setup ## Run all tests of CI: the crates in examples/, constant time, all tests but the long ones
	scripts/examples.sh
	scripts/constant-time.sh kernels
	CARGO="$(CARGO)" scripts/tests.sh
	@echo "test: all that ran passed; what could not run here is named above"

nightly: setup ## Run all long checks: all RTL, known faults, fuzzing, other processors (hours)
	CARGO="$(CARGO)" scripts/nightly.sh

rtl: setup ## Run all tests of the RTL, also the long ones and those of 16 engines (an hour and more)
	scripts/rtl-lint.sh all
	CARGO="$(CARGO)" scripts/tests.sh rtl

prove: setup ## Prove properties of the RTL, and show for each a mutant that breaks it (two minutes)
	scripts/rtl-prove.py

cocotb: setup ## Test machines at their pins from Python, with cocotb and a Verilator of its own (minutes)
	@for script in machines/*/cocotb/run.sh; do CARGO="$(CARGO)" $$script || [ $$? = 77 ] || exit 1; done

demo: ## Run two processes over TLS on loopback: AES-128 on 1,000 blocks, millionaires, set intersection
	@scripts/setup.sh build
	@scripts/demo.sh

demo-hardware: setup ## Run sessions with machines, as models and as simulated SystemVerilog (builds simulators)
	@scripts/demo-hardware.sh

bench: setup ## Measure every target of the scoreboard on this machine (minutes; needs two idle cores)
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench kernel engine ot session memory --out bench/results/cpu.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench gadgets floats sequential compile --out bench/results/circuits.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench structured --out bench/results/structured.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench threads overlap instances compile-speed block-times --out bench/results/threads.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench malicious --out bench/results/malicious.json
	CARGO="$(CARGO)" scripts/python.sh bench bench/results/python.json
	@for script in machines/*/bench.sh; do CARGO="$(CARGO)" $$script || exit 1; done

bench-scale: setup ## Draw the curve of speed over threads, up to all cores, and measure sessions
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench scale overlap $(if $(OUT),--out $(OUT))

reproduce: setup ## Reproduce the tables and figures of the papers, and their targets (minutes)
	CARGO="$(CARGO)" NETLISTS="$(NETLISTS)" scripts/reproduce.sh

check-results: setup ## Rerun and compare recorded rows that take under two minutes each (NETLISTS as for reproduce)
	CARGO="$(CARGO)" scripts/check-results.sh $(if $(NETLISTS),--netlists "$(NETLISTS)")

synth: setup ## Measure the size of the RTL: FPGA counts, ECP5 placed and routed (an hour); with LIBERTY=, only `silicon`
	@if [ -n "$(LIBERTY)" ]; then exec $(MAKE) --no-print-directory silicon; fi; \
	for script in machines/*/synth.sh; do CARGO="$(CARGO)" $$script || exit 1; done

silicon: setup ## Measure machines in standard cells: LIBERTY=file or folder, PROCESS="7 nm, ASAP7", MHZ, OUT (hours)
	@CARGO="$(CARGO)" LIBERTY="$(LIBERTY)" PROCESS="$(PROCESS)" MHZ="$(MHZ)" OUT="$(OUT)" scripts/silicon.sh

place: setup ## Place and route machines for boards: resources, Fmax, bitstreams (half an hour)
	@for script in machines/*/place.sh; do $$script || exit 1; done

dist: setup ## Build static binaries and a Debian package in target/dist, and run each outside the checkout
	CARGO="$(CARGO)" scripts/dist.sh

python: ## Build the Python package's wheel, install it in target/python, run its tests and notebooks (minutes)
	CARGO="$(CARGO)" scripts/python.sh

docs: setup ## Build the book in target/book/html, check links and anchors (installs mdbook and lychee once)
	CARGO="$(CARGO)" scripts/book.sh

fuzz: setup ## Run each fuzz target for FUZZ_SECONDS (60 each)
	FUZZ_REQUIRED=1 scripts/fuzz.sh $(FUZZ_SECONDS)

mutants: setup ## Inject each known fault into models and RTL, and show which test finds it (hours)
	CARGO="$(CARGO)" scripts/tests.sh mutants

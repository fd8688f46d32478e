# Each target does its own set-up; `make` alone lists them.

CARGO ?= cargo
# How long `make fuzz` runs each fuzz target, and how long `make test` does.
FUZZ_SECONDS ?= 60
FUZZ_SECONDS_IN_TEST ?= 5
# A folder with the netlists that the parallel FASE paper used (AES_128_11.scd, ...), and udivide64.txt of the mobile coprocessor's, or with folders
# that have them, for `make reproduce`: without it there are no figures on them. Tables 4 and 5 want the tools that `make synth` installs.
NETLISTS ?=
# `--netlists` with the folder of files like this, if there is one.
netlists = $(addprefix --netlists ,$(firstword $(sort $(dir $(if $(NETLISTS),$(shell find -L $(NETLISTS) -maxdepth 2 -name '$(1)'))))))

.DEFAULT_GOAL := help
.PHONY: help setup spec check quick test nightly rtl demo bench reproduce synth mobile fuzz mutants

help: ## List these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## Install what a build needs and is not there; quick if nothing is missing
	@scripts/setup.sh

spec: setup ## Write what is generated from spec/: Rust constants, SystemVerilog packages, tables
	$(CARGO) run --quiet --locked -p halfgate-spec

check: setup ## Formatting, lints, links in the documentation, dependency rule, nothing generated is stale
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check
	$(CARGO) fmt --manifest-path examples/starter/Cargo.toml --check
	for script in scripts/*.sh .ci/run; do bash -n $$script || exit 1; done
	scripts/dependency-rule.sh
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" \
		$(CARGO) doc --workspace --no-deps --locked --quiet
	$(CARGO) run --quiet --locked -p halfgate-spec -- --check
	scripts/rtl-lint.sh
	scripts/rtl-prove.sh

quick: setup ## What the changed files can break, without simulated RTL (a minute; SINCE=commit to look further back)
	@CARGO="$(CARGO)" scripts/tests.sh quick

test: setup ## All that CI runs: the starter crate, constant time, each fuzz target for a moment, all tests but the long ones
	scripts/starter.sh
	scripts/constant-time.sh
	scripts/fuzz.sh $(FUZZ_SECONDS_IN_TEST)
	@echo "test: what could not run here is named above and below as NOT RUN"
	CARGO="$(CARGO)" scripts/tests.sh

nightly: setup ## All that takes long: all RTL, known faults, fuzzing, other processors (hours)
	CARGO="$(CARGO)" scripts/nightly.sh

rtl: setup ## All tests of the RTL, the long ones and those of 16 engines too (an hour and more)
	scripts/rtl-lint.sh all
	CARGO="$(CARGO)" scripts/tests.sh rtl

demo: setup ## Two processes over TLS on loopback: AES-128 on 1,000 blocks, millionaires, set intersection
	scripts/demo.sh

bench: setup ## Measure every target of the scoreboard on this machine (minutes; wants two idle cores)
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench kernel engine ot session memory --out bench/results/cpu.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench gadgets floats sequential compile --out bench/results/circuits.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		bench rtl --out bench/results/haac-rtl.json

reproduce: setup ## The tables and figures of the papers HAAC, parallel FASE, GarbledCPU, SIFO and the mobile coprocessor, and their targets (minutes)
	@$(if $(NETLISTS),$(if $(call netlists,*.scd)$(call netlists,udivide64.txt),,echo "make: NETLISTS=$(NETLISTS) has no .scd and no udivide64.txt" >&2; exit 1))
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		reproduce haac --out bench/results/haac.json
	PATH="$(CURDIR)/target/synth-tools/bin:$$PATH" $(CARGO) run --release --quiet --locked --bin halfgate -- \
		reproduce fase $(call netlists,*.scd) --out bench/results/fase.json
	PATH="$(CURDIR)/target/synth-tools/bin:$$PATH" $(CARGO) run --release --quiet --locked --bin halfgate -- \
		reproduce garbledcpu --out bench/results/garbledcpu.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		reproduce overlay --out bench/results/overlay.json
	$(CARGO) run --release --quiet --locked --bin halfgate -- \
		reproduce mobile $(call netlists,udivide64.txt) --out bench/results/mobile.json

synth: setup ## What the RTL costs: FPGA counts, ECP5 placed and routed, cells if LIBERTY=file.lib (an hour)
	CARGO="$(CARGO)" LIBERTY="$(LIBERTY)" PROCESS="$(PROCESS)" OUT=bench/results/haac-synth.json scripts/synth.sh

mobile: setup ## Place and route the mobile coprocessor for an iCEBreaker, in both forms: what it takes, Fmax, bitstreams; the wide one for a ULX3S (half an hour)
	OUT=bench/results/mobile-place.json scripts/mobile.sh spi
	OUT=bench/results/mobile-round-place.json scripts/mobile.sh spi round
	OUT=bench/results/mobile-wide-place.json scripts/mobile-wide.sh

fuzz: setup ## Run each fuzz target for FUZZ_SECONDS (60 each)
	FUZZ_REQUIRED=1 scripts/fuzz.sh $(FUZZ_SECONDS)

mutants: setup ## Put each known fault into models and RTL, and show what finds it (hours)
	CARGO="$(CARGO)" scripts/tests.sh mutants

# `make` alone says what there is. Everything that a target needs beyond rustup, it installs under target/.

SHELL := /usr/bin/env bash
WASM := $(addprefix target/wasm32-unknown-unknown/release/pumpfun_, transactions.wasm trades.wasm outputs.wasm)
DEFAULT_BLOCKS := target/blocks
BLOCKS ?= $(DEFAULT_BLOCKS)
export BLOCKS PARAMS PORT POSTGRES_PORT
PUMPFUN := target/debug/pumpfun
MODULE ?= map_events
SECONDS ?= 60
TARGETS ?=

# The paths above are those of the README, whatever the environment says.
unexport CARGO_TARGET_DIR

# `cargo build --profile bench` writes into target/release.
.PHONY: help run wasm tool bench test test-engine engine stream sink pack fmt lint wasm-checks reproducible \
	protogen protogen-check toolchain fuzz mutants deny unused unsafe narrow

help:
	@echo 'make run [BLOCKS=DIR]  build all, run map_trades in wasmtime on generated blocks or on those of DIR'
	@echo 'make wasm              build the modules: target/wasm32-unknown-unknown/release/pumpfun_*.wasm'
	@echo 'make stream [BLOCKS=DIR] [MODULE=map_events] [PARAMS=FILTER] [PORT=10016]  stream a module from the real engine'
	@echo 'make sink [BLOCKS=DIR] [PORT=10016] [POSTGRES_PORT=10432]  the real engine into a private PostgreSQL, and what queries say'
	@echo 'make pack              pumpfun-trades.spkg, and docs/package.txt: its sizes and the hashes of its modules'
	@echo 'make test              format, clippy, no unsafe, generated code, wasm and its size, reproducible build, all tests'
	@echo 'make engine            build the engine, the substreams command and the SQL sink: target/engine'
	@echo 'make test-engine       the tests on the real engine alone'
	@echo 'make tool              build the command-line tool: $(PUMPFUN)'
	@echo 'make bench [BLOCKS=DIR] measure against all others, on generated blocks or on those of DIR; writes docs/'
	@echo 'make fuzz [SECONDS=60] [TARGETS=NAME]  fuzz every target of fuzz/ for so long each'
	@echo 'make mutants           change the decoder place by place, and see whether a test fails'
	@echo 'make deny              licences, sources, versions and known faults of what is depended on'
	@echo 'make unused            dependencies that nothing uses'
	@echo 'make protogen          generate what follows from proto/: types, SQL tables, tables of docs/'

run: wasm tool
	@if [ "$$BLOCKS" = '$(DEFAULT_BLOCKS)' ]; then \
		echo '== generated blocks' >&2; rm -rf '$(DEFAULT_BLOCKS)'; $(PUMPFUN) generate '$(DEFAULT_BLOCKS)'; fi
	@echo "== map_trades on $$BLOCKS" >&2
	@$(PUMPFUN) run --module map_trades "$$BLOCKS"

wasm: toolchain
	@echo '== the modules for wasm32 (half a minute the first time)' >&2
	@scripts/build-wasm

tool: toolchain
	@echo '== the tool, with wasmtime and its compiler (some three minutes the first time)' >&2
	@cargo build --locked --package pumpfun-tool

# What runs on the engine needs what it is run with.
engine: toolchain
	@scripts/build-engine

stream: wasm engine
	@cargo build --locked --quiet --package pumpfun-engine
	@if [ "$$BLOCKS" = '$(DEFAULT_BLOCKS)' ]; then set --; else set -- "$$BLOCKS"; fi; \
		target/debug/pumpfun-engine stream --module '$(MODULE)' $${PORT:+--port "$$PORT"} \
		$${PARAMS:+--params "$$PARAMS"} "$$@"

sink: wasm engine
	@cargo build --locked --quiet --package pumpfun-engine
	@if [ "$$BLOCKS" = '$(DEFAULT_BLOCKS)' ]; then set --; else set -- "$$BLOCKS"; fi; \
		target/debug/pumpfun-engine sink $${PORT:+--port "$$PORT"} \
		$${POSTGRES_PORT:+--postgres-port "$$POSTGRES_PORT"} "$$@"

pack: wasm engine
	@target/engine/substreams pack substreams.yaml -o pumpfun-trades.spkg
	@UPDATE_DOCS=1 cargo test --locked --quiet --package pumpfun-engine --test package

test-engine: wasm engine
	@cargo test --locked --package pumpfun-engine

test: fmt protogen-check lint unsafe wasm-checks reproducible narrow engine
	@echo '== tests' >&2
	@[ -d ../shared/blocks ] || echo '== ../shared is not there: what is tested on real blocks, is not' >&2
	@cargo test --locked --workspace

fmt: toolchain
	@echo '== format' >&2
	@cargo fmt --all --check

lint: toolchain
	@echo '== clippy' >&2
	@cargo clippy --locked --workspace --all-targets --all-features -- -D warnings

unsafe:
	@scripts/check-unsafe

# What base58 computes with on targets of 32 bits, wasm among them, under the tests of those of 64.
narrow: toolchain
	@echo '== base58 with the limbs that it has in wasm' >&2
	@RUSTFLAGS='--cfg base58_narrow' cargo test --locked --quiet --package pumpfun-base58 --target-dir target/narrow

fuzz: toolchain
	@SECONDS_EACH='$(SECONDS)' scripts/fuzz $(TARGETS)

mutants: wasm
	@scripts/mutants

deny: toolchain
	@scripts/deny

unused: toolchain
	@scripts/unused

wasm-checks: wasm
	@scripts/check-wasm $(WASM)

reproducible: wasm
	@echo '== the same modules from another folder with another cargo home' >&2
	@scripts/check-reproducible $(WASM)

bench: wasm
	@echo '== the benches, and the contenders as wasm (some five minutes the first time)' >&2
	@cargo build --locked --release --target wasm32-unknown-unknown \
		--package pumpfun-bench-wasm-contenders --package pumpfun-bench-wasm-base58
	@RUSTFLAGS='-C target-cpu=native' cargo build --locked --release --target-dir target/native-cpu \
		--package pumpfun-bench-wasm-base58 --bins
	@cargo build --locked --profile bench --package pumpfun-bench --bins
	@if [ "$$BLOCKS" = '$(DEFAULT_BLOCKS)' ]; then set --; else set -- "$$BLOCKS"; fi; \
		target/release/pumpfun-bench --out docs "$$@"

protogen: toolchain
	@scripts/protogen

protogen-check: toolchain
	@echo '== generated code' >&2
	@scripts/protogen --check

# Where RUSTUP_AUTO_INSTALL=0 is set, rust-toolchain.toml alone installs nothing.
toolchain:
	@command -v rustup > /dev/null || { echo 'rustup is needed: see https://rustup.rs' >&2; exit 1; }
	@rustup toolchain install --no-self-update > /dev/null 2>&1 || rustup toolchain install --no-self-update
	@command -v cc > /dev/null || { echo 'a C compiler is needed, for zstd' >&2; exit 1; }

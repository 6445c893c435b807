# Everything sets itself up: `make play` and `make test` work from a clean clone with Python 3.11 and make.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# A stamp: as long as pyproject.toml is older, nothing is installed and no network is needed.
STAMP := $(VENV)/.installed
BENCH_STAMP := $(VENV)/.installed-bench
# The browser table: built by Node into the package, where the server finds it. Without a change nothing is built and nothing loaded.
WEB := src/sandtable/server/web/index.html
WEB_STAMP := web/node_modules/.installed
WEB_FILES := $(wildcard web/*.ts web/*.js web/*.json web/*.html web/public/*) $(shell find web/src -type f 2>/dev/null)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
ARGS ?=
JOBS ?= 2

.PHONY: help setup web play test lint types coverage fuzz bench clean

help:
	@echo "make web     build the browser table"
	@echo "make play    play a game (ARGS=... goes to sandtable play)"
	@echo "make test    run the tests (ARGS=... goes to pytest)"
	@echo "make lint    style, types and layers"
	@echo "make coverage  each rule of the finished games has code and a test"
	@echo "make fuzz    the long dose of fuzz tests, for the night"
	@echo "make bench   the benchmarks"

setup: $(STAMP)

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "sandtable needs Python 3.11 or later"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "sandtable needs Python 3.11 or later; PYTHON=... names one"; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -m pip --version >/dev/null 2>&1 \
		|| $(PYTHON) -m venv $(VENV) \
		|| { $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; } \
		|| { echo "no virtual environment can be made: install python3-venv"; exit 1; }
	$(PIP) install --editable '.[dev]'
	@touch $@

$(WEB_STAMP): web/package-lock.json
	@command -v npm >/dev/null || { echo "the browser table is built with Node 20 and npm"; exit 1; }
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(WEB): $(WEB_STAMP) $(WEB_FILES)
	cd web && node_modules/.bin/vite build --logLevel warn
	@touch $@

web: $(WEB)

play: setup $(WEB)
	@$(BIN)/sandtable play $(ARGS)

test: setup $(WEB)
	@sh tests/system_packages.sh
	cd web && node_modules/.bin/vitest run
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

lint: setup $(WEB_STAMP)
	cd web && node_modules/.bin/svelte-check --tsconfig ./tsconfig.json --fail-on-warnings --output human
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

coverage: setup
	@for game in $$($(BIN)/python -c 'from sandtable.kernel.game import find_games, load_game; print(*(id for id in sorted(find_games()) if load_game(id).covered))'); do \
		$(BIN)/sandtable rules $$game --coverage || exit 1; \
	done

fuzz: setup
	SANDTABLE_FUZZ=big $(BIN)/python -m pytest tests/fuzz -n $(JOBS) --timeout 0 --hypothesis-show-statistics $(ARGS)

$(BENCH_STAMP): $(STAMP)
	$(PIP) install --editable '.[dev,bench]'
	@touch $@

bench: $(BENCH_STAMP)
	@for script in $(wildcard benchmarks/[a-z]*.py); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) web/node_modules src/sandtable/server/web .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

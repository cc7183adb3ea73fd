# Each target does its own set-up: all it needs is Python >= 3.11 and make. `make PYTHON=/path/to/python3.12 test`
# picks another interpreter for a virtual environment that does not exist yet (`make clean` removes it).

VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := constraints.txt
FINDER := .ci/alignkit_checkout.py
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet  # errors only
COMPILING := $(if $(PYTHONDONTWRITEBYTECODE),,--no-compile)
PYTEST := $(BIN)/python -m pytest
TESTS := --numprocesses=auto --dist=worksteal --doctest-modules --ignore=tests/benchmarks alignkit tests
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3 python)

.PHONY: help prove test test-all test-newest audit docs bench lint lock clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@echo 'make prove        check the catalogue of mechanisms (the main job)'
	@echo 'make test         check style, types and imports, then run the tests and doctests'
	@echo 'make test-all     the same, with the slow tests'
	@echo 'make audit        run every command of docs/paper_audit.md, and compare what it prints'
	@echo 'make docs         build the site of the documentation in docs/_build/html'
	@echo 'make bench        run the benchmarks'
	@echo 'make lint         check style, types and imports only'
	@echo 'make lock         renew constraints.txt, which names the versions that make installs'
	@echo 'make test-newest  run make test with the newest versions instead, in .venv-newest'
	@echo 'make clean        remove the virtual environments and everything that was built'

prove: $(VENV)/.runtime
	$(BIN)/alignkit check

test: lint
	$(PYTEST) -m 'not slow' $(TESTS)

test-all: lint
	$(PYTEST) $(TESTS)

# Installs everything anew each time and without the constraints, so that the newest versions are tested.
test-newest:
	rm -rf .venv-newest
	$(MAKE) VENV=.venv-newest CONSTRAINTS= test

# Takes some ten minutes; a line for each command.
audit: $(VENV)/.test
	$(BIN)/python tests/audit/run_commands.py

docs: $(VENV)/.docs
	$(BIN)/python docs/build_site.py

bench: $(VENV)/.bench
	$(PYTEST) -o 'python_files=bench_*.py' -o 'python_functions=bench_*' tests/benchmarks

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

# Writes the versions that make installs, for every extra and for every Python from 3.11 on.
lock: $(BIN)/python
	@$(PIP) install --upgrade uv
	@{ \
	    echo '# The versions that make installs, for all extras and Python 3.11 or newer; made by `make lock`.'; \
	    echo "# Date: $$(date -u +%Y-%m-%d)"; \
	    $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --all-extras --no-header \
	        pyproject.toml; \
	} > constraints.new && mv constraints.new constraints.txt || { rm -f constraints.new; exit 1; }

# Each stamp stands for a set of dependencies, which are installed again only when pyproject.toml or the constraints
# change. The two variables pass the constraints on to the environment in which pip builds alignkit: older versions of
# pip read the first, newer ones the second. The path is relative because pip splits the variables at spaces.
# Most modules of the packages are never imported, so each is compiled when it is; but not if that could not be kept.
# The lines before `touch` keep a folder called alignkit, such as the checkout itself, from hiding the package.
$(VENV)/.runtime: EXTRAS := [fast]
$(VENV)/.test: EXTRAS := [test,dev]
$(VENV)/.docs: EXTRAS := [docs]
$(VENV)/.bench: EXTRAS := [bench]
$(VENV)/.runtime $(VENV)/.test $(VENV)/.docs $(VENV)/.bench: pyproject.toml $(CONSTRAINTS) $(FINDER) $(BIN)/python
	@echo 'installing alignkit$(EXTRAS) into $(VENV)'
	@PIP_CONSTRAINT='$(CONSTRAINTS)' PIP_BUILD_CONSTRAINT='$(CONSTRAINTS)' $(PIP) install $(COMPILING) --editable '.$(EXTRAS)'
	@site=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') && \
	    cp $(FINDER) "$$site" && echo 'import alignkit_checkout' > "$$site/alignkit_checkout.pth"
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
	rm -rf $(VENV) .venv-newest build dist docs/_build *.egg-info .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find alignkit docs mechanisms proofs tests -name __pycache__ -type d -prune -exec rm -rf {} +

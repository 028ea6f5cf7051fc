# make demo     play one complete four-player game on this machine and audit it
# make test     run all tests
# make check    formatting, lint and types
# make nightly  the tests that take longer: 100,000 random games, 2,000 simulated ones, 50 games in
#               which processes are killed, and more
# make catalogues  bring the translations up to date with the texts in the code
# Each of them first sets up what it needs in .venv; nothing outside this folder is touched
# (the demo's games are kept in the user's data folder).

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test check format nightly catalogues clean

demo: $(READY)
	$(BIN)/p2pcoup demo

# Many tests wait for programs they have started; three at a time keep two cores busy.
test: $(READY)
	$(BIN)/pytest -n 3 --dist worksteal

nightly: $(READY)
	P2PCOUP_NIGHTLY=1 $(BIN)/pytest -n auto tests/rules tests/lobby tests/table tests/audit \
	  tests/test_demo.py tests/test_sim.py tests/node/test_process_kills.py \
	  tests/node/test_node_misbehaviour.py tests/net/test_mesh_load.py tests/fuzz

catalogues: $(READY)
	$(BIN)/python -m tests.ui.catalogues

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "p2pcoup needs Python 3.11 or newer; $(PYTHON) is older. Name another one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python could not make a virtual environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

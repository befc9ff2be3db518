# make demo   runs the main job; make test passes the tests. Both set up .venv by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIPS := $(BIN)/python -m pip --disable-pip-version-check --quiet
PIP := $(PIPS) install
LOCKED := langchain llama-index haystack langfuse openllmetry otlp phoenix mcp s3 pgvector train evaluate site compiled dev
# Tests wait for agents and servers a third of their time: three workers for two cores.
JOBS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))

# Servers of other projects that tests run, each in an environment of its own.
PEERS := .venv-phoenix

.PHONY: demo test compiled peers models lint format bench quality docs site lock train-safety train-support train-conflict clean

demo: $(VENV)/demo.stamp
	$(BIN)/groundwire demo $(ARGS)

# With ARGS=--cov it measures coverage of the pure packages, for three times the time.
test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

# A wheel whose hot modules are compiled, in dist/compiled, which needs a C compiler. It must read traces and score as the
# sources do, byte for byte, and pass tests in an environment of its own; these import what is beside it from .venv. With OPTIMIZE=0 the
# compiler takes a quarter of the time.
COMPILED := .venv-compiled
OPTIMIZE ?= 2
# Tests of what is compiled. The laws run the examples of every module of it; a megabyte must not exhaust C's stack.
COMPILED_TESTS := $(addprefix tests/adapters/,assembly dialects documents wire test_golden.py test_laws.py \
	test_properties.py test_values.py test_vocabulary.py) \
	$(addprefix tests/scorers/,test_laws.py test_languages.py freshness grounding statements support text wording \
	test_work.py::test_a_megabyte_of_anything_is_scored_with_bounded_work)
compiled: $(VENV)/dev.stamp
	rm -rf $(COMPILED) dist/compiled
	GROUNDWIRE_COMPILE=1 GROUNDWIRE_OPTIMIZE=$(OPTIMIZE) $(PIPS) wheel --no-deps --no-build-isolation --wheel-dir dist/compiled .
	$(BIN)/python -m venv --without-pip $(COMPILED)
	$(PIPS) --python $(COMPILED) install --no-deps --no-index dist/compiled/*.whl
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > $(COMPILED)/beside.txt
	pwd >> $(COMPILED)/beside.txt
	mv $(COMPILED)/beside.txt $$($(COMPILED)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/beside.pth
	$(COMPILED)/bin/groundwire --version
	PYTHONPATH=. $(BIN)/python scripts/scores.py pure > $(COMPILED)/pure.txt
	$(COMPILED)/bin/python -P scripts/scores.py compiled > $(COMPILED)/compiled.txt
	cmp $(COMPILED)/pure.txt $(COMPILED)/compiled.txt
	$(COMPILED)/bin/python -P -m pytest -n 2 --dist worksteal -o pythonpath= -p no:cacheprovider \
		-m 'not slow' $(COMPILED_TESTS) $(ARGS)

peers: $(addsuffix /peer.stamp,$(PEERS))

# Tests of the optional models, in an environment of its own that has them: torch takes a gigabyte.
# One thread: those of torch spin while they wait, which stops what runs beside them.
models: .venv-models/models.stamp
	OMP_NUM_THREADS=1 .venv-models/bin/python -m pytest tests/models $(ARGS)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp
	$(BIN)/python benchmarks/adapt.py
	$(BIN)/python benchmarks/scoring.py
	$(BIN)/python benchmarks/catalog.py
	$(BIN)/python benchmarks/ingest.py
	$(BIN)/python benchmarks/pipeline.py
	$(BIN)/python benchmarks/pipeline.py --burst 3000
	$(BIN)/python benchmarks/alarms.py
	$(BIN)/python benchmarks/rebuild.py
	$(BIN)/python benchmarks/verify.py

# How good the scorers are, on labelled files: make quality DATA=path
quality: $(VENV)/dev.stamp
	$(BIN)/python benchmarks/quality.py --data $(DATA)

docs: $(VENV)/dev.stamp
	$(BIN)/python -m docs.generate

# The documentation as a site in dist/site; look at it with: python3 -m http.server -d dist/site
site: $(VENV)/dev.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet $(ARGS) # the theme advertises its successor

lock: $(VENV)/dev.stamp
	$(BIN)/uv pip compile pyproject.toml $(addprefix --extra ,$(LOCKED)) --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --no-emit-find-links --quiet --output-file constraints.txt $(ARGS)
	$(BIN)/uv pip compile tests/phoenix/requirements.in --universal --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --no-emit-find-links --quiet --output-file tests/phoenix/requirements.txt $(ARGS)
	$(BIN)/uv pip compile pyproject.toml tests/models/requirements.in --extra models --extra onnx --extra multilingual -c constraints.txt \
		--override tests/models/without-torch.txt --universal --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --no-emit-find-links --quiet --output-file tests/models/requirements.txt $(ARGS)

# Needs the train extra and the labelled files: make train-safety DATA=path
train-safety: $(VENV)/dev.stamp
	for model in abstention injection question_volatility refusal; do \
		$(BIN)/python -m training.$$model --data $(DATA) || exit 1; done

# The same for the models of support.
train-support: $(VENV)/dev.stamp
	$(BIN)/python -m training.support --data $(DATA) $(ARGS)

# Needs the train extra and the labelled files: make train-conflict DATA=path
train-conflict: $(VENV)/dev.stamp
	$(BIN)/python -m training.conflict --data $(DATA)

clean:
	rm -rf $(VENV) $(PEERS) .venv-models .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: constraints.txt pyproject.toml | $(VENV)/bin/python
	$(PYTHON) scripts/pins.py langchain > $(VENV)/demo.txt
	$(PIP) --no-deps --require-hashes -r $(VENV)/demo.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev.stamp: constraints.txt pyproject.toml | $(VENV)/bin/python
	$(PYTHON) scripts/pins.py --all > $(VENV)/dev.txt
	$(PIP) --no-deps --require-hashes -r $(VENV)/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@ $(VENV)/demo.stamp

.venv-%/peer.stamp: tests/%/requirements.txt
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes -r $<
	touch $@

# torch on its own line, as its builds differ by platform; the rest by hash. After .venv, as both write metadata here.
.venv-models/models.stamp: tests/models/requirements.txt pyproject.toml | $(VENV)/dev.stamp
	$(PYTHON) -m venv .venv-models
	.venv-models/bin/python -m pip --disable-pip-version-check install --quiet torch==2.13.0
	.venv-models/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --only-binary :all: \
		--require-hashes -r $<
	.venv-models/bin/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation -e .
	.venv-models/bin/python -c 'import sentence_transformers'
	touch $@

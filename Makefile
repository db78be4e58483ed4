# make demo    set up, run the first example, show what changed
# make test    set up, run every test: unit, hosts, a real control plane, and GitOps tools on one
# make check   what needs no host and no cluster: linters, types, layers, tests; under a minute
#
# Everything is put into .venv and ~/.cache/zonecast/tools; nothing is installed twice. On Debian, as root, packages that
# are missing are installed; otherwise a message says what is needed. It takes GNU make 4.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:

BIN := .venv/bin
# Named by the content of pyproject.toml: the environment is made anew when that changes, and only then.
VENV := .venv/made-for-$(firstword $(shell cksum <pyproject.toml))
HOSTS := kustomize kubectl kpt docker image kyverno kubeconform openapi
PLANE := etcd kubernetes kwok helm kyverno kyverno-1.13 kubectl crds
GITOPS := $(PLANE) kustomize docker image cmp-image helm4 podinfo repo-server-image argocd redis flux flux-controllers registry
TYPED := tests/*.py tests/hosts tests/cluster tests/gitops tests/krmfn tests/zonecast tests/property docs examples/04-sdk-snippet benchmarks
# Tests of examples that need the hosts stand beside others that do not.
NO_HOST := --ignore tests/hosts --ignore tests/cluster --ignore tests/gitops \
    --deselect tests/test_examples.py::test_every_host_comes_to_the_same \
    --deselect tests/test_examples.py::test_the_commands_of_a_readme_come_to_the_same

.PHONY: help demo test test-hosts test-cluster test-gitops cluster cluster-down check format bench bench-bindings bench-argocd image reference clean
help:
	@sed -n '/^# make/p' Makefile
	echo "also: test-hosts, test-cluster, test-gitops (the parts of test), cluster, cluster-down (a control plane to look at),"
	echo "format, bench, bench-argocd, image, reference, clean"

$(VENV): pyproject.toml
	@echo "== setting up .venv"
	python=$$(tools/install python)
	$$python -m venv .venv
	# A newer pip writes a console script that starts faster, and setuptools would slow every start down.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m pip uninstall --quiet --yes setuptools
	rm -f .venv/made-for-*
	touch $@

demo: $(VENV)
	@PATH="$$PWD/$(BIN):$$PATH" examples/demo

# Every part runs, whatever the others say.
test: $(VENV)
	@failed=0
	$(MAKE) --no-print-directory test-hosts || failed=1
	$(MAKE) --no-print-directory test-cluster || failed=1
	$(MAKE) --no-print-directory test-gitops || failed=1
	exit $$failed

test-hosts: $(VENV)
	@echo "== tools for the hosts"
	tools/install $(HOSTS) >/dev/null
	echo "== tests, without the cluster"
	$(BIN)/pytest --ignore tests/cluster --ignore tests/gitops

test-cluster: $(VENV)
	@echo "== tools for the control plane"
	tools/install $(PLANE) >/dev/null
	echo "== tests on a real control plane"
	$(BIN)/pytest tests/cluster

test-gitops: $(VENV)
	@echo "== tools for GitOps"
	tools/install $(GITOPS) >/dev/null
	echo "== tests of GitOps tools on a real control plane"
	$(BIN)/pytest tests/gitops

# A control plane that stays up, to look at: prints its kubeconfig.
cluster: $(VENV)
	@tools/install etcd kubernetes kwok kubectl >/dev/null
	$(BIN)/python -m tests.cluster.controlplane up

cluster-down: $(VENV)
	@$(BIN)/python -m tests.cluster.controlplane down

check: $(VENV)
	@$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	MYPYPATH=tests:tests/zonecast:benchmarks:docs $(BIN)/mypy --no-error-summary $(TYPED)
	$(BIN)/lint-imports >.venv/layers.txt || { cat .venv/layers.txt; exit 1; }
	$(BIN)/shellcheck tools/install tools/recipes/*.sh .ci/run examples/demo overlays/ci/{check-placement,manifests,tools} \
	    overlays/helm4-plugin/post-render overlays/flux/push
	$(BIN)/pytest --quiet --hypothesis-profile=quick $(NO_HOST)

format: $(VENV)
	@$(BIN)/ruff check --quiet --fix .

bench: $(VENV)
	@$(BIN)/python benchmarks/bench.py
	$(MAKE) --no-print-directory bench-bindings

# How long a pod's binding takes with the deletion-cost policy: on a control plane, in about a minute.
bench-bindings: $(VENV)
	@tools/install $(PLANE) >/dev/null
	$(BIN)/python -m tests.cluster.bindings

# Applications of Argo CD, rendered by the hundred.
COUNT := 200
bench-argocd: $(VENV)
	@tools/install $(GITOPS) >/dev/null
	PYTHONPATH=tests $(BIN)/python benchmarks/argocd.py --count $(COUNT)

image:
	@tools/install image

# docs/reference.md and docs/placement.schema.json, from the types that validate a Placement
reference: $(VENV)
	@$(BIN)/python docs/generate.py

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

# Shortcuts; the build itself is CMake's (CMakeLists.txt, CMakePresets.json).

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
BENCH_FLAGS ?=
DEMO = demo/flyball-governor
PAGE = build/viewer/page.html

.PHONY: build setup configure page python octave deb demo site gallery test test-long check bench format install clean help

build: configure
	cmake --build --preset release -j $(JOBS)

configure:
	@output=$$(cmake --preset release 2>&1) || { echo "$$output"; exit 1; }

setup:
	@scripts/setup

page: configure
	@cmake --build --preset release --target page
	@test -e $(PAGE) || { echo "$(PAGE) is not built; see the messages above" >&2; exit 1; }

python: setup
	@$(MAKE) --no-print-directory configure
	@cmake --build --preset release --target python -j $(JOBS)
	@echo "PYTHONPATH=$(CURDIR)/build/python python3 -c 'import crankmbs'"

octave: setup
	@$(MAKE) --no-print-directory configure
	@cmake --build --preset release --target octave -j $(JOBS)
	@echo "octave --path $(CURDIR)/build/octave"

deb:
	@scripts/setup --deb
	@$(MAKE) --no-print-directory page
	@JOBS=$(JOBS) scripts/deb

demo: setup
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory page
	@mkdir -p demo
	build/crank run models/flyball-governor/flyball-governor.yaml --out $(DEMO).csv --stats $(DEMO).json --html $(DEMO).html
	build/crank plot $(DEMO).csv s / alpha -o $(DEMO).svg
	@echo
	@echo "The governor's motion, one row a time:  $(DEMO).csv"
	@echo "What the run cost, and how well the constraints hold:  $(DEMO).json"
	@echo "Its plot, for any browser:  $(DEMO).svg"
	@echo "See it move, with any browser, also without a network:"
	@echo "    xdg-open $(DEMO).html"

site: setup
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory page
	scripts/site

gallery: setup
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory page
	scripts/gallery

test: setup
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory page
	ctest --preset release -j $(JOBS)

test-long: setup
	@$(MAKE) --no-print-directory build
	ctest --test-dir build -L '^long$$' --no-tests=error --output-on-failure -j $(JOBS)

check:
	scripts/check

bench:
	@scripts/setup --bench || scripts/setup
	@$(MAKE) --no-print-directory build
	bench/run $(BENCH_FLAGS)

format:
	scripts/format

install: build
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build demo

help:
	@echo "make            build the library and the command, build/crank"
	@echo "make setup      install what is missing (Debian; elsewhere: say what to install)"
	@echo "make page       the template of pages, build/viewer/page.html (Node.js; part of make if it is there)"
	@echo "make python     the library for Python: build/python/crankmbs, and a wheel beside it"
	@echo "make octave     the library for Octave: build/octave"
	@echo "make deb        Debian packages of it all: build/deb"
	@echo "make demo       set up, build, simulate a flyball governor, plot it and make a page that shows it move"
	@echo "make site       the manual as a site"
	@echo "make gallery    pages and pictures of all models"
	@echo "make test       set up, build, run the tests"
	@echo "make test-long  the tests that take long"
	@echo "make check      everything: both compilers, sanitizers, linter, fuzzing (scripts/check)"
	@echo "make bench      measure; BENCH_FLAGS are passed on"
	@echo "make format     format the C files"
	@echo "make install    install to PREFIX ($(PREFIX))"
	@echo "make clean      remove build/ and demo/"

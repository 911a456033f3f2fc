# The usual ways in. Each first makes sure that the Debian packages are there.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: build demo test test-asan bench install package clean packages test-packages

# Builds what users run, and no tests; the program is build/ravel.
build: packages
	cmake --preset release
	cmake --build build -j $(JOBS) --target programs

# Shows ravel finding and replaying a few bugs.
demo: build
	examples/demo.sh

# Builds and runs every test.
test: build test-packages
	cmake --build build -j $(JOBS)
	ctest --test-dir build --output-on-failure -j2

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer. Of random programs, and of schedules of one
# program, a few of each kind: they find what sanitizers look for soon or not at all.
test-asan: export ERLANG_TRACES_PROGRAMS = 20
test-asan: export ERLANG_STATES_PROGRAMS = 20
test-asan: export SYMMETRY_PROGRAMS = 20
test-asan: export TRACES_PROGRAMS = 100
test-asan: export WAYS_SEEDS = 1
test-asan: test-packages
	cmake --preset asan-ubsan
	cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan --output-on-failure -j2

# Measures the Erlang front end beside erl, and that for C and C++ beside native code and ThreadSanitizer.
bench: build
	bench/run.sh
	bench/threads/run.py
	bench/threads/tracking.py

# Installs below PREFIX; with DESTDIR=FOLDER below that folder, as packages are made.
install: build
	cmake --install build --prefix $(PREFIX)

# Makes build/ravel_VERSION_ARCHITECTURE.deb for the Debian that it is made on.
package: build
	cd build && cpack -G DEB

clean:
	rm -rf build build-asan build-dev

packages:
	@cmake/install_packages.sh

test-packages:
	@cmake/install_packages.sh --tests

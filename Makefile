# The usual ways in. Each first makes sure that the Debian packages are there.
JOBS ?= $(shell nproc)

.PHONY: build demo test test-asan bench clean packages

# Builds the release preset; the program is build/ravel.
build: packages
	cmake --preset release
	cmake --build build -j $(JOBS)

# Shows ravel finding and replaying a few bugs.
demo: build
	examples/demo.sh

# Builds and runs every test.
test: build
	ctest --test-dir build --output-on-failure -j2

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer.
test-asan: packages
	cmake --preset asan-ubsan
	cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan --output-on-failure -j2

# Measures the Erlang front end beside erl, and that for C and C++ beside native code and ThreadSanitizer.
bench: build
	bench/run.sh
	bench/threads/run.py
	bench/threads/tracking.py

clean:
	rm -rf build build-asan build-dev

packages:
	@cmake/install_packages.sh

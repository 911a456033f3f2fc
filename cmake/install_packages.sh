#!/bin/sh
# Installs the Debian packages that building, testing and running Ravel need, and only those that are
# missing: on a complete machine it asks dpkg once and touches nothing.
# usage: install_packages.sh [--tests]     --tests adds what only tests need
# Debian 12, 13 and testing have what is needed; of what only some tests use, each system has its own part.
set -eu

needed="
  g++ cmake ninja-build ccache pkg-config python3
  libgmp-dev libdw-dev zlib1g-dev libpcre2-dev libssl-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libpugixml-dev libcpp-httplib-dev
  libgtest-dev libgmock-dev libbenchmark-dev gdb dpkg-dev file
  erlang-base erlang-dev erlang-eunit erlang-common-test erlang-syntax-tools erlang-parsetools erlang-tools
  erlang-crypto erlang-xmerl erlang-runtime-tools elixir
"
# Libraries and tools that tests are run with, and what ravel-cluster is made of, where the system has them.
optional="
  coop-computing-tools coop-computing-tools-dev
  libconcurrentqueue-dev libreaderwriterqueue-dev libatomic-queue-dev catch2 doctest-dev libboost-test-dev
  erlang-poolboy erlang-goldrush erlang-redis-client erlang-meck
  rebar3
"
# What the page is built with that shows a bug. Whoever has Node.js from elsewhere has npm, too, and Debian's packages would
# be a second one.
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || optional="$optional nodejs npm"
# The browsers that it is tested in are large: only `make test` asks for them.
[ "${1:-}" != --tests ] || optional="$optional chromium firefox-esr"

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "install_packages: not a Debian system; please provide the equivalents of:" $needed \
    "and of the headers for plugins of g++ (optional)" >&2
  exit 0
fi

is_installed() {
  [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = "install ok installed" ]
}

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
export DEBIAN_FRONTEND=noninteractive

lists_are_new=no
update_lists() {
  [ $lists_are_new = no ] || return 0
  $as_root apt-get -q -o DPkg::Lock::Timeout=600 update
  lists_are_new=yes
}

has_candidate() {
  [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \([^(]\)/\1/p')" ]
}

install_missing() {
  missing=""
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  update_lists
  echo "install_packages: installing$missing"
  $as_root apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing
}

install_missing $needed

# What does not exist here was found missing by an earlier call, or is told once, with the installation of the rest.
here=$(cd "$(dirname "$0")/.." && pwd)
known_absent=$(cat "$here/build/packages_absent" 2>/dev/null || true)
# What programs are compiled with, for plugins of it.
optional="gcc-$(g++ -dumpversion | cut -d. -f1)-plugin-dev $optional"
wanted="" absent=""
for package in $optional; do
  is_installed "$package" && continue
  case " $known_absent " in *" $package "*) absent="$absent $package"; continue ;; esac
  update_lists
  if has_candidate "$package"; then wanted="$wanted $package"; else absent="$absent $package"; fi
done
install_missing $wanted
absent=${absent# }
if [ "$absent" != "$known_absent" ]; then
  echo "install_packages: not in this system's sources, so that what needs them is left out: $absent"
  mkdir -p "$here/build"
  echo "$absent" > "$here/build/packages_absent"
fi

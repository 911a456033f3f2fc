#!/bin/sh
# Installs the Debian packages that building, testing and running Ravel need, and only those that are
# missing: on a complete machine it asks dpkg once and touches nothing.
set -eu

# What programs are compiled with, for plugins of it.
plugin="gcc-$(g++ -dumpversion 2>/dev/null || echo 12)-plugin-dev"

packages="
  g++ $plugin cmake ninja-build ccache pkg-config python3
  libgmp-dev libdw-dev zlib1g-dev libpcre3-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libgtest-dev libgmock-dev libbenchmark-dev gdb
  erlang-base erlang-dev erlang-eunit erlang-syntax-tools erlang-parsetools erlang-tools
  erlang-crypto erlang-xmerl erlang-runtime-tools elixir
  libconcurrentqueue-dev libreaderwriterqueue-dev libatomic-queue-dev
  erlang-poolboy erlang-goldrush erlang-redis-client erlang-meck
"

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "install_packages: not a Debian system; please provide the equivalents of:" $packages >&2
  exit 0
fi

missing=""
for package in $packages; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
echo "install_packages: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
$as_root apt-get install -q -y --no-install-recommends $missing

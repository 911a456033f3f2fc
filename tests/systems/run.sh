#!/usr/bin/env bash
# Builds Ravel and runs its tests on another release of Debian, in a folder that holds that system (chroot).
# Usage, as root: run.sh SUITE [ctest's arguments]      SUITE: bookworm, trixie, forky, ...
#                 run.sh SUITE --prepare                only makes the system, with its packages
#   RAVEL_SYSTEMS=FOLDER    where the systems are kept, one folder each (default /var/cache/ravel-systems)
#   TARGETS="a b"           what to build (default: everything)
#   CONFIGURE="-DNAME=VALUE"  options of cmake
#   WITH="clang rebar3"     packages more than those that cmake/install_packages.sh installs
# A system that is not there yet is made by debootstrap. Everything is mounted and runs in namespaces of this script's own,
# so nothing stays mounted, and nothing goes on, however the script ends. The sources are mounted read-only; each checkout has a build folder of
# its own in the system; the compiler cache is the host's.
# Exits with ctest's status, or with 77 and one line if such a system cannot be had here.
set -euo pipefail

cannot() {
  echo "systems/run.sh: no $suite here: $1"
  exit 77
}

[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
suite=$1
shift
case $suite in *[!a-z0-9-]* | -*) echo "systems/run.sh: '$suite' is no release of Debian" >&2; exit 2 ;; esac
source=$(cd "$(dirname "$0")/../.." && pwd)
systems=${RAVEL_SYSTEMS:-/var/cache/ravel-systems}
system=$systems/$suite

[ "$(id -u)" = 0 ] || cannot "only root can make and enter one"
# With a process namespace, too, nothing outlives the script.
unshare --mount --pid --fork mount -t proc proc /proc 2>/dev/null ||
  cannot "this machine allows no mounts of one's own (containers need CAP_SYS_ADMIN)"

# unshare would ignore the signals that end this script; the first process in the namespaces dies with it, and all others with
# that one.
child="" new=""
clean_up() {
  [ -z "$child" ] || kill -KILL "$child" 2>/dev/null || true
  [ -z "$new" ] || rm -rf --one-file-system "$new"  # what was mounted there was so in the namespace only
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
isolated() {
  unshare --mount --propagation private --pid --fork --kill-child "$@" </dev/null &
  child=$!
  local status=0
  wait "$child" || status=$?
  child=""
  return "$status"
}

# Where this machine's own packages come from.
mirror() {
  { cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } |
    awk '/^URIs:/ { print $2; exit }
         /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z+]+:/) { print $i; exit } }'
}

# debootstrap leaves its folder of that name until it is done.
is_complete() { [ -e "$1/etc/debian_version" ] && [ ! -e "$1/debootstrap" ]; }

make_system() {
  command -v debootstrap >/dev/null || apt-get install -q -y --no-install-recommends debootstrap >/dev/null 2>&1 ||
    { apt-get update -q && apt-get install -q -y --no-install-recommends debootstrap; } >/dev/null 2>&1 ||
    cannot "debootstrap is not installed and cannot be"
  [ -n "$(mirror)" ] || cannot "apt's sources name no mirror"
  # A debootstrap that is older than the release has no script of its name; those of all releases are the same.
  local scripts=/usr/share/debootstrap/scripts script=""
  [ -e "$scripts/$suite" ] || script=$scripts/sid
  mkdir -p "$systems"
  new=$(mktemp -d "$systems/$suite.new.XXXXXX")
  chmod 755 "$new"
  echo "systems/run.sh: making $system from $(mirror)"
  isolated debootstrap --variant=minbase "$suite" "$new" "$(mirror)" $script >"$new.log" 2>&1 ||
    cannot "debootstrap failed, see $new.log"
  # A mirror may be older than its lists allow.
  echo 'Acquire::Check-Valid-Until "false";' >"$new/etc/apt/apt.conf.d/90ravel"
  mv -T "$new" "$system"
  rm -f "$new.log"
  new=""
}

is_complete "$system" || { [ ! -e "$system" ] || cannot "$system is there, but not complete: remove it"; make_system; }

cache=${CCACHE_DIR:-$HOME/.cache/ccache}
build=$system/var/cache/ravel-build/$(echo "$source" | tr / +)
mkdir -p "$cache" "$build" "$source/build" "$system/ravel" "$system/root/.cache/ccache"
cp -L /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null || true

# In the namespace, and then in the system.
inside='
set -eu
export HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
cd /ravel
missing=""
for package in make $WITH; do dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"; done
[ -z "$missing" ] || {
  apt-get -q -o DPkg::Lock::Timeout=600 update
  apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing
} >/dev/null
make packages
[ "${1:-}" != --prepare ] || exit 0
cmake --preset release $CONFIGURE
cmake --build build -j "$JOBS" ${TARGETS:+--target $TARGETS}
ctest --test-dir build --output-on-failure -j2 "$@"
'
outside='
set -eu
mount --bind "$source" "$system/ravel"
mount -o remount,bind,ro "$system/ravel"
mount --bind "$build" "$system/ravel/build"
mount --bind "$cache" "$system/root/.cache/ccache"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
exec chroot "$system" sh -c "$inside" sh "$@"
'
export source system build cache inside TARGETS=${TARGETS:-} WITH=${WITH:-} CONFIGURE=${CONFIGURE:-} JOBS=${JOBS:-$(nproc)}
unset CCACHE_DIR RAVEL RAVEL_OTP MAKEFLAGS MAKELEVEL MFLAGS
if [ "${1:-}" = --prepare ]; then
  isolated sh -c "$outside" sh --prepare >"$system.packages.log" 2>&1 || cannot "no packages for it, see $system.packages.log"
else
  isolated sh -c "$outside" sh "$@"
fi

#!/usr/bin/env bash
# Makes the Debian package and installs it into a bare system of the same release: `ravel check` must find a bug there with
# nothing else than erlang-base, and one of a program of C++ with nothing else than g++.
# Usage, as root: RAVEL_SYSTEMS=FOLDER deb_test.sh BUILD
#   RAVEL_SYSTEMS   where bare systems are kept, bare-RELEASE for each, made by debootstrap when it is not there
# The bare system stays as it is: packages are installed into a copy. Exits with 77 and one line where this cannot be done.
set -euo pipefail

cannot() {
  echo "deb_test: skipped: $1"
  exit 77
}

build=$(cd "$1" && pwd)
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
[ -n "${RAVEL_SYSTEMS:-}" ] || cannot "RAVEL_SYSTEMS names no folder where a bare system may be kept"
[ "$(id -u)" = 0 ] || cannot "only root can make and enter a system"
for tool in cpack dpkg-shlibdeps file debootstrap unshare; do
  command -v $tool >/dev/null || cannot "$tool is not installed"
done
unshare --mount true 2>/dev/null || cannot "this machine allows no mounts"

release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$({ cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } |
  awk '/^URIs:/ { print $2; exit } /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z+]+:/) { print $i; exit } }')
[ -n "$release" ] && [ -n "$mirror" ] || cannot "this is no Debian whose release and mirror are known"
bare=$RAVEL_SYSTEMS/bare-$release
if [ ! -e "$bare/etc/debian_version" ]; then
  echo "deb_test: making $bare from $mirror"
  mkdir -p "$RAVEL_SYSTEMS"
  new=$(mktemp -d "$bare.new.XXXXXX")
  chmod 755 "$new"
  debootstrap --variant=minbase "$release" "$new" "$mirror" >"$new.log" 2>&1 || cannot "debootstrap failed, see $new.log"
  echo 'Acquire::Check-Valid-Until "false";' >"$new/etc/apt/apt.conf.d/90ravel"
  rm -f "$new.log"
  mv -T "$new" "$bare"
fi

work=$(mktemp -d "$RAVEL_SYSTEMS/deb_test.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
(cd "$build" && cpack -G DEB -B "$work/made") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
package=$(echo "$work"/made/ravel_*.deb)
dpkg-deb --info "$package" | sed -n 's/^ *\(Package\|Version\|Depends\|Recommends\|Suggests\|Installed-Size\): /  \1: /p'

# run NAME PACKAGES COMMANDS: installs these with ours into a copy, and runs the commands there as an ordinary user would.
run() {
  echo "deb_test: with $2"
  local system=$work/$1
  cp -a --reflink=auto "$bare" "$system"
  cp "$package" "$system/tmp/ravel.deb"
  cp -r "$examples" "$system/tmp/examples"
  cp /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null || true
  printf '%s\n' "set -eu" "cd /tmp" "$3" >"$system/tmp/commands"
  unshare --mount --fork sh -eu -c "
    mount --make-rprivate /
    mount -t proc proc '$system/proc'
    mount --rbind /dev '$system/dev'
    export DEBIAN_FRONTEND=noninteractive
    chroot '$system' sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install /tmp/ravel.deb $2' >'$system/apt.log' 2>&1 || { tail -20 '$system/apt.log'; exit 1; }
    chroot '$system' sh /tmp/commands"
  rm -rf --one-file-system "$system"
}

# finds KIND WORDS: the command must exit with 1 and tell a bug of this kind.
finds='finds() { kind=$1; shift; status=0; "$@" >out 2>&1 || status=$?; [ $status = 1 ] && grep -q "^Bug 1: $kind" out || { echo "$* exits with $status:"; cat out; exit 1; }; }'

run erlang erlang-base "$finds
cat >race.erl <<'END'
-module(race).
-export([test/0]).
test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive 1 -> receive 2 -> ok end; 2 -> exit(two_came_first) end.
END
finds 'abnormal exit' ravel check race.erl -t race:test
erlc race.erl && rm race.erl
finds 'abnormal exit' ravel check race.beam -t race:test
ravel replay ravel-tickets/*.json >/dev/null && exit 1
[ \$? = 1 ] || true
[ -e /usr/share/doc/ravel/docs/guide/installing.md ] && [ -e /usr/share/doc/ravel/copyright ]"

run threads g++ "$finds
! command -v erl
ravel-c++ examples/threads/account.cc -o account
finds assertion ravel check ./account
nm -u account | grep -q ravel_may_matter  # by the plugin
printf '%s\n' '#include <ravel.h>' '#include <ravel/test.h>' 'RAVEL_TEST(one) { ravel_choose(2); }' >one.c
! command -v gcc >/dev/null || { ravel-cc one.c -o one && [ \"\$(ravel tests ./one)\" = one ] && ravel check ./one; }"
echo "deb_test: passed"

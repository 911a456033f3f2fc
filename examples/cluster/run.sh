#!/bin/sh
# One test by two workers that share no files, of which one is killed on the way.
# usage: run.sh [RAVEL [RAVEL-CLUSTER [work-queue | taskvine]]]     77: what brings parts to workers is not installed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
ravel=${1:-ravel}
cluster=${2:-ravel-cluster}
engine=${3:-work-queue}
case $engine in taskvine) worker=vine_worker ;; *) worker=work_queue_worker ;; esac
if ! command -v "$cluster" > /dev/null || ! command -v $worker > /dev/null; then
  echo "run.sh: skipped: ravel-cluster or $worker (package coop-computing-tools) is not here" >&2
  exit 77
fi

folder=$(mktemp -d)
pids=""
end() {
  for pid in $pids; do kill "$pid" 2> /dev/null || true; done
  wait 2> /dev/null || true
  rm -rf "$folder"
}
trap end EXIT INT TERM

mkdir "$folder/first" "$folder/second" "$folder/coordinator"
cp "$here/pool.erl" "$folder/coordinator"
cd "$folder/coordinator"
"$cluster" --ravel "$ravel" --engine $engine --workers 2 --seconds 1 --into search --json results.json \
  -- pool.erl -t pool:takes > said 2> port &
coordinator=$!
pids=$coordinator

# What a worker is given: a host, a port and the password.
tries=0
until grep -q 'connect to port' port; do
  tries=$((tries + 1))
  if [ $tries -gt 300 ] || ! kill -0 "$coordinator" 2> /dev/null; then cat said port >&2; exit 1; fi
  sleep 0.2
done
port=$(sed -n 's/.*connect to port \([0-9]*\):.*/\1/p' port)
for name in first second; do
  cp search/password "$folder/$name/password"
  mkdir "$folder/$name/work"
  (cd "$folder/$name" && exec $worker -P password -s work --cores 1 -t 60 --max-backoff=5 localhost "$port") \
    > "$folder/$name/log" 2>&1 &
  pids="$pids $!"
  last=$!
done
has_part() {
  for child in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do
    if tr '\0' ' ' < "/proc/$child/cmdline" | grep -q 'ravel part'; then return 0; fi
  done 2> /dev/null
  return 1
}
tries=0
until has_part "$last"; do
  tries=$((tries + 1))
  if [ $tries -gt 1200 ] || ! kill -0 "$last" 2> /dev/null; then cat said port "$folder/second/log" >&2; exit 1; fi
  sleep 0.05
done
echo "kill -9 of the second worker"
kill -9 "$last"

status=0
wait "$coordinator" || status=$?
cat said
[ $status = 0 ] || { cat port; exit 1; }

"$ravel" check pool.erl -t pool:takes --jobs 1 --json alone.json -q
count() { sed -n 's/.*"executions": *\([0-9]*\).*/\1/p' "$1" | head -1; }
echo "by the cluster: $(count results.json) traces; by one process: $(count alone.json)"
[ "$(count results.json)" = "$(count alone.json)" ]

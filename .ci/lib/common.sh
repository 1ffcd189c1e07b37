# What ./quickstart, ./check and the scripts of .ci share: messages, timed steps, logs. Sourced, never run.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

set -u -o pipefail
export LC_ALL=C.UTF-8

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
LOGS=$ROOT/build/logs
STEP_LINES=()   # one line for each step done, for the summary
CHILD=          # process id of the step that runs now

say() { printf '%s\n' "$*"; }

# fail CODE MESSAGE...: exit codes are those of the command line (docs/errors.md): 1 no, 2 bad input, 3 environment.
fail() {
  local code=$1
  shift
  printf '%s\n' "$*" >&2
  exit "$code"
}

# A step runs in the background so that its progress can be shown; an interrupt has to be passed on to it.
interrupted() {
  if [ -n "$CHILD" ]; then
    kill -TERM -- "-$CHILD" 2>/dev/null
    wait "$CHILD" 2>/dev/null
  fi
  say ''
  fail 1 'Interrupted. What is built is kept; run the same command again to go on.'
}
trap interrupted INT TERM

# show_progress LOG SECONDS: the last line of the log, in place on a terminal, once a minute elsewhere.
show_progress() {
  local log=$1 seconds=$2 last
  last=$(tail -n 1 "$log" 2>/dev/null | tr -d '\000-\037' | cut -c 1-90)
  if [ -t 1 ]; then
    printf '\r\033[K  %4d s  %s' "$seconds" "$last"
  elif [ "$seconds" -gt 0 ] && [ $((seconds % 60)) -eq 0 ]; then
    printf '  %4d s  %s\n' "$seconds" "$last"
  fi
}

# run_step TITLE LOG_NAME COMMAND...: runs the command with its output in build/logs, prints how long it took.
# On failure prints the end of the log and returns the command's status.
run_step() {
  local title=$1 log=$LOGS/$2.log
  shift 2
  mkdir -p "$LOGS" || fail 3 "$LOGS cannot be created; is this folder writable?"
  say "$title"
  local start=$SECONDS shown=-1 status=0
  set -m  # a process group of its own, so that an interrupt can end all of it
  "$@" >"$log" 2>&1 </dev/null &
  CHILD=$!
  set +m
  while kill -0 "$CHILD" 2>/dev/null; do
    if [ $((SECONDS - start)) -ne "$shown" ]; then
      shown=$((SECONDS - start))
      show_progress "$log" "$shown"
    fi
    sleep 0.2
  done
  wait "$CHILD" || status=$?
  CHILD=
  [ -t 1 ] && printf '\r\033[K'
  local seconds=$((SECONDS - start)) word=ok
  [ "$status" -eq 0 ] || word="FAILED (exit $status)"
  STEP_LINES+=("$(printf '%6d s  %-20s %s' "$seconds" "$word" "$title")")
  if [ "$status" -eq 0 ]; then
    printf '  %4d s  done\n' "$seconds"
  else
    printf '  %4d s  failed with exit status %d; the end of %s:\n' "$seconds" "$status" "${log#"$ROOT"/}"
    tail -n 60 "$log" | sed 's/^/    | /'
  fi
  return "$status"
}

# How many compilers fit: one a core, and about 1.5 GB of memory for each.
job_count() {
  local cores memory_kb by_memory
  cores=$(nproc)
  memory_kb=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  by_memory=$((${memory_kb:-3000000} / 1500000))
  [ "$by_memory" -ge 1 ] || by_memory=1
  say $((cores < by_memory ? cores : by_memory))
}

# Files of the project, NUL-separated, relative to the root: what git knows, or all but build folders without git.
project_files() {
  if git -c safe.directory="$ROOT" -C "$ROOT" rev-parse --git-dir >/dev/null 2>&1; then
    git -c safe.directory="$ROOT" -C "$ROOT" ls-files -z --cached --others --exclude-standard -- "$@"
  else
    (cd "$ROOT" && find . \( -name .git -o -name build -o -name 'build-*' \) -prune -o -type f -printf '%P\0')
  fi
}

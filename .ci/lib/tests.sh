# Running ctest and counting over several runs. Sourced, never run.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

RUN_LINES=()  # one line for each run of ctest
PASSED=0
FAILED=0
SKIPPED=0

# junit_count FILE ATTRIBUTE: of the report's testsuite element, one attribute a line; 0 without a report.
junit_count() {
  local number
  number=$(sed -n "/<testcase/q; s/^[[:space:]]*$2=\"\([0-9]*\)\".*/\1/p" "$1" 2>/dev/null)
  say "${number:-0}"
}

# run_tests NAME PRESET CTEST_OPTION...: one run of ctest on build/PRESET; adds to the totals. A run without any test fails.
run_tests() {
  local name=$1 preset=$2 report=$LOGS/test-$1.xml status=0
  shift 2
  mkdir -p "$LOGS"
  rm -f "$report"
  run_step "Testing: $name" "test-$name" "${TEST_WRAPPER[@]}" ctest --test-dir "$ROOT/build/$preset" --parallel "$(nproc)" \
    --output-on-failure --no-tests=error --output-junit "$report" "$@" || status=$?
  local total failed skipped
  total=$(junit_count "$report" tests)
  failed=$(junit_count "$report" failures)
  skipped=$(($(junit_count "$report" skipped) + $(junit_count "$report" disabled)))
  PASSED=$((PASSED + total - failed - skipped))
  FAILED=$((FAILED + failed))
  SKIPPED=$((SKIPPED + skipped))
  RUN_LINES+=("$(printf '%6d passed %4d failed %4d skipped  %s' $((total - failed - skipped)) "$failed" "$skipped" "$name")")
  printf '  %d passed, %d failed, %d skipped\n' $((total - failed - skipped)) "$failed" "$skipped"
  return "$status"
}
TEST_WRAPPER=()  # command that ctest is run under

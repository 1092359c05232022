#!/bin/sh
# What takes too long for every change: long fuzzing, all tests under the
# sanitizers, the device program built twice, the answers of the zoo of networks,
# comparisons with real times, and the page of the nightly runs in a browser.
# Runs everything, then fails if anything failed. Measuring is
# `./bazelw run //ci:nightly`.
set -u
cd "$(dirname "$0")/.." || exit 1

failed=
# Step NAME COMMAND...
Step() {
  name=$1
  shift
  echo "=== $name"
  "$@" || failed="$failed $name"
}

# A million random expressions.
Step expressions ./bazelw test //compiler/tir/simplify:simplify_fuzz_nightly
Step values ./bazelw test //tests/e2e:elementwise_values_nightly
# A hundred thousand random schedules, interpreted, and ten thousand compiled.
Step schedules ./bazelw test //compiler/lower/fuzz:schedule_fuzz_nightly \
  //compiler/lower/fuzz:compiled_schedules_nightly
# Chains of a thousand operators, all pairs of them: time, memory and stack.
Step chains ./bazelw run //compiler/driver/chains:chains_nightly
# Files of models and of their inputs that nobody has written, an hour of each
# sort.
for fuzzer in model_bytes generated_model tensor_bytes; do
  Step "$fuzzer" ./bazelw run --config=fuzz \
    "//tests/fuzz:${fuzzer}_fuzz_test_search" -- -max_total_time=3600 \
    -timeout=20 -rss_limit_mb=3000 "$(mktemp -d)" "tests/fuzz/$fuzzer"
done
# What the programs of the farm read from the network, half an hour of each
# sort, and ten thousand hostile messages to each program.
for fuzzer in device_requests lease_bytes peer_answers proxy_call \
  tracker_requests worker_files worker_lines; do
  Step "$fuzzer" ./bazelw run --config=fuzz \
    "//tests/farm/fuzz:${fuzzer}_fuzz_test_search" -- -max_total_time=1800 \
    -timeout=20 -rss_limit_mb=3000 "$(mktemp -d)" "tests/farm/fuzz/$fuzzer"
done
Step hostile ./bazelw run //tests/farm:hostile
# The newest package onnx: the history of the operators, its test cases, and
# random cases with the outputs of its reference implementation.
Step onnx ./bazelw test //tests/onnx_conformance:operator_definitions_test \
  //tests/onnx_conformance:node_cases_test \
  //tests/onnx_conformance:random_cases_test
# What can happen to a farm, while users compare programs on it.
Step chaos ./bazelw run //tests/farm:chaos
# The tuner is killed again and again, and so are the devices on which it tunes.
Step tuning_kills ./bazelw run //tests/tuning:kills
Step tuning_farm ./bazelw run //tests/tuning:farm -- --trials=12 --kills=8
# Broken copies of six networks: no crash, and one line for each error.
Step mutations ./bazelw run //tests/fuzz:mutate_zoo -- --keep="$(mktemp -d)"
# Sanitized tests take many times as long as the limits of their sizes expect.
Step asan ./bazelw test --config=asan --test_timeout=1800 //...
Step ubsan ./bazelw test --config=ubsan --test_timeout=1800 //...
# Threads are started by the runtime, by the programs that measure with it, and
# by the farm. The libraries of the lock are not compiled for it: tests in which
# threads of gRPC run are left out (see ci/bazel/tsan_locks.cc for Abseil).
Step tsan ./bazelw test --config=tsan --test_timeout=1800 \
  --build_tests_only --test_tag_filters=-no_tsan //runtime/... //rpc/...
# A server and its workers under qemu, without anything of this machine.
Step static_server ./bazelw test //tests/farm:static_server_aarch64_test \
  //tests/farm:static_server_armhf_test
# Callgrind counts the same as the plug-in of qemu.
Step callgrind ./bazelw test //runtime/tools/count:callgrind_nightly
Step reproducible ci/checks/reproducible.sh
# A hundred networks, whether their answers are correct; they are fetched or
# exported for it. Crashes, wrong answers and missing models are failures, but
# not a network that is refused.
Step zoo ./bazelw run //suites:zoo -- --reference=none
# Comparisons with real times, in one process and in two. They need a machine
# on which nothing else is measured; the tests of every change have scripts.
Step canary ./bazelw test //suites/comparison:canary_nightly
Step side_by_side ./bazelw test //tests/e2e:side_by_side_nightly
# In a browser, which is fetched for it.
Step page ./bazelw test //reports/page:browser_test \
  //reports/site/pages:browser_test //suites/tune/page:browser_test

[ -z "$failed" ] || {
  echo "failed:$failed"
  exit 1
}
echo "all passed"

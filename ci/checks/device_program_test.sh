#!/bin/sh
# Usage: device_program_test.sh DEPENDENCIES
#
# Checks the dependencies of the program that runs on devices, as the build
# graph has them, to any depth: nothing of the compiler, no LLVM, no ONNX, no
# Protobuf, no gRPC, no ZIP archives.
set -eu

grep -q '^//runtime/tools:bench_artifact$' "$1" &&
  grep -q '^//runtime/executor' "$1" || {
  echo "\`$1\` does not list what the device program is made of:"
  head "$1"
  exit 1
}
if grep -e '^//compiler' -e '^//rpc' -e '^//suites' -e '^//reports' \
    -e '^@debian_llvm' -e 'third_party:\(llvm\|lld\|onnx\|protobuf\|grpc\|minizip\)' \
    -e '^@libs_[a-z0-9_]*//:\(protobuf\|grpc\|minizip\)' "$1"; then
  echo "the device program may not depend on the targets above"
  exit 1
fi

// Default options of the sanitizers in a fuzzer (fuzz.bzl), which `bazel run`
// starts in its runfiles: the path of the symbolizer and a stack trace.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "external_symbolizer_path=../debian_tools/bin/llvm-symbolizer:"
         "strict_string_checks=1";
}

extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() {
  return "print_stacktrace=1";
}

"""Fuzzers: programs that search and tests that replay a corpus."""

load("//ci/bazel:cc.bzl", "cc_binary", "cc_test")

def cc_fuzz_test(name, srcs, corpus, deps = []):
    """A fuzz function, `LLVMFuzzerTestOneInput`, built twice.

    `NAME` is an ordinary test: it runs the function on every file of the folder
    `corpus` of this package, which holds a few seeds and an input for each
    error found so far. `NAME_search` is the same function linked with
    libFuzzer; it exists in `--config=fuzz` only.

    Args:
      name: Ends in `_fuzz_test`.
      srcs: The fuzz function and its helpers.
      corpus: A folder of small files.
      deps: Dependencies of `srcs`.
    """
    if not name.endswith("_fuzz_test"):
        fail("the name of a fuzz test ends in `_fuzz_test`: " + name)
    cc_test(
        name = name,
        srcs = srcs,
        data = native.glob([corpus + "/*"]),
        env = {"ASSAY_CORPUS": native.package_name() + "/" + corpus},
        deps = deps + ["//ci/bazel:replay"],
    )
    cc_binary(
        name = name + "_search",
        testonly = True,
        srcs = srcs,
        data = native.glob([corpus + "/*"]) + [
            "@debian_tools//:llvm-symbolizer",
        ],
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        target_compatible_with = select({
            "//ci/toolchains:fuzz": [],
            "//conditions:default": ["@platforms//:incompatible"],
        }),
        deps = deps + ["//ci/bazel:sanitizer_options"],
    )

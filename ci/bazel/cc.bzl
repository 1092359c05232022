"""The C++ rules of this repository: the native rules with other defaults.

Code of this repository is compiled with warnings as errors, unlike third-party
code. Tests are linked with the `main` of Google Test.
"""

load("//ci/bazel:pch.bzl", "pch_copts", "pch_deps")

COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
]

def _unless_sanitized(values):
    """Sanitizers have other flags, and no precompiled headers."""
    return select({
        "//ci/toolchains:sanitized": [],
        "//conditions:default": values,
    })

def _is_c(srcs):
    """True if a source is C, for which there are no precompiled headers."""
    return any([src.endswith(".c") for src in srcs])

def _copts(copts, srcs, deps, pch_suffix = ""):
    if _is_c(srcs):
        return COPTS + copts
    return COPTS + copts + _unless_sanitized(pch_copts(deps, pch_suffix))

def _deps(srcs, deps, pch_suffix = ""):
    if _is_c(srcs):
        return deps
    return deps + _unless_sanitized(pch_deps(deps, pch_suffix))

def _header_features(srcs, hdrs):
    """Turns off `parse_headers` if all headers are compiled first in a source.

    The style check makes sure that `a.cc` includes `a.h` before other headers.
    """
    files = srcs + hdrs
    for file in files:
        if file.endswith(".h") and file[:-1] + "cc" not in files:
            return []
    return ["-parse_headers"]

def cc_library(
        name,
        srcs = [],
        hdrs = [],
        copts = [],
        deps = [],
        features = [],
        **kwargs):
    """A `cc_library` compiled with warnings as errors."""
    native.cc_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        copts = _copts(copts, srcs, deps),
        deps = _deps(srcs, deps),
        features = features + _header_features(srcs, hdrs),
        **kwargs
    )

def cc_binary(name, srcs = [], copts = [], deps = [], **kwargs):
    """A `cc_binary` compiled with warnings as errors.

    With `features = ["fully_static"]` the C library is linked statically, too.
    """
    native.cc_binary(
        name = name,
        srcs = srcs,
        copts = _copts(copts, srcs, deps),
        deps = _deps(srcs, deps),
        **kwargs
    )

def cc_test(
        name,
        srcs = [],
        copts = [],
        data = [],
        deps = [],
        size = "small",
        **kwargs):
    """A `cc_test` compiled with warnings as errors and run by Google Test.

    A test with the tag `no_tsan` has threads of gRPC, whose library is not
    compiled for ThreadSanitizer, which therefore takes memory that passes from
    one of them to another for a race. What such a service does with threads has
    a test without them, for example calls_threads_test of the tracker.
    """
    native.cc_test(
        name = name,
        size = size,
        srcs = srcs,
        copts = _copts(copts, srcs, deps, "_test"),
        # Sanitizers need the symbolizer to name functions in reports.
        data = data + select({
            "//ci/toolchains:sanitized": ["@debian_tools//:llvm-symbolizer"],
            "//conditions:default": [],
        }),
        deps = _deps(srcs, deps, "_test") + ["//ci/third_party:gtest_main"] + select({
            "//ci/toolchains:tsan": ["//ci/bazel:tsan_locks"],
            "//conditions:default": [],
        }),
        **kwargs
    )

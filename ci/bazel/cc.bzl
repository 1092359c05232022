"""The C++ rules of this repository: the native ones with our defaults.

Our own code is compiled with all warnings as errors; code of others is not.
Tests are linked with Google Test's `main`.
"""

COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
]

def cc_library(name, copts = [], **kwargs):
    """A `cc_library` compiled with our warnings."""
    native.cc_library(
        name = name,
        copts = COPTS + copts,
        **kwargs
    )

def cc_binary(name, copts = [], **kwargs):
    """A `cc_binary` compiled with our warnings."""
    native.cc_binary(
        name = name,
        copts = COPTS + copts,
        **kwargs
    )

def cc_test(
        name,
        copts = [],
        data = [],
        deps = [],
        size = "small",
        **kwargs):
    """A `cc_test` compiled with our warnings and run by Google Test."""
    native.cc_test(
        name = name,
        size = size,
        copts = COPTS + copts,
        # A sanitizer's report names functions only with the symbolizer.
        data = data + select({
            "//ci/toolchains:sanitized": ["@debian_tools//:llvm-symbolizer"],
            "//conditions:default": [],
        }),
        deps = deps + ["//ci/third_party:gtest_main"],
        **kwargs
    )

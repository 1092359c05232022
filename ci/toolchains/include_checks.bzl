"""Features of the C++ toolchain that check `#include`s.

.bazelrc turns on `layering_check` and `parse_headers`. Bazel writes a module
map for every library, which lists its headers and the libraries in its `deps`.
Clang compiles no modules here; it only compares `#include`s with the maps.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load(
    "@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl",
    "feature",
    "feature_set",
    "flag_group",
    "flag_set",
)

_COMPILE = [
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
]

INCLUDE_CHECK_FEATURES = [
    feature(
        name = "module_maps",
        enabled = True,
    ),
    # Otherwise the map of a library names those of its `deps`, and Clang reads
    # the maps of all libraries below, which are not inputs of the action.
    feature(
        name = "module_map_without_extern_module",
        enabled = True,
    ),
    feature(
        name = "use_module_maps",
        flag_sets = [flag_set(
            actions = _COMPILE,
            flag_groups = [
                flag_group(
                    expand_if_available = "module_name",
                    flags = ["-fmodule-name=%{module_name}"],
                ),
                flag_group(
                    expand_if_available = "module_map_file",
                    flags = ["-fmodule-map-file=%{module_map_file}"],
                ),
            ],
        )],
        requires = [feature_set(features = ["module_maps"])],
    ),
    # A target may include headers of itself and its `deps` only.
    feature(
        name = "layering_check",
        flag_sets = [flag_set(
            actions = _COMPILE,
            flag_groups = [
                flag_group(flags = [
                    "-fmodules-strict-decluse",
                    "-Wprivate-header",
                ]),
                flag_group(
                    expand_if_available = "dependent_module_map_files",
                    flags = ["-fmodule-map-file=%{dependent_module_map_files}"],
                    iterate_over = "dependent_module_map_files",
                ),
            ],
        )],
        implies = ["use_module_maps"],
    ),
    # A header compiles on its own. Bazel expects the action to write a file,
    # which is the (empty) list of diagnostics.
    feature(
        name = "parse_headers",
        flag_sets = [flag_set(
            actions = [ACTION_NAMES.cpp_header_parsing],
            flag_groups = [flag_group(flags = [
                "-xc++-header",
                "-fsyntax-only",
                "--serialize-diagnostics",
                "%{output_file}",
            ])],
        )],
    ),
]

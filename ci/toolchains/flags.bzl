"""Sets of flags that depend on the mode of a build."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load(
    "@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl",
    "flag_group",
    "flag_set",
    "with_feature_set",
)

LINK = [
    ACTION_NAMES.cpp_link_executable,
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

SANITIZERS = ["asan", "tsan", "ubsan"]

def flags(actions, flags, mode = "", unless = []):
    """`flags` for `actions`, in one compilation mode if one is given."""
    return flag_set(
        actions = actions,
        flag_groups = [flag_group(flags = flags)],
        with_features = [with_feature_set(
            features = [mode],
            not_features = unless,
        )] if mode else [],
    )

def link_mode(actions, flags, static):
    """`flags` for programs that are, or are not, linked fully statically.

    With a sanitizer none is, because its library intercepts functions of a
    dynamic C library.

    Args:
      actions: Actions that link.
      flags: Flags of the linker.
      static: Whether the flags are for fully static programs or for all others.

    Returns:
      A flag_set.
    """
    if static:
        features = [with_feature_set(
            features = ["fully_static"],
            not_features = SANITIZERS,
        )]
    else:
        features = [with_feature_set(not_features = ["fully_static"])] + [
            with_feature_set(features = [sanitizer])
            for sanitizer in SANITIZERS
        ]
    return flag_set(
        actions = actions,
        flag_groups = [flag_group(flags = flags)],
        with_features = features,
    )

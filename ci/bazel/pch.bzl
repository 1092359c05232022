"""Precompiled headers: parse the headers that many sources include once.

`cc_library`, `cc_binary` and `cc_test` of cc.bzl choose one of `_HEADERS` by
their dependencies. Without it, a source of 200 lines takes three seconds, of
which two go to the standard library, Abseil, the graph IR and so on. A source
includes what it uses nevertheless; builds under sanitizers, which have no
precompiled headers, find what is missing.

    cc_pch(
        name = "graph_pch",
        src = "graph_pch.h",
        hdrs = ["common_pch.h"],
        deps = ["//ci/third_party:absl", "//compiler/graph"],
    )
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# The precompiled headers of libraries and programs, and what a target that uses
# one of them depends on. The first that fits is used. Tests use the one of the
# same name with the suffix `_test`, which has Google Test, too.
_HEADERS = [
    ("importer", ["//compiler/graph", "//ci/third_party:onnx_proto"]),
    ("grpc", ["//ci/third_party:grpc"]),
    ("cli", ["//ci/third_party:cli11"]),
    ("graph", ["//compiler/graph"]),
    ("common", []),
]

# A precompiled header has the paths of all its headers. They are relative to
# this folder, so that the file is the same in all checkouts, which share a
# cache.
_WORKING_DIRECTORY = "/proc/self/cwd"

def _choose(deps):
    known = deps if type(deps) == "list" else []  # a `select` hides its values
    for name, needed in _HEADERS:
        if all([dep in known for dep in needed]):
            return name
    fail("no precompiled header fits")

def pch_deps(deps, suffix = ""):
    """The precompiled header of a target with these `deps`, as a label."""
    return ["//ci/bazel/pch:" + _choose(deps) + suffix]

def pch_copts(deps, suffix = ""):
    """The flags of its compilations."""
    return [
        "-isysroot",
        ".",  # precedes the relative paths in the precompiled header
        "-include-pch",
        "$(BINDIR)/ci/bazel/pch/%s%s.pch" % (_choose(deps), suffix),
    ]

def _cc_pch_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context
    pch = ctx.actions.declare_file(ctx.label.name + ".pch")
    source = ctx.file.src
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = source.path,
        output_file = pch.path,
        user_compile_flags = ctx.fragments.cpp.copts +
                             ctx.fragments.cpp.cxxopts +
                             [
                                 "-xc++-header",
                                 "-Xclang",
                                 "-fno-pch-timestamp",
                                 "-Xclang",
                                 "-fpch-instantiate-templates",
                                 "-Xclang",
                                 "-relocatable-pch",
                                 "-isysroot",
                                 _WORKING_DIRECTORY,
                             ],
        include_directories = context.includes,
        quote_include_directories = depset(
            ["."],
            transitive = [context.quote_includes],
        ),
        system_include_directories = context.system_includes,
        preprocessor_defines = context.defines,
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
        ),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = variables,
        ),
        # Clang makes the paths of headers absolute by this name, and then
        # relative to -isysroot.
        env = dict(
            cc_common.get_environment_variables(
                feature_configuration = features,
                action_name = ACTION_NAMES.cpp_compile,
                variables = variables,
            ),
            PWD = _WORKING_DIRECTORY,
        ),
        inputs = depset(
            [source] + ctx.files.hdrs,
            transitive = [context.headers, toolchain.all_files],
        ),
        outputs = [pch],
        mnemonic = "CppPrecompileHeader",
        progress_message = "Precompiling " + source.short_path,
    )

    # The headers are inputs of the compilations, too: their dependency files
    # list them.
    own = cc_common.create_compilation_context(
        headers = depset([pch, source] + ctx.files.hdrs),
    )
    return [
        DefaultInfo(files = depset([pch])),
        cc_common.merge_cc_infos(cc_infos = [
            CcInfo(compilation_context = own),
            CcInfo(compilation_context = context),
        ]),
    ]

cc_pch = rule(
    implementation = _cc_pch_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "hdrs": attr.label_list(allow_files = [".h"]),
        "src": attr.label(allow_single_file = [".h"], mandatory = True),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

"""The messages of compilations, for tests of the compiler's checks."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_CompilationInfo = provider(
    doc = "The compilations of a C++ target.",
    fields = {
        "inputs": "depset of files",
        "outputs": "list of files",
    },
)

def _find_compilations_impl(target, ctx):
    compilations = [a for a in target.actions if a.mnemonic == "CppCompile"]
    return [_CompilationInfo(
        inputs = depset(transitive = [a.inputs for a in compilations]),
        outputs = [f for a in compilations for f in a.outputs.to_list()],
    )]

_find_compilations = aspect(implementation = _find_compilations_impl)

# Compiles for the module that the map $MAP declares, and leaves the messages in
# $OUT.
_COMPILE = """
module=$(sed -n 's/^module "\\([^"]*\\)".*/\\1/p' "$MAP" | head -n 1)
if "$@" "-fmodule-name=$module" > "$OUT" 2>&1; then
  echo 'no error' >> "$OUT"
fi
"""

def _messages_impl(ctx):
    info = ctx.attr.target[_CompilationInfo]
    suffix = ".o" if ctx.file.src.extension == "cc" else ".h.processed"
    if not [f for f in info.outputs if f.path.endswith(suffix)]:
        fail("Bazel does not compile " + ctx.file.src.path)
    maps = [
        f
        for f in info.inputs.to_list()
        if f.extension in ["cppmap", "modulemap"]
    ]
    own = [f for f in maps if f.basename == ctx.attr.target.label.name + ".cppmap"]
    if not own:
        fail("%s has no module map" % ctx.attr.target.label)

    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        cc_toolchain = toolchain,
        ctx = ctx,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    action = ACTION_NAMES.cpp_header_parsing
    if ctx.file.src.extension == "cc":
        action = ACTION_NAMES.cpp_compile
    output = ctx.actions.declare_file(ctx.label.name + ".txt")
    flags = cc_common.get_memory_inefficient_command_line(
        action_name = action,
        feature_configuration = features,
        variables = cc_common.create_compile_variables(
            cc_toolchain = toolchain,
            feature_configuration = features,
            output_file = "/dev/null",
            quote_include_directories = depset(["."]),
            source_file = ctx.file.src.path,
            # As Bazel passes them; a rule cannot set the variables for them.
            user_compile_flags = ["-Werror", "-fsyntax-only"] + [
                "-fmodule-map-file=" + f.path
                for f in maps
            ],
        ),
    )
    tool = cc_common.get_tool_for_action(
        action_name = action,
        feature_configuration = features,
    )
    ctx.actions.run_shell(
        arguments = [tool] + flags,
        command = _COMPILE,
        env = {
            "MAP": own[0].path,
            "OUT": output.path,
        },
        inputs = depset(
            [ctx.file.src],
            transitive = [info.inputs, toolchain.all_files],
        ),
        # As other compilations, outside of the sandbox.
        mnemonic = "CppCompile",
        outputs = [output],
    )
    return [DefaultInfo(
        files = depset([output]),
        runfiles = ctx.runfiles(files = [output]),
    )]

messages = rule(
    implementation = _messages_impl,
    attrs = {
        "src": attr.label(
            allow_single_file = [".cc", ".h"],
            doc = "The file to compile.",
            mandatory = True,
        ),
        "target": attr.label(
            aspects = [_find_compilations],
            doc = "The target that `src` belongs to.",
            mandatory = True,
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    doc = """The messages of the compilation of `src`, in the file `<name>.txt`.

The file is compiled with the features of the build and with the module maps
that Bazel made for `target`, and may have errors. Without any the messages end
with the line `no error`.""",
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

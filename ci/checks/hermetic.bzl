"""What a toolchain reads when it compiles and links, written to files.

`toolchain_probe` compiles and links one source with exactly the flags of a
`cc_binary`, and has compiler and linker list every file they open and every
folder they would look into.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _platform_transition_impl(settings, attr):
    return {
        "//command_line_option:features": [],
        "//command_line_option:platforms": [str(attr.platform)],
    }

_platform_transition = transition(
    implementation = _platform_transition_impl,
    inputs = [],
    outputs = [
        "//command_line_option:features",
        "//command_line_option:platforms",
    ],
)

def _run(ctx, toolchain, features, action, variables, script, inputs, outputs):
    """Runs a command of the toolchain, as `"$@"` of a shell script."""
    tool = cc_common.get_tool_for_action(
        action_name = action,
        feature_configuration = features,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        action_name = action,
        feature_configuration = features,
        variables = variables,
    )
    ctx.actions.run_shell(
        arguments = [tool] + flags,
        command = script,
        env = {"OUT": outputs[0].path},
        inputs = depset(inputs, transitive = [toolchain.all_files]),
        # As real compiles, outside of the sandbox.
        mnemonic = "CppCompile",
        outputs = outputs,
    )

def _probe_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        cc_toolchain = toolchain,
        ctx = ctx,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    src = ctx.file.src
    headers, libraries, object_file, program, search = [
        ctx.actions.declare_file(ctx.label.name + "/" + name)
        for name in ["headers", "libraries", "object.o", "program", "search"]
    ]

    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        output_file = object_file.path,
        source_file = src.path,
    )
    for script, output in [
        ("exec \"$@\"", object_file),
        # The files that are read, as a rule for make.
        ("exec \"$@\" -M -MF $OUT -o /dev/null", headers),
        # The folders that are searched.
        ("exec \"$@\" -E -v -o /dev/null 2> $OUT", search),
    ]:
        _run(
            ctx,
            toolchain,
            features,
            ACTION_NAMES.cpp_compile,
            variables,
            script,
            [src],
            [output],
        )

    _run(
        ctx,
        toolchain,
        features,
        ACTION_NAMES.cpp_link_executable,
        cc_common.create_link_variables(
            cc_toolchain = toolchain,
            feature_configuration = features,
            is_linking_dynamic_library = False,
            is_using_linker = True,
            output_file = program.path,
        ),
        "exec \"$@\" %s -lm -Wl,--trace > $OUT" % object_file.path,
        [object_file],
        [libraries, program],
    )
    outputs = [headers, libraries, search]
    return [DefaultInfo(
        files = depset(outputs),
        runfiles = ctx.runfiles(files = outputs),
    )]

toolchain_probe = rule(
    implementation = _probe_impl,
    attrs = {
        "platform": attr.label(mandatory = True),
        "src": attr.label(
            allow_single_file = [".cc"],
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    cfg = _platform_transition,
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

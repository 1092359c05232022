"""Programs for other machines as data of programs and tests of this one.

    cross_binary(name = "bench_aarch64", binary = "//runtime/tools:bench_artifact",
                 platform = "//ci/toolchains:aarch64")
    qemu_test(name = "echo_aarch64_test", binary = ":echo", machine = "aarch64")
    run_here(name = "cases", program = ":make_cases", outs = ["a.cases"])
"""

def _platform_transition_impl(settings, attr):
    features = settings["//command_line_option:features"]
    platforms = settings["//command_line_option:platforms"]

    # Sanitizer libraries exist for the build machine only.
    plain = [f for f in features if f not in ["asan", "tsan", "ubsan"]]

    # The build machine is an x86_64, too. Its own platform has another name,
    # for which everything would be built a second time. Names of Bazel 4 and 7.
    is_here = [p for p in platforms if p.name in ["host", "host_platform"]]
    if attr.platform.name == "x86_64" and is_here:
        wanted = platforms
    else:
        wanted = [str(attr.platform)]
    return {
        "//command_line_option:features": plain,
        "//command_line_option:platforms": wanted,
    }

_platform_transition = transition(
    implementation = _platform_transition_impl,
    inputs = [
        "//command_line_option:features",
        "//command_line_option:platforms",
    ],
    outputs = [
        "//command_line_option:features",
        "//command_line_option:platforms",
    ],
)

def _program(ctx):
    """The executable and the runfiles of `binary` in the other platform."""
    info = ctx.attr.binary[0][DefaultInfo]
    return info.files_to_run.executable, info.default_runfiles

def _cross_binary_impl(ctx):
    program, runfiles = _program(ctx)
    output = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        is_executable = True,
        output = output,
        target_file = program,
    )
    return [DefaultInfo(
        executable = output,
        files = depset([output]),
        runfiles = runfiles,
    )]

_CROSS_ATTRS = {
    "binary": attr.label(
        cfg = _platform_transition,
        doc = "The program, a `cc_binary`.",
        mandatory = True,
    ),
    "platform": attr.label(
        doc = "The target platform, such as //ci/toolchains:aarch64.",
        mandatory = True,
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

cross_binary = rule(
    implementation = _cross_binary_impl,
    attrs = _CROSS_ATTRS,
    doc = "`binary` built for `platform`, independent of `--platforms`.",
    executable = True,
)

def _run_here_impl(ctx):
    ctx.actions.run(
        arguments = ctx.attr.arguments + [f.path for f in ctx.outputs.outs],
        executable = ctx.attr.program[DefaultInfo].files_to_run,
        inputs = ctx.files.srcs,
        mnemonic = "RunHere",
        outputs = ctx.outputs.outs,
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

run_here = rule(
    implementation = _run_here_impl,
    attrs = {
        "arguments": attr.string_list(doc = "Arguments before `outs`."),
        "outs": attr.output_list(mandatory = True),
        "program": attr.label(
            cfg = "target",
            executable = True,
            mandatory = True,
        ),
        "srcs": attr.label_list(allow_files = True),
    },
    doc = """Files that a program of this repository writes.

Unlike a genrule it runs the program in the target configuration, so that the
compiler is not built a second time as a tool. Pass the files to tests directly
(`data` of qemu_test): behind a platform transition the program would be built
for that platform.""",
)

def _qemu_test_impl(ctx):
    program, runfiles = _program(ctx)
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        content = "#!/bin/sh\nexec %s%s %s %s\n" % (
            ctx.executable.emulator.short_path,
            " -cpu " + ctx.attr.cpu if ctx.attr.cpu else "",
            program.short_path,
            " ".join(["'%s'" % a for a in ctx.attr.arguments]),
        ),
        is_executable = True,
        output = script,
    )
    emulator = ctx.attr.emulator[DefaultInfo].default_runfiles
    data = ctx.runfiles(
        files = [program, ctx.executable.emulator] + ctx.files.data,
    )
    return [DefaultInfo(
        executable = script,
        runfiles = data.merge(runfiles).merge(emulator),
    )]

_qemu_test = rule(
    implementation = _qemu_test_impl,
    attrs = dict(
        _CROSS_ATTRS,
        arguments = attr.string_list(),
        cpu = attr.string(),
        data = attr.label_list(allow_files = True),
        emulator = attr.label(
            cfg = "target",
            executable = True,
        ),
    ),
    test = True,
)

def qemu_test(
        name,
        binary,
        machine,
        arguments = [],
        cpu = "",
        data = [],
        size = "small",
        **kwargs):
    """A test that passes if `binary`, built for `machine`, exits with 0.

    It runs under qemu, which tests correctness and not speed.

    Args:
      name: Name of the test.
      binary: A `cc_binary`, or a `cc_test` that is run on another machine, too.
      machine: aarch64 or armhf.
      arguments: Arguments of the program.
      cpu: Processor that qemu emulates; the default is in emulate.sh.
      data: Files that the program reads, in this machine's configuration.
      size: As for every test.
      **kwargs: As for every test.
    """
    _qemu_test(
        name = name,
        size = size,
        arguments = arguments,
        binary = binary,
        cpu = cpu,
        data = data,
        emulator = "//ci/toolchains:emulate_" + machine,
        platform = "//ci/toolchains:" + machine,
        **kwargs
    )

"""Scripts that work on the source tree itself."""

def _source_tree_script_impl(ctx):
    starter = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        content = "#!/bin/sh\nexec sh \"$BUILD_WORKSPACE_DIRECTORY/%s\" \"$@\"\n" %
                  ctx.file.script.path,
        is_executable = True,
        output = starter,
    )
    return [DefaultInfo(executable = starter)]

# Not an `sh_binary`, which depends on the C++ toolchain: relocking must work
# even if the toolchain cannot be fetched.
source_tree_script = rule(
    implementation = _source_tree_script_impl,
    attrs = {
        "script": attr.label(
            allow_single_file = True,
            mandatory = True,
        ),
    },
    doc = "`bazel run` of this target runs a script in the source tree.",
    executable = True,
)

"""The official library of ONNX Runtime, a reference for comparisons.

`@onnxruntime` holds its shared object, or a note with the reason if it could
not be downloaded: an optional reference must not break the build.
"""

VERSION = "1.31.1"

# Of onnxruntime-1.31.1-cp311-cp311-manylinux_2_28_x86_64.whl.
SHA256 = "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f"

def _onnxruntime_repository_impl(ctx):
    build_file = ctx.path(ctx.attr._build_file)
    ctx.report_progress("fetching ONNX Runtime %s" % VERSION)

    # Named .zip because Bazel recognizes archives by their names.
    result = ctx.execute(
        ["sh", ctx.path(ctx.attr._fetch), VERSION, SHA256, "wheel.zip"],
        timeout = 1200,
    )
    if result.return_code == 0:
        ctx.extract("wheel.zip")
        ctx.delete("wheel.zip")
        ctx.symlink(
            "onnxruntime/capi/libonnxruntime.so." + VERSION,
            "libonnxruntime.so",
        )
    else:
        ctx.file("note.txt", result.stderr.strip() + "\n")
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD", ctx.read(build_file))

onnxruntime_repository = repository_rule(
    implementation = _onnxruntime_repository_impl,
    attrs = {
        "_build_file": attr.label(
            default = "//ci/third_party/onnxruntime:wheel.BUILD",
        ),
        "_fetch": attr.label(
            default = "//ci/third_party/onnxruntime:fetch.sh",
        ),
    },
    environ = [
        "ASSAY_CACHE",
        "HOME",
        "XDG_CACHE_HOME",
    ],
    doc = "The shared object of ONNX Runtime, or a note with an error.",
)

"""Libraries from the Python registry, with which results are compared.

The repository of a wheel holds its shared objects, and `library.so`, the one
that programs open. If the wheel could not be downloaded, the repository holds
`note.txt` with the reason: an optional reference must not break the build.
"""

def _wheel_repository_impl(ctx):
    build_file = ctx.path(ctx.attr._build_file)
    ctx.report_progress("fetching %s %s" % (ctx.attr.package, ctx.attr.version))

    # Named .zip because Bazel recognizes archives by their names.
    result = ctx.execute(
        [
            "sh",
            ctx.path(ctx.attr._fetch),
            ctx.name,
            ctx.attr.package,
            ctx.attr.version,
            ctx.attr.sha256,
            ctx.attr.platform,
            "wheel.zip",
        ],
        timeout = 1200,
    )
    if result.return_code == 0:
        ctx.extract("wheel.zip", stripPrefix = ctx.attr.folder)
        wanted = [ctx.attr.library] + ctx.attr.needs
        for file in ctx.path(".").readdir():
            if file.basename not in wanted:
                ctx.delete(file)
        ctx.symlink(ctx.attr.library, "library.so")
    else:
        ctx.file("note.txt", result.stderr.strip() + "\n")
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD", ctx.read(build_file))

wheel_repository = repository_rule(
    implementation = _wheel_repository_impl,
    attrs = {
        "folder": attr.string(
            doc = "The folder of the libraries in the wheel.",
            mandatory = True,
        ),
        "library": attr.string(
            doc = "The file that becomes `library.so`.",
            mandatory = True,
        ),
        "needs": attr.string_list(
            doc = "The files that `library` loads from its own folder.",
        ),
        "package": attr.string(
            doc = "The name of the package in the registry.",
            mandatory = True,
        ),
        "platform": attr.string(
            doc = "The platform in the file name of the wheel.",
            default = "manylinux_2_28_x86_64",
        ),
        "sha256": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
        "_build_file": attr.label(
            default = "//ci/third_party/wheels:wheel.BUILD",
        ),
        "_fetch": attr.label(default = "//ci/third_party/wheels:fetch.sh"),
    },
    environ = [
        "ASSAY_CACHE",
        "HOME",
        "XDG_CACHE_HOME",
    ],
    doc = "The shared objects of a wheel, or a note with an error.",
)

def wheel_repositories():
    """Declares every repository that comes from a wheel."""

    # oneDNN 3.2. Its threads are those of GNU OpenMP, which is not in the wheel
    # (@debian_openmp). The packages of newer versions need the runtime
    # libraries of SYCL.
    wheel_repository(
        name = "onednn",
        folder = "onednn_cpu_gomp-2023.2.0.data/data/lib",
        library = "libdnnl.so.3",
        package = "onednn-cpu-gomp",
        platform = "manylinux1_x86_64",
        sha256 = "2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb",
        version = "2023.2.0",
    )
    wheel_repository(
        name = "onnxruntime",
        folder = "onnxruntime/capi",
        library = "libonnxruntime.so.1.31.1",
        package = "onnxruntime",
        sha256 = "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f",
        version = "1.31.1",
    )
    wheel_repository(
        name = "openblas",
        folder = "scipy_openblas32/lib",
        library = "libscipy_openblas.so",
        package = "scipy-openblas32",
        sha256 = "0595f94cd58c1f8a0d90c975621f4587337a003916b1979e834ebdf2cb5d9504",
        version = "0.3.34.481.3",
    )

    # OpenVINO opens its plugin for processors and its importers at run time, in
    # the folder of libopenvino.
    wheel_repository(
        name = "openvino",
        folder = "openvino/libs",
        library = "libopenvino_c.so.2641",
        needs = [
            "libhwloc.so.15",
            "libopenvino.so.2641",
            "libopenvino_intel_cpu_plugin.so",
            "libopenvino_ir_frontend.so.2641",
            "libopenvino_onnx_frontend.so.2641",
            "libtbb.so.12",
            "libtbbbind_2_5.so.3",
            "libtbbmalloc.so.2",
        ],
        package = "openvino",
        sha256 = "2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf",
        version = "2026.4.1",
    )

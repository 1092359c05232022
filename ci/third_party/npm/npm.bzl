"""Repositories made of packages of the npm registry.

The one package that the build needs is checked in (`uplot`): building does not
need npm. The others are for tests, or libraries that are opened at run time.
"""

def _npm_repository_impl(ctx):
    lock = ctx.path(ctx.attr._lock)
    ctx.report_progress("fetching %s" % ctx.attr.package)
    result = ctx.execute(
        ["sh", ctx.path(ctx.attr._fetch), lock, ctx.attr.package, "package.tgz"],
        timeout = 1200,
    )
    if result.return_code != 0:
        fail(result.stderr.strip())
    ctx.extract("package.tgz", stripPrefix = "package")
    ctx.delete("package.tgz")
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD", "exports_files([\"%s\"])\n" % ctx.attr.file)

def _npm_library_repository_impl(ctx):
    lock = ctx.path(ctx.attr._lock)
    build_file = ctx.path(ctx.attr._build_file)
    ctx.report_progress("fetching %s" % ctx.attr.package)
    result = ctx.execute(
        ["sh", ctx.path(ctx.attr._fetch), lock, ctx.attr.package, "package.tgz"],
        timeout = 1200,
    )
    if result.return_code == 0:
        ctx.extract("package.tgz", output = "unpacked", stripPrefix = "package")
        ctx.delete("package.tgz")
        ctx.symlink("unpacked/" + ctx.attr.library, "library.so")
    else:
        ctx.file("note.txt", result.stderr.strip() + "\n")
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)
    ctx.file("BUILD", ctx.read(build_file))

npm_repository = repository_rule(
    implementation = _npm_repository_impl,
    attrs = {
        "file": attr.string(mandatory = True),
        "package": attr.string(mandatory = True),
        "_fetch": attr.label(default = "//ci/third_party/npm:fetch.sh"),
        "_lock": attr.label(default = "//ci/third_party/npm:lock"),
    },
    environ = [
        "ASSAY_CACHE",
        "HOME",
        "PATH",
        "XDG_CACHE_HOME",
    ],
    doc = "One file of a package of the npm lock.",
)

npm_library_repository = repository_rule(
    implementation = _npm_library_repository_impl,
    attrs = {
        "library": attr.string(
            doc = "The path of the shared library in the package.",
            mandatory = True,
        ),
        "package": attr.string(mandatory = True),
        "_build_file": attr.label(
            default = "//ci/third_party/wheels:wheel.BUILD",
        ),
        "_fetch": attr.label(default = "//ci/third_party/npm:fetch.sh"),
        "_lock": attr.label(default = "//ci/third_party/npm:lock"),
    },
    environ = [
        "ASSAY_CACHE",
        "HOME",
        "PATH",
        "XDG_CACHE_HOME",
    ],
    doc = "The library of a package, or a note if it could not be downloaded.",
)

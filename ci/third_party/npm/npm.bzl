"""Repositories made of packages of the npm registry, for tests only.

The one package that the build needs is checked in (`uplot`): building does not
need npm.
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

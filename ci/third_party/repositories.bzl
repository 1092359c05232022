"""All external repositories of this workspace.

WORKSPACE (Bazel 4) and WORKSPACE.bzlmod (Bazel 7) both call this.
"""

load("//ci/third_party/debian:debian.bzl", "debian_repositories")
load(
    "//ci/third_party/npm:npm.bzl",
    "npm_library_repository",
    "npm_repository",
)
load("//ci/third_party/wheels:wheels.bzl", "wheel_repositories")

def third_party_repositories():
    """Declares the repositories and registers the toolchains in them."""
    debian_repositories()

    wheel_repositories()

    npm_repository(
        name = "axe_core",
        file = "axe.min.js",
        package = "axe-core",
    )

    npm_library_repository(
        name = "duckdb",
        library = "libduckdb.so",
        package = "@duckdb/node-bindings-linux-x64",
    )

    native.register_toolchains(
        "//ci/toolchains:clang_x86_64",
        "//ci/toolchains:clang_aarch64",
        "//ci/toolchains:clang_armhf",
    )

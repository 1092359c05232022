"""Suites of models of the catalog (suites/models/catalog.h)."""

load("//ci/bazel:cc.bzl", "cc_binary")

def _source_impl(ctx):
    text = ctx.attr.description
    for char, escaped in [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n")]:
        text = text.replace(char, escaped)
    ctx.actions.expand_template(
        template = ctx.file.template,
        output = ctx.outputs.out,
        substitutions = {
            "SUITE_DESCRIPTION": text,
            "SUITE_NAME": ctx.attr.suite,
            "SUITE_TAKES_SIZE": "true" if ctx.attr.takes_size else "false",
        },
    )

_source = rule(
    implementation = _source_impl,
    attrs = {
        "description": attr.string(),
        "out": attr.output(),
        "suite": attr.string(),
        "takes_size": attr.bool(),
        "template": attr.label(
            allow_single_file = True,
            default = "//suites:catalog_suite.cc",
        ),
    },
)

def catalog_suite(name, description, takes_size = True, **kwargs):
    """The program of a suite that measures the models that name it.

    Args:
      name: The name of the suite.
      description: The first paragraph of `--help`.
      takes_size: Whether there are `--size` and `--multiplier`, for models that
        can be built in other sizes.
      **kwargs: Other attributes of the program.
    """
    _source(
        name = name + "_source",
        description = description,
        out = name + "_main.cc",
        suite = name,
        takes_size = takes_size,
    )
    cc_binary(
        name = name,
        srcs = [name + "_main.cc"],
        deps = ["//suites/harness:suite_main"],
        **kwargs
    )

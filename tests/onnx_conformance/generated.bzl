"""Files that the newest package `onnx` makes, for nightly tests.

A program of generate/ writes a file with the packages below, or generate.sh
writes a note that says why there is none. The targets are manual, because the
packages come from the network: they are fetched when a file is built.
"""

_PYTHON = "@debian_torch//:torch"

_WHEELS = ["@wheel_%s//:files" % name for name in [
    "ml_dtypes_newest",
    "numpy",
    "onnx_newest",
    "protobuf",
    "typing_extensions",
]]

def generated_file(name, extension, scripts):
    """Declares NAME, the files `NAME.extension` and `NAME.note`.

    Args:
      name: The name of the program `generate/NAME.py`.
      extension: The extension of the file that the program writes.
      scripts: All files of generate/.
    """
    file = "%s.%s" % (name, extension)
    native.genrule(
        name = name,
        srcs = scripts + [_PYTHON] + _WHEELS + [
            # The file that changes with the files of a wheel.
            wheel.replace(":files", ":stamp")
            for wheel in _WHEELS
        ],
        outs = [
            file,
            name + ".note",
        ],
        cmd = "sh $(location generate.sh) " +
              "$(RULEDIR)/%s $(RULEDIR)/%s.note " % (file, name) +
              "$(location generate/%s.py) " % name +
              "$$(echo $(locations %s) | cut -d' ' -f1) " % _PYTHON +
              " ".join(["$(location %s)" % wheel for wheel in _WHEELS]),
        message = "Running the package onnx:",
        tags = [
            "manual",
            "no-cache",
        ],
        tools = ["generate.sh"],
    )

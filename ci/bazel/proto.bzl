"""Protobuf and gRPC code generation with the locked `protoc`.

    cc_proto_library(name = "measure_cc_proto", srcs = ["measure.proto"])
    cc_grpc_library(name = "measure_cc_grpc", srcs = ["measure.proto"],
                    deps = [":measure_cc_proto"])

Imports and includes are relative to the workspace: `rpc/proto/measure.proto`
is imported by that name, and its header is `rpc/proto/measure.pb.h`.
"""

_ProtoFiles = provider(
    doc = "The .proto files of a library and those that they import.",
    fields = {"files": "depset of files"},
)

def _import_name(src, root):
    """The name by which other .proto files import `src`."""
    name = src.short_path
    if root:
        name = name[name.index(root) + len(root):].lstrip("/")
    return name

def _generate_impl(ctx):
    imported = depset(
        ctx.files.srcs,
        transitive = [d[_ProtoFiles].files for d in ctx.attr.protos],
    )
    outputs = []
    names = []
    package = ctx.label.package + "/"
    for src in ctx.files.srcs:
        name = _import_name(src, ctx.attr.root)
        names.append(name)
        stem = name[:-len(".proto")]
        if not ctx.attr.root:
            stem = stem[len(package):]
        for suffix in ctx.attr.suffixes:
            outputs.append(ctx.actions.declare_file(stem + suffix))

    out = ctx.bin_dir.path
    if ctx.attr.root:
        out += "/" + ctx.label.package
    args = ctx.actions.args()
    for src in ctx.files.srcs:
        if ctx.attr.root:
            end = src.path.index(ctx.attr.root) + len(ctx.attr.root)
            args.add("-I" + src.path[:end])
            break
    args.add("-I.")
    args.add("-Iexternal/libs_x86_64/usr/include")
    if ctx.attr.grpc:
        args.add("--plugin=protoc-gen-grpc=" + ctx.file._plugin.path)
        args.add("--grpc_out=" + out)
    else:
        args.add("--cpp_out=" + out)
    args.add_all(names)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.file._protoc,
        inputs = depset(ctx.files._protos, transitive = [imported]),
        mnemonic = "Protoc",
        outputs = outputs,
        progress_message = "Generating C++ from " + ctx.label.package,
        tools = depset([ctx.file._plugin] + ctx.files._programs),
    )
    return [
        DefaultInfo(files = depset(outputs)),
        OutputGroupInfo(
            hdrs = depset([f for f in outputs if f.extension == "h"]),
            srcs = depset([f for f in outputs if f.extension == "cc"]),
        ),
        _ProtoFiles(files = imported),
    ]

_generate = rule(
    implementation = _generate_impl,
    attrs = {
        "grpc": attr.bool(),
        "protos": attr.label_list(providers = [_ProtoFiles]),
        "root": attr.string(
            doc = "Folder of another repository that imports start from.",
        ),
        "srcs": attr.label_list(allow_files = [".proto"]),
        "suffixes": attr.string_list(),
        "_plugin": attr.label(
            allow_single_file = True,
            cfg = "exec",
            default = "@debian_tools//:bin/grpc_cpp_plugin",
        ),
        "_programs": attr.label(
            cfg = "exec",
            default = "@debian_tools//:protobuf_programs",
        ),
        "_protoc": attr.label(
            allow_single_file = True,
            cfg = "exec",
            default = "@debian_tools//:bin/protoc",
        ),
        "_protos": attr.label(
            default = "@libs_x86_64//:protobuf_protos",
        ),
    },
)

def _library(name, srcs, deps, library, suffixes, grpc, root, **kwargs):
    generated = name + "_files"
    _generate(
        name = generated,
        srcs = srcs,
        grpc = grpc,
        protos = [d + "_files" for d in deps],
        root = root,
        suffixes = suffixes,
        visibility = ["//visibility:public"],
    )
    for group in ["hdrs", "srcs"]:
        native.filegroup(
            name = name + "_" + group,
            srcs = [generated],
            output_group = group,
        )
    native.cc_library(
        name = name,
        srcs = [name + "_srcs"],
        hdrs = [name + "_hdrs"],
        includes = ["."] if root else [],
        deps = deps + [library],
        **kwargs
    )

def cc_proto_library(name, srcs, deps = [], root = "", **kwargs):
    """A C++ library of the messages in .proto files.

    Args:
      name: Name of the library.
      srcs: .proto files of this package.
      deps: The cc_proto_library targets that `srcs` import.
      root: For files of another repository, its folder to which includes and
        imports are relative.
      **kwargs: As for `cc_library`.
    """
    _library(
        name,
        srcs,
        deps,
        "//ci/third_party:protobuf",
        [".pb.h", ".pb.cc"],
        False,
        root,
        **kwargs
    )

def cc_grpc_library(name, srcs, deps, **kwargs):
    """A C++ library of the services in .proto files.

    Args:
      name: Name of the library.
      srcs: .proto files of this package.
      deps: The cc_proto_library targets of `srcs` and of the files that they
        import.
      **kwargs: As for `cc_library`.
    """
    _library(
        name,
        srcs,
        deps,
        "//ci/third_party:grpc",
        [".grpc.pb.h", ".grpc.pb.cc"],
        True,
        "",
        **kwargs
    )

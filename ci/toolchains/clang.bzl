"""The C++ toolchain: clang 19 and lld 19 of the lock, one sysroot per target.

No path of the build machine appears in a command: the compiler has no default
search path (`-nostdinc`), headers and libraries come from `@sysroot_*` by paths
relative to the execution root.
"""

load(
    "@bazel_tools//tools/build_defs/cc:action_names.bzl",
    "ACTION_NAMES",
)
load(
    "@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl",
    "feature",
    "tool_path",
)
load("//ci/toolchains:flags.bzl", "LINK", "SANITIZERS", "flags", "link_mode")
load("//ci/toolchains:include_checks.bzl", "INCLUDE_CHECK_FEATURES")

_COMPILE = [
    ACTION_NAMES.assemble,
    ACTION_NAMES.preprocess_assemble,
    ACTION_NAMES.c_compile,
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.cpp_module_compile,
    ACTION_NAMES.cpp_module_codegen,
]

_COMPILE_CPP = [
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.cpp_module_compile,
    ACTION_NAMES.cpp_module_codegen,
]

_TOOLS = "external/debian_tools"
_RESOURCES = _TOOLS + "/usr/lib/llvm-19/lib/clang/19"

def _sanitizer(name, options):
    """A feature that finds errors at run time, see `.bazelrc`."""
    return feature(
        name = name,
        flag_sets = [
            flags(_COMPILE, options + [
                "-UNDEBUG",
                "-fno-omit-frame-pointer",
                "-g1",
            ]),
            flags(LINK, options + ["-resource-dir=" + _RESOURCES]),
        ],
    )

def _config_impl(ctx):
    sysroot = "external/sysroot_" + ctx.attr.cpu
    triple = ctx.attr.triple
    system_includes = [
        sysroot + "/usr/include/c++/12",
        sysroot + "/usr/include/%s/c++/12" % triple,
        sysroot + "/usr/include/c++/12/backward",
        _RESOURCES + "/include",
        sysroot + "/usr/include/" + triple,
        sysroot + "/usr/include",
    ]

    isystem = []
    for path in system_includes:
        isystem += ["-isystem", path]

    compile_flags = feature(
        name = "default_compile_flags",
        enabled = True,
        flag_sets = [
            flags(_COMPILE, [
                "--target=" + triple,
                "-no-canonical-prefixes",
                "-resource-dir=" + _RESOURCES,
                "-nostdinc",
                "-fPIE",
                "-ffunction-sections",
                "-fdata-sections",
                "-fno-common",
                # Outputs depend on neither time nor place of the build.
                "-ffile-compilation-dir=.",
                "-Wno-builtin-macro-redefined",
                "-D__DATE__=\"redacted\"",
                "-D__TIME__=\"redacted\"",
                "-D__TIMESTAMP__=\"redacted\"",
            ] + ctx.attr.machine_flags),
            flags(_COMPILE_CPP, ["-std=c++17"]),
            flags(_COMPILE, ["-O2", "-DNDEBUG"], "opt"),
            flags(_COMPILE, ["-O0", "-g"], "dbg"),
        ],
    )

    # After the flags of the target, so that the headers of a library take
    # precedence.
    system_include_flags = feature(
        name = "system_include_paths",
        enabled = True,
        flag_sets = [flags(_COMPILE, isystem)],
    )

    # The C++ library and the unwinder are linked statically, so that a program
    # needs only the C library of the machine that it runs on. With
    # `features = ["fully_static"]` it needs not even that.
    link_flags = feature(
        name = "default_link_flags",
        enabled = True,
        flag_sets = [
            flags(LINK, [
                "--target=" + triple,
                "--driver-mode=g++",
                "-no-canonical-prefixes",
                "--gcc-toolchain=%s/usr" % sysroot,
                "--ld-path=%s/bin/ld.lld" % _TOOLS,
                "-fuse-ld=lld",
            ]),
            # Not with -static-pie: the C library would be linked dynamically.
            link_mode(LINK, ["-static-libstdc++"], static = False),
            flags(LINK, [
                "-static-libgcc",
                "-pthread",
                "-Wl,--build-id=none",
                "-Wl,--gc-sections",
                "-Wl,-z,relro,-z,now",
                # RPATH, unlike RUNPATH, also applies to the dependencies of
                # libraries.
                "-Wl,--disable-new-dtags",
            ]),
            link_mode(
                [ACTION_NAMES.cpp_link_executable],
                ["-pie"],
                static = False,
            ),
            # Debian has no start file of static position-independent programs
            # (rcrt1.o) for armhf.
            link_mode(
                [ACTION_NAMES.cpp_link_executable],
                ["-static" if ctx.attr.cpu == "armhf" else "-static-pie"],
                static = True,
            ),
            flags(LINK, ["-Wl,--strip-all"], "opt", SANITIZERS),
        ],
    )

    features = [
        compile_flags,
        link_flags,
        system_include_flags,
        feature(name = "opt"),
        feature(name = "dbg"),
        feature(name = "fastbuild"),
        feature(name = "fully_static"),
        feature(name = "supports_start_end_lib", enabled = True),
        _sanitizer("asan", ["-fsanitize=address"]),
        _sanitizer("tsan", ["-fsanitize=thread"]),
        # Kernels are called through pointers and have no type information.
        _sanitizer("ubsan", [
            "-fsanitize=undefined",
            "-fno-sanitize=function",
            "-fno-sanitize-recover=all",
        ]),
        # Coverage counters for libFuzzer, which each fuzzer links itself.
        _sanitizer("fuzz", ["-fsanitize=fuzzer-no-link", "-O1"]),
    ] + INCLUDE_CHECK_FEATURES

    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "glibc_2.36",
        abi_version = "gnu",
        builtin_sysroot = sysroot,
        compiler = "clang",
        cxx_builtin_include_directories = [
            "%workspace%/" + path
            for path in system_includes
        ] + ["%workspace%/" + _RESOURCES],
        features = features,
        host_system_name = "x86_64-linux-gnu",
        target_cpu = ctx.attr.cpu,
        target_libc = "glibc_2.36",
        target_system_name = triple,
        tool_paths = [
            tool_path(name = name, path = "bin/" + path)
            for name, path in [
                ("ar", "llvm-ar"),
                ("cpp", "clang"),
                ("dwp", "llvm-dwp"),
                ("gcc", "clang"),
                ("gcov", "llvm-cov"),
                ("ld", "ld.lld"),
                ("llvm-cov", "llvm-cov"),
                ("nm", "llvm-nm"),
                ("objcopy", "llvm-objcopy"),
                ("objdump", "llvm-objdump"),
                ("strip", "llvm-strip"),
            ]
        ],
        toolchain_identifier = "clang_" + ctx.attr.cpu,
    )

_clang_config = rule(
    implementation = _config_impl,
    attrs = {
        "cpu": attr.string(mandatory = True),
        "machine_flags": attr.string_list(),
        "triple": attr.string(mandatory = True),
    },
    provides = [CcToolchainConfigInfo],
)

# Name of a machine in this repository; Debian's multiarch name, which is also
# the target of clang; flags of the instruction set. Each instruction set is the
# minimum that Debian requires; kernels, which this compiler makes, may use more.
_MACHINES = [
    ("x86_64", "x86_64-linux-gnu", []),
    ("aarch64", "aarch64-linux-gnu", []),
    ("armhf", "arm-linux-gnueabihf", [
        "-march=armv7-a",
        "-mfpu=vfpv3-d16",
        "-mthumb",
    ]),
]

def clang_toolchains():
    """Defines `clang_<machine>` for every machine.

    Must be called in the package of the tools: the paths of a toolchain's
    programs are relative to its package.
    """
    for cpu, triple, machine_flags in _MACHINES:
        name = "clang_" + cpu
        _clang_config(
            name = name + "_config",
            cpu = cpu,
            machine_flags = machine_flags,
            triple = triple,
        )

        # The stamps list the hashes of the packages and represent thousands of
        # files, which compilations can read because they run outside of the
        # sandbox (see .bazelrc).
        native.filegroup(
            name = name + "_files",
            srcs = [
                ":stamp",
                ":system_%s.modulemap" % cpu,
                "@sysroot_%s//:stamp" % cpu,
            ],
        )
        native.cc_toolchain(
            name = name,
            all_files = name + "_files",
            ar_files = name + "_files",
            as_files = name + "_files",
            compiler_files = name + "_files",
            dwp_files = name + "_files",
            linker_files = name + "_files",
            module_map = ":system_%s.modulemap" % cpu,
            objcopy_files = name + "_files",
            strip_files = name + "_files",
            supports_header_parsing = True,
            supports_param_files = True,
            toolchain_config = name + "_config",
            toolchain_identifier = name,
        )

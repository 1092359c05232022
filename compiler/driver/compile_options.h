// CompileOptions: the options of Compile(), including those for dumps.
#ifndef ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_
#define ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>

#include "compiler/graph/passes/pass_selection.h"
#include "compiler/ops/kernel/layout_policy.h"
#include "runtime/base/memory_limit.h"

namespace assay::driver {

constexpr int64_t kDefaultMaxWinograd = ops::LayoutPolicy::kMaxWinograd;

struct CompileOptions {
  // Graph passes to run. Below level 1, operators are not fused.
  graph::PassSelection passes;
  // If false, every operator is a separate kernel.
  bool fusion = true;
  // If false, convolutions stay NCHW and max_winograd is ignored.
  bool choose_layout = true;
  // Largest Winograd tile that may be chosen for 3x3 convolutions: 0 (never),
  // 2, 4 or 6. The algorithm equals the definition over the real numbers but
  // rounds differently; the error relative to the largest output stays below
  // 1e-5, 1e-4 and 1e-3 for tiles of 2, 4 and 6.
  int64_t max_winograd = kDefaultMaxWinograd;
  // Measured times for choosing layouts; the default is the cost model.
  ops::LayoutTimes layout_times;
  // Forbids Winograd's algorithm and all others that equal the definition over
  // the real numbers only, such as Strassen's (ops/implementation.h),
  // independently of choose_layout.
  bool exact = false;
  // Bytes for weights, inputs, outputs and intermediate values together. If
  // they need more, Compile() returns ResourceExhausted, naming a value.
  int64_t max_memory = kDefaultMaxMemory;
  // Schedules other than the default, by name of a node of the model: entries
  // that override the default configuration of the kernel that computes the
  // node, such as `tile_ow=[-1,7] unroll_kw=1` (ops::Config).
  std::map<std::string, std::string> configs;
  // Verifies the IR after every stage, and that passes correctly report if
  // they changed it. Slow; enabled in tests.
  bool verify = false;
  // Directory for the result of every stage; empty for none. It is created if
  // it does not exist. File names sort in the order of the stages:
  //   graph.000.imported.txt           the model
  //   graph.002.fold_constants.txt     after each pass that changed it
  //   kernel.k007_conv2d_add_relu.0.te.txt, .1.schedule.txt,
  //   .2.lowered.tir.txt, .4.<pass>.tir.txt for each loop pass that changed
  //   it, and the files of the code generator (for LLVM .ll, .opt.ll and .s)
  std::string dump_dir;
  // Directory for `<model>.reproducer.txt` (reproducer.h), which is written if
  // a graph pass fails and is named in the error; empty for none.
  std::string reproducer_dir;
};

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_

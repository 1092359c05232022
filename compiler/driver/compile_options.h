// CompileOptions: what Compile() may be told, and where it shows its work.
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
  // Which graph passes are run. Below level 1 operators are not fused either.
  graph::PassSelection passes;
  // Off: every operator is a kernel of its own.
  bool fusion = true;
  // Off: convolutions stay NCHW, and max_winograd means nothing.
  bool choose_layout = true;
  // The largest tile of the Winograd algorithm that may be chosen for 3x3
  // convolutions: 0 (never), 2, 4 or 6. It computes another sum than the
  // definition, equal over the real numbers; the error relative to the largest
  // output stays below 1e-5, 1e-4 and 1e-3 for tiles of 2, 4 and 6.
  int64_t max_winograd = kDefaultMaxWinograd;
  // Measured times that layouts are chosen by; by default the cost model's.
  ops::LayoutTimes layout_times;
  // On: neither that algorithm nor any other that computes the definition's
  // result over the real numbers only, such as Strassen's
  // (ops/implementation.h); whatever choose_layout is.
  bool exact = false;
  // For weights, inputs, outputs and intermediate values together. Compile()
  // gives a ResourceExhausted error that names a value where they need more.
  int64_t max_memory = kDefaultMaxMemory;
  // Schedules other than the default, by the name of a node of the model:
  // entries that replace those of the default configuration of the kernel that
  // computes it, such as `tile_ow=[-1,7] unroll_kw=1` (ops::Config).
  std::map<std::string, std::string> configs;
  // Verify after every stage and check that passes tell the truth about what
  // they changed. Costs time; on in tests.
  bool verify = false;
  // Where to write what every stage produced; empty: nowhere. The folder is
  // made if need be. Names sort in the order of the stages:
  //   graph.000.imported.txt           the model
  //   graph.002.fold_constants.txt     after each pass that changed it
  //   kernel.k007_conv2d_add_relu.0.te.txt, .1.schedule.txt,
  //   .2.lowered.tir.txt, .4.<pass>.tir.txt for each loop pass that changed
  //   it, and the files of the code generator (for LLVM .ll, .opt.ll and .s)
  std::string dump_dir;
  // Where a graph pass that fails leaves `<model>.reproducer.txt` (see
  // reproducer.h), which the error then names; empty: nowhere.
  std::string reproducer_dir;
};

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_

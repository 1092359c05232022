// CompileOptions: the options of Compile(), including those for dumps.
#ifndef ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_
#define ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>

#include "compiler/driver/tuning_table.h"
#include "compiler/graph/pipeline/pass_selection.h"
#include "compiler/ops/kernel/kernel_costs.h"
#include "runtime/base/memory_limit.h"

namespace assay::driver {

// When constants that are not stored in row-major order are encoded.
enum class SetupMode {
  // Each constant as is better for its size: at load time if the encoded one is
  // larger by a quarter and by 16 KiB.
  kAuto,
  // In the compiler: the artifact holds the encoded constants.
  kCompile,
  // At load time: the artifact holds the plain constants.
  kLoad,
};
// The names of the modes in flags, in the order of the enumerators.
inline constexpr const char* kSetupModeNames[] = {"auto", "compile", "load"};

struct CompileOptions {
  // Graph passes to run. If PassSelection::level is 0, operators are not fused.
  graph::PassSelection passes;
  // If false, every operator is a separate kernel.
  bool fusion = true;
  // If false, all tensors stay plain.
  bool choose_layout = true;
  // Largest error bound of the implementations (ops::Inexact) that are used,
  // relative to the largest output of the operator. If the value is 0, only
  // exact implementations are used. This excludes fast algorithms such as
  // Winograd's and Strassen's, which are equivalent to the definition of the
  // operator only in exact arithmetic, and products of split numbers.
  double max_error = ops::kDefaultMaxError;
  // Functions that return measured times. Encodings are chosen by these times.
  // By default, they are chosen by the times that the cost model predicts.
  ops::EncodingTimes encoding_times;
  // Maximum total size of weights, inputs, outputs and intermediate values, in
  // bytes. If the model needs more, Compile() returns ResourceExhausted with
  // the name of a value.
  int64_t max_memory = kDefaultMaxMemory;
  // Maps names of nodes of the model to entries of a configuration, such as
  // `tile_ow=[-1,7] unroll_kw=1` (ops::Config). The entries override the
  // default configuration of the kernel that computes the node.
  std::map<std::string, std::string> configs;
  // Implementations and configurations of kernels. A kernel that the table does
  // not contain gets the choice of the cost model, and so does a kernel whose
  // entry names an implementation that `max_error` excludes. `configs`
  // overrides the entries.
  TuningTable tuned;
  SetupMode setup = SetupMode::kAuto;
  // As codegen::Options::layout_seed.
  uint64_t layout_seed = 0;
  // If true, verifies the graph and the loop IR more often than usual, and
  // checks that each graph pass correctly reports whether it changed the graph.
  // This is slow and is enabled in tests.
  bool verify = false;
  // Directory to which the result of every stage is written; it is created if
  // it does not exist. If empty, nothing is written. The names of the files of
  // a graph or kernel contain the numbers of the stages:
  //   graph.000.imported.txt             the model
  //   graph.003.fold_constants.txt       the graph after the third pass; there
  //                                      is a file for each pass that changed
  //                                      the graph
  //   kernel.<symbol>.0.te.txt           the tensor expression of a kernel; a
  //                                      symbol is `k007_conv2d_add_relu`, for
  //                                      example
  //   kernel.<symbol>.1.schedule.txt     the schedule
  //   kernel.<symbol>.2.lowered.tir.txt  the loop IR after lowering
  //   kernel.<symbol>.4.<pass>.tir.txt   the loop IR after a loop pass; there
  //                                      is a file for each pass that changed
  //                                      the loop IR
  //   kernel.<symbol>.<suffix>           files of the code generator; LLVM uses
  //                                      the suffixes `ll`, `opt.ll` and `s`
  std::string dump_dir;
  // Directory for the file `<model>.reproducer.txt` (reproducer.h). The file is
  // written if a graph pass fails with an error other than ResourceExhausted,
  // and the error then contains the path of the file. If empty, no file is
  // written.
  std::string reproducer_dir;
  // If true, a check that fails in the compiler (runtime/base/check.h) writes a
  // reproducer, too, and prints its path. The file is written to
  // `reproducer_dir`, or to TempFolder() (runtime/base/file.h) if that is
  // empty. If the check fails for one kernel, the file contains only this
  // kernel, and its name is that of the kernel's function.
  bool reproduce_failed_checks = true;
};

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_COMPILE_OPTIONS_H_

// The stages of a compilation. Compile() and CompileKernel() run these stages.
//
// OptimizeGraph, KernelLowering and GenerateCode write their results to `dump`
// (CompileOptions::dump_dir lists the names of the files). If a file cannot be
// written, they return the error of `dump`. If a check fails in one of them,
// the message contains the target and the pass or kernel.
#ifndef ASSAY_COMPILER_DRIVER_STAGES_H_
#define ASSAY_COMPILER_DRIVER_STAGES_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"
#include "runtime/artifact/artifact.h"

namespace assay::driver {

// Returns InvalidArgument if an operator of `graph` is not part of a kernel.
absl::Status CheckOnlyKernels(const graph::Graph& graph);

// Runs the graph passes that `options` selects. Returns the error of
// CheckOnlyKernels() for the resulting graph.
absl::Status OptimizeGraph(graph::Graph& graph, const target::Target& target,
                           const CompileOptions& options, DumpDir& dump);

// KernelLowering: lowers kernels to functions of the loop IR. Kernels whose
// functions are equal share one function. `target`, `dump` and the nodes must
// outlive this object.
class KernelLowering {
 public:
  // If `reproducer_dir` is not empty, a check that fails while a kernel is
  // lowered writes a reproducer of the kernel to this directory.
  KernelLowering(const target::Target& target, bool verify, DumpDir& dump,
                 std::string reproducer_dir)
      : target_(target),
        verify_(verify),
        dump_(dump),
        reproducer_dir_(std::move(reproducer_dir)) {}

  // Lowers the kernel node `node`, and returns its tensor expression and its
  // schedule.
  absl::StatusOr<ops::Kernel> Add(const graph::Node& node,
                                  const ops::KernelOptions& options = {});

  // Writes a reproducer of the kernel with the function `symbol`. `failure` is
  // the message of the check that failed. Returns a text that says where the
  // file is. Returns an empty string if the constructor got no directory.
  std::string Reproduce(const std::string& symbol,
                        absl::string_view failure) const;

  // Returns the distinct functions, after the loop passes.
  const std::vector<tir::Function>& functions() const { return functions_; }
  // Returns the names of the algorithms that are not exact, in alphabetical
  // order (runtime::kMetaAlgorithms).
  const std::set<std::string>& inexact_algorithms() const {
    return inexact_algorithms_;
  }
  // Returns the name of the function of each node that was added.
  const absl::flat_hash_map<const graph::Node*, std::string>& symbols() const {
    return symbols_;
  }

 private:
  // The first kernel that a function was lowered from.
  struct Source {
    const graph::Node* node = nullptr;
    ops::KernelOptions options;
  };

  void Finish(const ops::Kernel& kernel, const tir::Function& function);
  std::string Reproduce(const Source& source, const std::string& symbol,
                        absl::string_view failure) const;

  const target::Target& target_;
  const bool verify_;
  DumpDir& dump_;
  const std::string reproducer_dir_;
  std::vector<tir::Function> functions_;
  absl::flat_hash_map<std::string, std::string> symbols_by_text_;
  absl::flat_hash_map<const graph::Node*, std::string> symbols_;
  absl::flat_hash_map<std::string, Source> sources_;  // by symbol
  std::set<std::string> inexact_algorithms_;
};

// Generates code for the functions of `lowering` and stores the code in
// `artifact`. Also stores the code digest of each kernel call in `artifact`.
// Every call must refer to one of the functions. `layout_seed` is
// CompileOptions::layout_seed.
absl::Status GenerateCode(const KernelLowering& lowering,
                          const target::Target& target, uint64_t layout_seed,
                          DumpDir& dump, runtime::Artifact& artifact);

// Stores the metadata that all artifacts have: the name of the model, the
// target, whether fusion is enabled, the limits of integer inputs, and the
// algorithms of the kernels in `lowering` that are not exact.
void DescribeArtifact(const graph::Graph& model, const target::Target& target,
                      bool fusion, const KernelLowering& lowering,
                      runtime::Artifact& artifact);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_STAGES_H_

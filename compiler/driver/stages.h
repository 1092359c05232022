// The stages of a compilation: Compile() runs them on a model, CompileKernel()
// on one of its kernels.
//
// Each stage writes its results to `dump`, under the names that
// compile_options.h lists, and returns the dump's error if that fails.
#ifndef ASSAY_COMPILER_DRIVER_STAGES_H_
#define ASSAY_COMPILER_DRIVER_STAGES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"
#include "runtime/artifact/artifact.h"

namespace assay::driver {

// Runs the graph passes that the options select. Returns InvalidArgument if an
// operator is not part of a kernel afterwards.
absl::Status OptimizeGraph(graph::Graph& graph, const target::Target& target,
                           const CompileOptions& options, DumpDir& dump);

// Lowers kernels one by one; equal kernels share one function. `target` and
// `dump` must outlive this object.
class KernelLowering {
 public:
  KernelLowering(const target::Target& target, bool verify, DumpDir& dump)
      : target_(target), verify_(verify), dump_(dump) {}

  // Lowers the kernel node `node` and returns its kernel.
  absl::StatusOr<ops::Kernel> Add(const graph::Node& node,
                                  const ops::KernelOptions& options = {});

  const std::vector<tir::Function>& functions() const { return functions_; }
  const absl::flat_hash_map<const graph::Node*, std::string>& symbols() const {
    return symbols_;
  }

 private:
  void Finish(const ops::Kernel& kernel, const tir::Function& function);

  const target::Target& target_;
  const bool verify_;
  DumpDir& dump_;
  std::vector<tir::Function> functions_;
  absl::flat_hash_map<std::string, std::string> symbols_by_text_;
  absl::flat_hash_map<const graph::Node*, std::string> symbols_;
};

// Generates code for the functions and stores it, and the digest of each call,
// in `artifact`.
absl::Status GenerateCode(const std::vector<tir::Function>& functions,
                          const target::Target& target, DumpDir& dump,
                          runtime::Artifact& artifact);

// Stores the metadata common to all artifacts.
void DescribeArtifact(const graph::Graph& model, const target::Target& target,
                      bool fusion, runtime::Artifact& artifact);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_STAGES_H_

// SetupKernels: decides which constants are encoded when an artifact is loaded,
// and lowers the kernels that do it (runtime/docs/setup_calls.md).
//
// An encoded constant may be much larger than the plain one: the transformed
// filters of a fast convolution have four times its size. The artifact then
// holds the plain constant, and a setup call encodes it, which takes less time
// than to store, send and read the difference.
#ifndef ASSAY_COMPILER_DRIVER_SETUP_KERNELS_H_
#define ASSAY_COMPILER_DRIVER_SETUP_KERNELS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/graph.h"

namespace assay::driver {

// Returns true if constants of this type are encoded at load time.
bool IsEncodedAtLoad(const graph::TensorType& type, SetupMode setup);

class SetupKernels {
 public:
  // Adds the kernels for the constants of `graph` to `lowering`, which must not
  // outlive this object.
  absl::Status Add(const graph::Graph& graph, SetupMode setup,
                   KernelLowering& lowering);

  // The function for each constant that is encoded at load time.
  const absl::flat_hash_map<const graph::Node*, std::string>& symbols() const {
    return symbols_;
  }

 private:
  std::vector<std::unique_ptr<graph::Graph>> kernels_;  // one kernel each
  absl::flat_hash_map<const graph::Node*, std::string> symbols_;
};

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_SETUP_KERNELS_H_

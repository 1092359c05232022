// DriverCompiler: the compiler proper, as the harness sees it.
#ifndef ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_
#define ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_

#include <map>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "compiler/graph/passes/pass_selection.h"
#include "suites/harness/services.h"

namespace assay::suites {

class DriverCompiler : public Compiler {
 public:
  // `schedules` are the CompileOptions::configs. A graph pass that fails leaves
  // its reproducer in `reproducer_dir`.
  DriverCompiler(graph::PassSelection passes,
                 std::map<std::string, std::string> schedules,
                 int64_t max_memory, std::string reproducer_dir)
      : passes_(std::move(passes)),
        schedules_(std::move(schedules)),
        max_memory_(max_memory),
        reproducer_dir_(std::move(reproducer_dir)) {}

  // The code suits `threads` threads; 0: as many as this machine has, on a
  // device that is this machine. A target that the device's file has wrong is
  // an InvalidArgument that names the device.
  absl::StatusOr<runtime::Artifact> Compile(
      const Model& model, const devices::Device& device, bool fusion,
      int threads, int64_t max_winograd, const std::string& dump_dir) override;

 private:
  graph::PassSelection passes_;
  std::map<std::string, std::string> schedules_;
  int64_t max_memory_;
  std::string reproducer_dir_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_

// DriverCompiler: implements the interface Compiler of the harness with
// driver::Compile().
#ifndef ASSAY_SUITES_HARNESS_COMPILER_DRIVER_COMPILER_H_
#define ASSAY_SUITES_HARNESS_COMPILER_DRIVER_COMPILER_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/compiler/row_tuning.h"

namespace assay::suites {

class DriverCompiler : public Compiler {
 public:
  // `options` apply to all rows, except that Compile() sets `fusion`,
  // `dump_dir` and, for tuned variants, the fields that RowTuning::Apply()
  // sets. Without `tuning`, nothing can be tuned.
  explicit DriverCompiler(driver::CompileOptions options,
                          std::optional<RowTuning> tuning = std::nullopt)
      : options_(std::move(options)), tuning_(std::move(tuning)) {}

  // Returns the error of CanTune() if the variant is tuned.
  absl::StatusOr<CompiledModel> Compile(const Model& model, const Place& place,
                                        const reports::Variant& variant,
                                        const std::string& dump_dir) override;
  absl::Status CanTune(const Place& place) const override;

 private:
  driver::CompileOptions options_;
  std::optional<RowTuning> tuning_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_DRIVER_COMPILER_H_

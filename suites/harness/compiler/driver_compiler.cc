#include "suites/harness/compiler/driver_compiler.h"

#include <utility>

#include "compiler/driver/compile.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<CompiledModel> DriverCompiler::Compile(
    const Model& model, const Place& place, const reports::Variant& variant,
    const std::string& dump_dir) {
  driver::CompileOptions options = options_;
  options.fusion = variant.fusion;
  options.dump_dir = dump_dir;
  CompiledModel compiled;
  if (variant.tuned) {
    ASSAY_RETURN_IF_ERROR(CanTune(place));
    ASSAY_ASSIGN_OR_RETURN(AppliedTuning applied,
                           tuning_->Apply(*model.graph, place, &options));
    compiled.tuning_digest = std::move(applied.digest);
    compiled.tuning_remark = std::move(applied.remark);
  }
  ASSAY_ASSIGN_OR_RETURN(compiled.artifact,
                         driver::Compile(*model.graph, place.target, options));
  return compiled;
}

absl::Status DriverCompiler::CanTune(const Place& place) const {
  if (!tuning_.has_value()) {
    return absl::NotFoundError("there is no log of the tuner");
  }
  return tuning_->Check(place);
}

}  // namespace assay::suites

#include "compiler/target/testing/without_matrix_unit.h"

#include "absl/status/statusor.h"
#include "runtime/base/check.h"

namespace assay::target {

Target WithoutMatrixUnit(const Target& target) {
  if (!target.HasFeature("amx-tile")) return target;
  TargetSpec spec;
  spec.kind = target.kind();
  spec.triple = target.triple();
  spec.cpu = target.cpu();
  spec.features = target.features();
  spec.features.push_back("-amx-tile");
  spec.num_cores = target.num_cores();
  const absl::StatusOr<Target> result = Target::Make(spec);
  CHECK(result.ok()) << result.status();
  return *result;
}

}  // namespace assay::target

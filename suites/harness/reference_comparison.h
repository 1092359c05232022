// CompareWithReference: compares the speed of a cell with that of a reference
// runtime (--reference), under the same conditions
// (suites/references/parity.h). suites/comparison/runtime_speed.h describes the
// measurement.
#ifndef ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_
#define ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

// Sets the speed-up over the reference and the conditions of both in the row of
// `cell`, whose session must have been examined, and adds them to `*remarks`.
// If the reference is not available, if its conditions differ, or if the device
// is emulated or lent by a tracker, only adds a remark that says so. Returns an
// error if a run of either runtime fails.
absl::Status CompareWithReference(const Options& options,
                                  const Services& services, const Model& model,
                                  const DevicePlan& plan,
                                  absl::Span<const Example> examples,
                                  Cell* cell, Remarks* remarks);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_

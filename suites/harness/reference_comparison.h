// CompareWithReference: compares the speed of a cell with that of a reference
// runtime (--reference), under the same conditions
// (suites/references/parity.h). suites/comparison/runtime_speed.h describes the
// measurement.
//
// By default, a reference may compute other values than the model defines
// (ByteProducts in suites/references/reference.h). If its outputs then differ,
// the speed is compared with both of its modes: the row has the ratio to the
// exact mode, which computes the same values, and a remark says by how much the
// outputs of the default mode differ, and has the ratio to it.
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
// is emulated or lent by a tracker, or if the reference refuses the inputs,
// only adds a remark that says so. Returns an error if a timed run of either
// runtime fails.
absl::Status CompareWithReference(const Options& options,
                                  const Services& services, const Model& model,
                                  const DevicePlan& plan,
                                  absl::Span<const Example> examples,
                                  Cell* cell, Remarks* remarks);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_

// Attribute: attributes the difference between two artifacts of one model to
// their kernels.
//
// It uses the loads from which the verdict was reached (paired_loads.h), and
// adds more. For each part of the model (align_kernels.h), the observation of a
// load is the time of the kernels of `run` minus that of the kernels of `base`,
// each in its fastest inference. For the whole model, it is the difference of
// the times of these inferences, as far as it is judged. The result is the
// median of the observations with a confidence sequence
// (reports/stats/median_sequence.h), which is valid although the number of
// loads depends on what was observed. The changes of the kernels are not
// adjusted to add up to the change of the whole: the closer their sum is to it,
// the more the changes can be trusted.
//
// Loads continue until the change of the whole is known to within a fraction of
// itself, the precision, or the budget is spent. Kernels with the same machine
// code in both artifacts are marked, but are timed like all others, because the
// code around them may make them slower, and because the changes add up only if
// all kernels are included.
#ifndef ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
#define ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {

// `base_calls` and `run_calls` are the kernel calls of the programs that
// `loads` compares. The budget is in seconds and includes the earlier loads;
// with a budget of 0, no load is added to earlier ones.
// Returns Unimplemented if the programs are not measured by kernel call.
absl::StatusOr<reports::Attribution> Attribute(
    PairedLoads& loads, absl::Span<const runtime::KernelCall> base_calls,
    absl::Span<const runtime::KernelCall> run_calls, double precision,
    double budget_s);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_

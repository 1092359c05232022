// ReferenceComparison: compares the speed of a cell with that of a reference
// runtime (--reference), under the same conditions
// (suites/references/parity.h). suites/comparison/runtime_speed.h describes the
// measurement.
//
// By default, a reference may compute other values than the model defines
// (ByteProducts in suites/references/reference.h). If the outputs of this
// default mode differ from those of the exact mode, the cell is compared with
// both modes. The row has the ratio to the exact mode, which computes the
// values that the model defines. A remark has the ratio to the default mode,
// and says by how much the outputs of the two modes differ.
#ifndef ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_
#define ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/cell.h"
#include "suites/harness/model_answers.h"
#include "suites/references/reference.h"

namespace assay::suites {

class ReferenceComparison {
 public:
  // `wanted` is the value of --reference. `reference` is the runtime, which
  // must outlive this object, or an error that says why there is none.
  ReferenceComparison(std::string wanted, absl::StatusOr<Reference*> reference,
                      uint64_t seed)
      : wanted_(std::move(wanted)),
        reference_(std::move(reference)),
        seed_(seed) {}

  const std::string& wanted() const { return wanted_; }

  // Sets the speed-up over the reference and the conditions of both in
  // `*comparison`, and adds them to `*notes`. CheckedSession::Examine() must
  // have been called for the session of `cell`. If the reference is not
  // available, if its conditions differ, if the device is emulated or lent by a
  // tracker, or if the reference refuses the inputs, compares nothing and only
  // states this reason in `*comparison` and `*notes`. Returns an error if a
  // timed run of either runtime fails.
  absl::Status Compare(const CheckedCell& cell, const ModelAnswers& answers,
                       const DeviceSlot& slot, reports::Comparison* comparison,
                       ReportNotes* notes) const;

 private:
  const std::string wanted_;
  const absl::StatusOr<Reference*> reference_;
  const uint64_t seed_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_REFERENCE_COMPARISON_H_

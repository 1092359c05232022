// MeasuringLock: lets the users of a machine measure one after the other.
//
// The lock is the file /tmp/assay_measuring.lock, which $ASSAY_MEASURING_LOCK
// replaces. ci/gate.sh takes the same lock.
#ifndef ASSAY_CI_BISECT_MEASURING_LOCK_H_
#define ASSAY_CI_BISECT_MEASURING_LOCK_H_

#include <utility>

#include "absl/status/statusor.h"
#include "runtime/base/descriptor.h"

namespace assay::ci {

class MeasuringLock {
 public:
  // Waits for the lock. If another process has it, says so on standard error.
  static absl::StatusOr<MeasuringLock> Acquire();

 private:
  explicit MeasuringLock(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_MEASURING_LOCK_H_

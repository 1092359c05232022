#include "runtime/base/utc_now.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace assay {

std::string UtcNow() {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(),
                          absl::UTCTimeZone());
}

}  // namespace assay

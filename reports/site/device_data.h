// SiteDevices and DeviceScript: the health of each device over the nights.
#ifndef ASSAY_REPORTS_SITE_DEVICE_DATA_H_
#define ASSAY_REPORTS_SITE_DEVICE_DATA_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/site/site_model.h"

namespace assay::reports {

struct SiteDevice {
  // The records of one run about the device.
  struct Night {
    int64_t rows = 0;
    int64_t throttled = 0;
    int64_t disturbed = 0;
    int temperature = 0;  // the highest, in degrees Celsius; 0 if unknown
    // Machines, numbers of texts, with their rows.
    std::vector<std::pair<uint32_t, int64_t>> machines;
  };
  struct Board {
    int64_t rows = 0;
    uint32_t last_run = 0;
  };

  std::string name;  // CellKey::device
  // The name, with other characters than letters, digits, `.`, `_` and `-`
  // replaced; unique.
  std::string key;
  int64_t cells = 0;
  std::string last_seen;
  std::string state;  // for people
  bool in_newest_run = false;
  std::map<uint32_t, Night> nights;  // by run
  std::map<std::string, Board> boards;
};

// Returns the devices, ordered by name.
absl::StatusOr<std::vector<SiteDevice>> SiteDevices(const SiteModel& model);

absl::StatusOr<std::string> DeviceScript(const SiteModel& model,
                                         const SiteDevice& device);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_DEVICE_DATA_H_

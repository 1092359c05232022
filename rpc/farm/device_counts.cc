#include "rpc/farm/device_counts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "rpc/names/names.h"

namespace assay::rpc {
namespace {

// The names of the devices are `KEY-1`, `KEY-2` and so on.
bool IsKey(absl::string_view key) {
  return IsName(key) && IsName(absl::StrCat(key, "-", kMaxLocalDevices));
}

bool ParseCount(absl::string_view text, int* count) {
  // SimpleAtoi() also accepts signs and blanks.
  return !text.empty() && text.size() <= 2 &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit) &&
         absl::SimpleAtoi(text, count) && *count > 0 &&
         *count <= kMaxLocalDevices;
}

}  // namespace

absl::StatusOr<std::vector<DeviceCount>> ParseDeviceCounts(
    absl::string_view text) {
  std::vector<DeviceCount> counts;
  std::set<std::string> keys;
  int total = 0;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> words = absl::StrSplit(part, ':');
    DeviceCount device;
    device.key = std::string(words[0]);
    const bool valid =
        words.size() <= 2 && IsKey(words[0]) &&
        (words.size() == 1 || ParseCount(words[1], &device.count));
    if (!valid) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", part,
                       "` is not `KEY` or `KEY:COUNT`, as in `rpi3b:2`, with "
                       "at most ",
                       kMaxLocalDevices, " devices"));
    }
    if (!keys.insert(device.key).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", device.key, "` occurs twice"));
    }
    total += device.count;
    counts.push_back(std::move(device));
  }
  if (total > kMaxLocalDevices) {
    return absl::InvalidArgumentError(
        absl::StrCat("a farm on one machine has at most ", kMaxLocalDevices,
                     " devices, not ", total));
  }
  return counts;
}

}  // namespace assay::rpc

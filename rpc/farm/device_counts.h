// ParseDeviceCounts: parses which devices a farm on this machine has.
#ifndef ASSAY_RPC_FARM_DEVICE_COUNTS_H_
#define ASSAY_RPC_FARM_DEVICE_COUNTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::rpc {

// The largest number of devices of a farm on one machine.
constexpr int kMaxLocalDevices = 64;

struct DeviceCount {
  std::string key;
  int count = 1;
};

// Parses `KEY[:COUNT],…`, for example `host,rpi3b:2`. Returns InvalidArgument,
// which quotes the wrong part, if a key or the names of its devices (`KEY-1`
// and so on) are no names (rpc/names/names.h), if it occurs twice, or if there
// are no devices or more than kMaxLocalDevices.
absl::StatusOr<std::vector<DeviceCount>> ParseDeviceCounts(
    absl::string_view text);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_FARM_DEVICE_COUNTS_H_

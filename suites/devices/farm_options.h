// FarmOptions: the tracker that lends devices, and the options of requests to
// the tracker (rpc/docs/farm.md).
#ifndef ASSAY_SUITES_DEVICES_FARM_OPTIONS_H_
#define ASSAY_SUITES_DEVICES_FARM_OPTIONS_H_

#include <string>

namespace assay::suites {

// Paths are absolute or empty.
struct FarmOptions {
  // Address of the tracker that lends the devices of --device, from --tracker
  // or the environment variable ASSAY_TRACKER. If it is empty, only this
  // machine and its emulators can be used.
  std::string tracker;
  // Folder with the certificate `ca.pem`. If it is empty, the environment
  // variable ASSAY_TLS applies, unless `plain_text` is true.
  std::string tls;
  // If true, the tracker is called without TLS. It must then run on this
  // machine.
  bool plain_text = false;
  // File of the user's token; if it is empty, ASSAY_TOKEN_FILE applies.
  std::string token_file;
  // File of the key that signs artifacts, from --signing_key or
  // ASSAY_SIGNING_KEY. If it is empty, artifacts are not signed.
  std::string signing_key;
  // Requests with a higher priority are served first.
  int priority = 0;
  // Longest time to wait for a device, in seconds.
  double wait_s = 3600;
  // Highest number of devices of each kind that measure at the same time.
  int parallel = 1;

  bool has_tracker() const { return !tracker.empty(); }
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_FARM_OPTIONS_H_

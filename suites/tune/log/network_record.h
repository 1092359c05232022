// NetworkRecord: the comparison of a whole network, compiled as the log says,
// with the same network compiled without the log. It is a line of the log.
//
//   {"v":1,"kind":"network","network":"resnet18","model":"5d41…",
//    "target":"llvm …","device":"x86_64-amd-epyc-2c-1a2b3c4d","threads":2,
//    "untuned":"9c1f…","tuned":"07ab…","untuned_ns":9850000,
//    "tuned_ns":10440000,"verdict":{"verdict":"regressed","ratio":1.06,
//    "interval":[1.05,1.07]},"dropped":[{"task":"4f0e…",
//    "template_digest":"9c…","implementation":"matmul.blocked",
//    "config":[["mc","ot",1]]}],"time":"2026-11-24T12:00:00Z"}
//
// The digests identify the two programs that were compared. If a later log
// leads to the same two programs, their comparison is not repeated.
//
// If the tuned program is slower, the record drops points. A dropped point is
// not used on this device, with this target and number of threads, as long as
// its template is the same, whatever other records say about it. The default
// point of a convolution can be dropped if the cost model does not choose its
// layout. The layout then counts as not measured
// (suites/tune/measured_encodings.h). What a line drops does not depend on
// other lines, so logs can be merged by concatenation.
#ifndef ASSAY_SUITES_TUNE_LOG_NETWORK_RECORD_H_
#define ASSAY_SUITES_TUNE_LOG_NETWORK_RECORD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/ops/config.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// A point that is not used. The members are as in TuningRecord.
struct DroppedPoint {
  std::string task;
  std::string template_digest;
  std::string implementation;
  ops::Config config;
};

struct NetworkRecord {
  std::string network;     // name of the model
  std::string model;       // its digest (Model::digest)
  std::string target;      // target::Target::ToString()
  std::string device;      // the fingerprint (runtime::DeviceFacts)
  std::string board = {};  // empty if no farm lent the device
  int threads = 1;
  // Digests of the two programs (runtime::Digest).
  std::string untuned;
  std::string tuned;
  // Nanoseconds per inference: the median, over the loads of the comparison, of
  // the fastest inference.
  double untuned_ns = 0;
  double tuned_ns = 0;
  // Its `ratio` is the tuned time divided by the untuned time.
  TuningVerdict verdict;
  std::vector<DroppedPoint> dropped = {};
  std::string time;  // UTC, when the comparison ended

  // Returns `resnet18, 2 threads: 0.97 [0.96, 0.98] of the untuned time,
  // improved`.
  std::string Summary() const;

  // Returns the record as one line without a line break.
  std::string ToJson() const;
  // Returns NotFound if the line is of another kind, and InvalidArgument, with
  // the name of the member, if it is no valid record.
  static absl::StatusOr<NetworkRecord> FromJson(absl::string_view line);
};

// Returns where the networks were measured.
TuningPlace PlaceOf(const NetworkRecord& record);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_NETWORK_RECORD_H_

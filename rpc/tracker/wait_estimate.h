// WaitEstimate: estimates how long a request will wait for a device.
//
// The estimate is place * mean / devices, where
//   - `place` is the position in the queue of the key, from 1,
//   - `mean` is the duration of recent leases of the key: a moving average in
//     which the latest lease counts one eighth,
//   - `devices` is the number of devices of the key that are free or leased.
// It assumes that requests are served in the order of their places, and that
// leases of mean duration end at random times. Neither is exactly true: users
// with a small use of devices overtake others, and the duration of leases
// varies.
//
//   WaitEstimate estimate(/*initial_mean_nanos=*/10 * second);
//   estimate.Nanos("rpi3b", /*place=*/3, /*devices=*/2);  // 15 s
//   estimate.AddLease("rpi3b", 2 * second);
//   estimate.Nanos("rpi3b", /*place=*/3, /*devices=*/2);  // 3 s
#ifndef ASSAY_RPC_TRACKER_WAIT_ESTIMATE_H_
#define ASSAY_RPC_TRACKER_WAIT_ESTIMATE_H_

#include <cstdint>
#include <map>
#include <string>

namespace assay::rpc::tracker {

class WaitEstimate {
 public:
  // `initial_mean_nanos` is the mean for a key before its first lease.
  explicit WaitEstimate(int64_t initial_mean_nanos)
      : initial_mean_nanos_(initial_mean_nanos) {}

  // Adds the duration of a lease that was released or has expired.
  void AddLease(const std::string& key, int64_t nanos);

  int64_t MeanNanos(const std::string& key) const;

  // Returns the estimate, or -1 if `devices` is 0.
  int64_t Nanos(const std::string& key, int64_t place, int64_t devices) const;

 private:
  int64_t initial_mean_nanos_;
  std::map<std::string, double> mean_nanos_;  // by key
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_WAIT_ESTIMATE_H_

// SigningTracker: signs leases as a tracker does, for tests of the server of a
// device.
//
//   SigningTracker tracker;
//   guard.SetKey(tracker.public_pem(), /*least_token=*/1);
//   guard.Check(tracker.Sign({"rack1-03", "ann", /*token=*/7}));
#ifndef ASSAY_RPC_SERVER_TESTING_TEST_TRACKER_H_
#define ASSAY_RPC_SERVER_TESTING_TEST_TRACKER_H_

#include <cstdint>
#include <string>

#include "rpc/security/signature.h"

namespace assay::rpc {

struct TestLease {
  std::string device = {};
  std::string user = {};
  int64_t token = 1;
  int64_t renewals = 0;
  double seconds = 10;
};

class SigningTracker {
 public:
  SigningTracker();

  std::string public_pem() const;
  // Returns the bytes of the Lease.
  std::string Sign(const TestLease& lease) const;
  // The same for any bytes as the terms, and for another purpose.
  std::string SignTerms(
      const std::string& terms,
      SignaturePurpose purpose = SignaturePurpose::kLease) const;

 private:
  const SigningKey key_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_TESTING_TEST_TRACKER_H_

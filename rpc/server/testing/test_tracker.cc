#include "rpc/server/testing/test_tracker.h"

#include "rpc/proto/tracker.pb.h"

namespace assay::rpc {

SigningTracker::SigningTracker() : key_(SigningKey::Generate().value()) {}

std::string SigningTracker::public_pem() const {
  return key_.PublicPem().value();
}

std::string SigningTracker::Sign(const TestLease& lease) const {
  LeaseTerms terms;
  terms.set_device(lease.device);
  terms.set_key("host");
  terms.set_user(lease.user);
  terms.set_token(lease.token);
  terms.set_renewals(lease.renewals);
  terms.set_seconds(lease.seconds);
  return SignTerms(terms.SerializeAsString());
}

std::string SigningTracker::SignTerms(const std::string& terms,
                                      SignaturePurpose purpose) const {
  Lease lease;
  lease.set_terms(terms);
  lease.set_signature(key_.Sign(purpose, terms).value());
  return lease.SerializeAsString();
}

}  // namespace assay::rpc

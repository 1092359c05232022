#include "rpc/client/granted_lease.h"

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "rpc/facts/facts_message.h"
#include "rpc/names/names.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr size_t kMaxTermsBytes = 4096;
constexpr size_t kMaxSignatureBytes = 256;

absl::Status Invalid(absl::string_view problem) {
  return absl::InternalError(
      absl::StrCat("the tracker granted a lease that is not valid: ", problem));
}

absl::StatusOr<LeaseTerms> ReadTerms(const Lease& message) {
  if (message.terms().size() > kMaxTermsBytes ||
      message.signature().size() > kMaxSignatureBytes) {
    return Invalid("`terms` or `signature` is too large");
  }
  LeaseTerms terms;
  if (!terms.ParseFromString(message.terms())) {
    return Invalid("`terms` is not a message");
  }
  if (!IsName(terms.device())) {
    return Invalid("`device` is not the name of a device");
  }
  if (terms.token() < 0) return Invalid("`token` is negative");
  if (!(terms.seconds() >= kMinLeaseSeconds &&
        terms.seconds() <= kMaxLeaseSeconds)) {
    return Invalid(absl::StrCat("`seconds` is ", terms.seconds()));
  }
  return terms;
}

}  // namespace

absl::StatusOr<GrantedLease> ReadLease(const Lease& message) {
  ASSAY_ASSIGN_OR_RETURN(const LeaseTerms terms, ReadTerms(message));
  const absl::StatusOr<Address> address = ParseAddress(message.address());
  if (!address.ok()) return Invalid(address.status().message());
  const absl::Status facts = CheckFacts(message.facts());
  if (!facts.ok()) return Invalid(facts.message());

  GrantedLease lease;
  lease.name.set_device(terms.device());
  lease.name.set_token(terms.token());
  lease.nanos = std::llround(terms.seconds() * 1e9);
  Lease shown;
  shown.set_terms(message.terms());
  shown.set_signature(message.signature());
  lease.bytes = shown.SerializeAsString();
  lease.address = *address;
  lease.facts = FactsFrom(message.facts());
  const std::string& board = message.facts().board();
  lease.facts.board = board.empty() ? terms.device() : board;
  return lease;
}

}  // namespace assay::rpc

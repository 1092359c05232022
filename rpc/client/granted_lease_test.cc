#include "rpc/client/granted_lease.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

LeaseTerms Terms() {
  LeaseTerms terms;
  terms.set_device("rack1-03");
  terms.set_key("rpi3b");
  terms.set_user("anna");
  terms.set_token(7);
  terms.set_renewals(2);
  terms.set_seconds(30);
  return terms;
}

Lease Granted(const LeaseTerms& terms = Terms()) {
  Lease lease;
  lease.set_terms(terms.SerializeAsString());
  lease.set_signature("signature");
  lease.set_address("127.0.0.1:9191/rack1-03");
  lease.mutable_facts()->set_fingerprint("aarch64-cortex-a53-4c-00000000");
  (*lease.mutable_facts()->mutable_identity())["arch"] = "aarch64";
  lease.mutable_facts()->set_board("10000000abcdef");
  return lease;
}

TEST(GrantedLeaseTest, ReadsAllFields) {
  const absl::StatusOr<GrantedLease> lease = ReadLease(Granted());
  ASSERT_TRUE(lease.ok()) << lease.status();
  EXPECT_EQ(lease->name.device(), "rack1-03");
  EXPECT_EQ(lease->name.token(), 7);
  EXPECT_EQ(lease->nanos, 30'000'000'000);
  EXPECT_EQ(lease->address.endpoint, "127.0.0.1:9191");
  EXPECT_EQ(lease->address.device, "rack1-03");
  EXPECT_EQ(lease->facts.identity.at("arch"), "aarch64");
  EXPECT_EQ(lease->facts.board, "10000000abcdef");
}

TEST(GrantedLeaseTest, TheDeviceIsShownTermsAndSignatureOnly) {
  Lease shown;
  ASSERT_TRUE(shown.ParseFromString(ReadLease(Granted())->bytes));
  EXPECT_EQ(shown.terms(), Granted().terms());
  EXPECT_EQ(shown.signature(), "signature");
  EXPECT_TRUE(shown.address().empty());
  EXPECT_FALSE(shown.has_facts());
}

TEST(GrantedLeaseTest, ABoardWithoutASerialNumberHasItsNameInTheFarm) {
  Lease lease = Granted();
  lease.mutable_facts()->clear_board();
  EXPECT_EQ(ReadLease(lease)->facts.board, "rack1-03");
}

TEST(GrantedLeaseTest, RejectsTermsThatAreNotValid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  std::vector<LeaseTerms> all;
  for (const std::string& name : {std::string(), std::string("../x"),
                                  std::string("a\nb"), std::string(65, 'x')}) {
    all.push_back(Terms());
    all.back().set_device(name);
  }
  for (const double seconds : {nan, infinite, -1.0, 0.0, 1e-3, 1e300}) {
    all.push_back(Terms());
    all.back().set_seconds(seconds);
  }
  all.push_back(Terms());
  all.back().set_token(-1);
  all.push_back(Terms());
  all.back().set_user(std::string(5000, 'x'));
  for (const LeaseTerms& terms : all) {
    const absl::Status status = ReadLease(Granted(terms)).status();
    EXPECT_TRUE(absl::IsInternal(status)) << terms.ShortDebugString();
    EXPECT_TRUE(absl::StartsWith(
        status.message(), "the tracker granted a lease that is not valid: "));
  }
}

TEST(GrantedLeaseTest, RejectsOtherFieldsThatAreNotValid) {
  const std::vector<std::pair<std::string, std::function<void(Lease*)>>>
      changes = {
          {"is not a message", [](Lease* l) { l->set_terms("\xff\xff"); }},
          {"is too large",
           [](Lease* l) { l->set_signature(std::string(1000, 'x')); }},
          {"is not an address", [](Lease* l) { l->set_address("somewhere"); }},
          {"is not an address", [](Lease* l) { l->clear_address(); }},
          {"fingerprint", [](Lease* l) { l->clear_facts(); }},
          {"fingerprint",
           [](Lease* l) { l->mutable_facts()->set_fingerprint("../../etc"); }},
      };
  for (const auto& [text, change] : changes) {
    Lease lease = Granted();
    change(&lease);
    const absl::Status status = ReadLease(lease).status();
    EXPECT_TRUE(absl::IsInternal(status)) << text;
    EXPECT_TRUE(absl::StrContains(status.message(), text)) << status;
  }
}

}  // namespace
}  // namespace assay::rpc

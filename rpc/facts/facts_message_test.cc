#include "rpc/facts/facts_message.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

runtime::DeviceFacts Board() {
  runtime::DeviceFacts facts;
  facts.fingerprint = "aarch64-cortex-a53-4c-1a2b3c4d";
  facts.identity = {{"cpu", "Cortex-A53"}, {"memory", "1 GiB"}};
  facts.board = "rack1-03";
  facts.state = {{"governor", "performance"}, {"load", "0.10"}};
  return facts;
}

TEST(FactsMessageTest, FactsSurviveTheNetwork) {
  for (const bool emulated : {false, true}) {
    runtime::DeviceFacts facts = Board();
    facts.emulated = emulated;
    DeviceFacts received;
    ASSERT_TRUE(
        received.ParseFromString(FactsMessage(facts).SerializeAsString()));
    EXPECT_TRUE(CheckFacts(received).ok()) << CheckFacts(received);
    const runtime::DeviceFacts read = FactsFrom(received);
    EXPECT_EQ(read.fingerprint, facts.fingerprint);
    EXPECT_EQ(read.identity, facts.identity);
    EXPECT_EQ(read.state, facts.state);
    EXPECT_EQ(read.emulated, emulated);
    EXPECT_EQ(read.board, "rack1-03");
  }
}

TEST(FactsMessageTest, FactsOfThisMachineAreValid) {
  const DeviceFacts message = FactsMessage(runtime::DescribeHost());
  EXPECT_TRUE(CheckFacts(message).ok()) << CheckFacts(message);
  EXPECT_GT(message.identity_size(), 3);
}

TEST(FactsMessageTest, OddFactsOfThisMachineAreMadeValid) {
  runtime::DeviceFacts facts = Board();
  facts.fingerprint = "../\xff" + std::string(200, 'x');
  facts.identity = {{"", "no name"},
                    {"a b\n", "two\nlines \xff"},
                    {std::string(100, 'n'), std::string(5000, 'v')}};
  for (int i = 0; i < 100; ++i) facts.state[absl::StrCat("s", i)] = "1";
  DeviceFacts received;
  facts.board = "\x1b[31m" + std::string(200, 'b');
  ASSERT_TRUE(
      received.ParseFromString(FactsMessage(facts).SerializeAsString()));
  EXPECT_TRUE(CheckFacts(received).ok()) << CheckFacts(received);
  EXPECT_EQ(received.fingerprint().substr(0, 5), "-.--x");
  EXPECT_EQ(received.fingerprint().size(), kMaxFingerprint);
  EXPECT_EQ(received.identity_size(), 2);
  EXPECT_EQ(received.identity().at("a-b-"), "two?lines ?");
  EXPECT_EQ(received.state_size(), kMaxFacts);
  EXPECT_EQ(received.board().substr(0, 6), "?[31mb");
}

TEST(FactsMessageTest, TheSizeOfAllFactsIsLimited) {
  runtime::DeviceFacts facts = Board();
  for (int i = 0; i < 60; ++i) {
    facts.identity[absl::StrCat("i", i)] = std::string(2000, 'v');
  }
  DeviceFacts message = FactsMessage(facts);
  EXPECT_TRUE(CheckFacts(message).ok()) << CheckFacts(message);
  EXPECT_GT(message.ByteSizeLong(), kMaxFactsMessage - 3000);
  EXPECT_EQ(message.identity().at("cpu"), "Cortex-A53");
  for (int i = 0; i < 60; ++i) {
    (*message.mutable_identity())[absl::StrCat("i", i)] =
        std::string(2000, 'v');
  }
  EXPECT_TRUE(absl::IsInvalidArgument(CheckFacts(message)));
}

TEST(FactsMessageTest, RejectsHostileFacts) {
  struct Case {
    std::function<void(DeviceFacts*)> change;
    std::string error;
  };
  const std::vector<Case> cases = {
      {[](auto* f) { f->clear_fingerprint(); }, "fingerprint"},
      {[](auto* f) { f->set_fingerprint("../../etc"); }, "fingerprint"},
      {[](auto* f) { f->set_fingerprint(".."); }, "fingerprint"},
      {[](auto* f) { f->set_fingerprint(std::string(129, 'x')); },
       "fingerprint"},
      {[](auto* f) { (*f->mutable_identity())[""] = ""; }, "identity"},
      {[](auto* f) { (*f->mutable_state())["a\n"] = ""; }, "state"},
      {[](auto* f) { (*f->mutable_state())[std::string(65, 'x')] = ""; },
       "state"},
      {[](auto* f) { (*f->mutable_state())["kernel"] = "\x1b[2J"; }, "kernel"},
      {[](auto* f) {
         (*f->mutable_identity())["cpu"] = std::string(2049, 'x');
       },
       "cpu"},
      {[](auto* f) {
         for (int i = 0; i < 65; ++i) {
           (*f->mutable_identity())[absl::StrCat(i)] = "";
         }
       },
       "identity"},
      {[](auto* f) { f->set_board("a\nb"); }, "board"},
      {[](auto* f) { f->set_board(std::string(129, 'x')); }, "board"},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    DeviceFacts message = FactsMessage(Board());
    cases[i].change(&message);
    const absl::Status status = CheckFacts(message);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << i << status;
    EXPECT_LT(status.message().size(), 500u) << i;
    EXPECT_NE(status.message().find(cases[i].error), std::string::npos)
        << i << status;
  }
}

TEST(FactsMessageTest, TheLimitsThemselvesAreValid) {
  DeviceFacts message;
  message.set_fingerprint(std::string(kMaxFingerprint, 'x'));
  message.set_board(std::string(kMaxBoard - 3, 'b') + "é.");
  (*message.mutable_state())[std::string(kMaxFactName, 'x')] =
      std::string(kMaxFactValue, 'v');
  for (int i = 0; i < kMaxFacts; ++i) {
    (*message.mutable_identity())[absl::StrCat(i)] = "";
  }
  EXPECT_TRUE(CheckFacts(message).ok()) << CheckFacts(message);
}

}  // namespace
}  // namespace assay::rpc

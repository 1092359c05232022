#include "suites/harness/runners/conversation.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::unique_ptr<Conversation>> Shell(const char* script,
                                                    double timeout_s = 20) {
  return Conversation::Start({"/bin/sh", "-c", script}, timeout_s);
}

TEST(ConversationTest, LineForLine) {
  auto talk =
      Shell("echo ready; while read -r x; do echo \"you said $x\"; done");
  ASSERT_TRUE(talk.ok()) << talk.status();
  EXPECT_EQ((*talk)->Listen().value(), "ready");
  EXPECT_EQ((*talk)->Ask("one").value(), "you said one");
  EXPECT_EQ((*talk)->Ask("").value(), "you said ");
  EXPECT_EQ((*talk)->Ask("two words").value(), "you said two words");
}

TEST(ConversationTest, SeveralLinesAtOnceAreHeardOneByOne) {
  auto talk = Shell("printf 'a\\nb\\nc\\n'; read -r x");
  for (const char* line : {"a", "b", "c"}) {
    EXPECT_EQ((*talk)->Listen().value(), line);
  }
}

TEST(ConversationTest, WhatGoesWrongNamesTheProgram) {
  EXPECT_TRUE(
      absl::IsNotFound(Conversation::Start({"/no/such/program"}, 1).status()));
  auto ended = Shell("read -r x; exit 3");
  const auto none = (*ended)->Ask("hello");
  EXPECT_TRUE(absl::IsUnavailable(none.status()));
  EXPECT_THAT(std::string(none.status().message()), HasSubstr("/bin/sh"));
  EXPECT_TRUE(absl::IsUnavailable((*ended)->Ask("still there?").status()));
  auto slow = Shell("read -r x; sleep 60", 0.2);
  EXPECT_TRUE(absl::IsDeadlineExceeded((*slow)->Ask("hurry").status()));
  auto endless = Shell("yes | tr -d '\\n'");
  EXPECT_TRUE(absl::IsResourceExhausted((*endless)->Listen().status()));
}

}  // namespace
}  // namespace assay::suites

#include "rpc/program/event_log.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::rpc {
namespace {

class EventLogTest : public testing::Test {
 protected:
  ~EventLogTest() override {
    fclose(out_);
    free(text_);
  }

  std::vector<nlohmann::json> Lines() {
    std::vector<nlohmann::json> lines;
    for (const auto& line :
         absl::StrSplit(std::string(text_, size_), '\n', absl::SkipEmpty())) {
      lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
  }

  char* text_ = nullptr;
  size_t size_ = 0;
  FILE* const out_ = open_memstream(&text_, &size_);
  FakeClock clock_;
  EventLog log_{out_, "tracker", &clock_};
};

TEST_F(EventLogTest, AnEventIsOneLine) {
  log_.Write("lease_granted", {{"device", "rack1-03"}, {"token", 7}});
  log_.Write("load", {{"value", 0.5}});
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["program"], "tracker");
  EXPECT_EQ(lines[0]["event"], "lease_granted");
  EXPECT_EQ(lines[0]["device"], "rack1-03");
  EXPECT_EQ(lines[0]["token"], 7);
  EXPECT_EQ(lines[0]["time"].get<std::string>().size(), 24u);
  EXPECT_EQ(lines[1]["value"], 0.5);
}

TEST_F(EventLogTest, TextsCannotForgeLines) {
  log_.Write("bad", {{"text", "x\"}\n{\"event\":\"forged\"}\n\xff\x00"}});
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["event"], "bad");
}

TEST_F(EventLogTest, LongTextsAreCut) {
  log_.Write("bad", {{"text", std::string(100000, 'x')}});
  EXPECT_EQ(Lines()[0]["text"], std::string(500, 'x'));
}

TEST_F(EventLogTest, AFloodOfEventsIsLimited) {
  for (int i = 0; i < 1000; ++i) log_.Write("flood");
  log_.Write("other");
  EXPECT_EQ(Lines().size(), 51u);
  clock_.Advance(1'000'000'000);
  log_.Write("flood");
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 52u);
  EXPECT_EQ(lines[51]["omitted"], 950);
}

}  // namespace
}  // namespace assay::rpc

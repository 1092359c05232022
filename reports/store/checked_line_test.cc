#include "reports/store/checked_line.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/base/sha256.h"

namespace assay::reports {
namespace {

TEST(CheckedLineTest, RoundTrip) {
  const std::string line = CheckedLine("\"a\":1}");
  EXPECT_EQ(line, "{\"id\":\"" + Sha256Hex("\"a\":1}") + "\",\"a\":1}\n");
  EXPECT_EQ(*BodyOf(line), "\"a\":1}");
  EXPECT_EQ(*BodyOf(line.substr(0, line.size() - 1) + "\r\n"), "\"a\":1}");
  EXPECT_EQ(IdOf(line), Sha256Hex("\"a\":1}"));
}

TEST(CheckedLineTest, DetectsEveryChangedByteAndEveryCut) {
  const std::string line = CheckedLine("\"a\":1}");
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    std::string bad = line;
    bad[i] ^= 1;
    EXPECT_FALSE(BodyOf(bad).ok()) << i;
    EXPECT_FALSE(BodyOf(line.substr(0, i)).ok()) << i;
  }
}

}  // namespace
}  // namespace assay::reports

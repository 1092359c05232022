#include "rpc/program/grpc_log.h"

#include <cstdio>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "grpc/grpc.h"
#include "grpc/support/log.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::rpc {
namespace {

std::string Contents(FILE* file) {
  std::string text;
  rewind(file);
  char buffer[4096];
  while (const size_t size = fread(buffer, 1, sizeof(buffer), file)) {
    text.append(buffer, size);
  }
  return text;
}

TEST(GrpcLogTest, LinesAreJsonAndLimited) {
  grpc_init();
  FILE* const file = tmpfile();
  {
    EventLog log(file, "tracker");
    const GrpcLog grpc_log(&log);
    for (int i = 0; i < 1000; ++i) {
      gpr_log(GPR_ERROR, "bad key: \x1b[2J\n\xff %d", i);
    }
  }
  gpr_log(GPR_ERROR, "after the end");
  const std::string text = Contents(file);
  fclose(file);
  EXPECT_FALSE(absl::StrContains(text, "after the end"));
  int lines = 0;
  for (const auto& line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << line;
    EXPECT_EQ(json["event"], "grpc");
    EXPECT_FALSE(absl::StrContains(line, "\x1b"));
    ++lines;
  }
  EXPECT_GE(lines, 50);
  // Within two seconds at most.
  EXPECT_LE(lines, 150);
  grpc_shutdown();
}

}  // namespace
}  // namespace assay::rpc

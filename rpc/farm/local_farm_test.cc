#include "rpc/farm/local_farm.h"

#include <sys/stat.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

// Says that it listens, and does nothing else.
constexpr char kProgram[] = R"(#!/bin/sh
for argument; do
  case $argument in --port_file=*) echo 4711 > "${argument#*=}" ;; esac
done
exec sleep 1000
)";

class LocalFarmTest : public testing::Test {
 protected:
  LocalFarmTest() {
    options_.folder = JoinPath(dir_.path(), "farm");
    options_.tracker_program = JoinPath(dir_.path(), "tracker");
    EXPECT_TRUE(WriteFileAtomic(options_.tracker_program, kProgram).ok());
    EXPECT_EQ(chmod(options_.tracker_program.c_str(), 0700), 0);
  }

  std::string Tokens() const {
    return ReadFile(JoinPath(options_.folder, "tokens")).value_or("none");
  }

  const TempDir dir_ = *TempDir::Create();
  LocalFarmOptions options_;
};

TEST_F(LocalFarmTest, AFolderHasOneFarmAtATime) {
  auto first = LocalFarm::Start(options_);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ((*first)->tracker(), "127.0.0.1:4711");
  const std::string tokens = Tokens();

  const absl::Status second = LocalFarm::Start(options_).status();
  EXPECT_TRUE(absl::IsInvalidArgument(second)) << second;
  EXPECT_TRUE(absl::StrContains(second.message(), options_.folder)) << second;
  EXPECT_EQ(Tokens(), tokens);
  EXPECT_TRUE((*first)->Check().ok());

  first->reset();
  EXPECT_TRUE(LocalFarm::Start(options_).ok());
  EXPECT_NE(Tokens(), tokens);
}

}  // namespace
}  // namespace assay::rpc

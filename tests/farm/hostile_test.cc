// A few hundred hostile messages to each program (hostile_run.h);
// //tests/farm:hostile sends ten thousand.
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "tests/farm/attack/hostile_run.h"

namespace assay {
namespace {

TEST(HostileTest, ProgramsSurviveHostileMessages) {
  const TempDir dir = TempDir::Create().value();
  HostileOptions options;
  options.tracker_program = "rpc/tracker/service/tracker";
  options.server_program = "rpc/server/program/server";
  options.proxy_program = "rpc/proxy/proxy";
  options.worker_program = "tests/farm/sleeping_worker";
  options.protos = "rpc/proto";
  options.folder = dir.path();
  options.messages = 300;
  options.round = 150;
  options.upload_seconds = 1;
  options.file_limit = 256;
  options.flood_connections = 300;
  // The programs do so after ten seconds.
  options.wait_for_handshakes = false;
  const auto report = RunHostile(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->ok()) << report->Text();
  for (const char* program : {"tracker", "server", "proxy"}) {
    int64_t messages = 0;
    for (const auto& [kind, tally] : report->tallies.at(program)) {
      messages += tally.messages();
    }
    EXPECT_EQ(messages, 300) << program;
  }
}

}  // namespace
}  // namespace assay

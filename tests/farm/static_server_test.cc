// A board of which everything but the kernel is emulated: the static server
// runs under qemu, without a C library, and starts its workers under qemu. It
// measures a whole ResNet-18 for a client of this machine.
//
// qemu has neither filters of system calls nor Landlock for its guests. The
// server then confines its workers with what there is, and says what is
// missing.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "devices/device.pb.h"
#include "devices/emulator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "rpc/farm/local_farm.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr char kBoard[] = "board-1";

// A server listens before it has registered, which takes an emulated one some
// seconds. Returns its log.
std::string WaitUntilRegistered(const std::string& log) {
  const int64_t deadline = MonotonicNanos() + 30'000'000'000;
  while (true) {
    const std::string text = ReadFile(log).value_or("");
    const bool registered = absl::StrContains(text, "\"event\":\"registered\"");
    if (registered || MonotonicNanos() > deadline) {
      EXPECT_TRUE(registered) << text;
      return text;
    }
    Clock::Monotonic()->SleepNanos(20'000'000);
  }
}

TEST(StaticServerTest, ServesAResNet18) {
  const char* const key = getenv("ASSAY_TEST_DEVICE");
  ASSERT_NE(key, nullptr);
  const TempDir folder = TempDir::Create().value();
  setenv("XDG_CACHE_HOME", JoinPath(folder.path(), "cache").c_str(), 1);

  const auto file = devices::LoadDevice(key, "devices");
  ASSERT_TRUE(file.ok()) << file.status();
  const auto emulator = devices::EmulatorCommand(file->emulator(), "");
  ASSERT_TRUE(emulator.ok()) << emulator.status();
  const std::string machine = devices::EmulatedMachine(file->emulator());
  LocalDevice device;
  device.name = kBoard;
  device.key = file->tracker_key();
  device.facts = devices::EmulatedFacts(*file);
  device.server = *emulator;
  device.server.push_back(
      absl::StrCat("rpc/server/program/server_static_", machine));
  device.worker = *emulator;
  device.worker.push_back(
      absl::StrCat("runtime/tools/bench_artifact_static_", machine));
  LocalFarmOptions options;
  options.folder = folder.path();
  options.tracker_program = "rpc/tracker/service/tracker";
  options.devices = {device};
  const auto farm = LocalFarm::Start(options);
  ASSERT_TRUE(farm.ok()) << farm.status();
  // The process that serves is the emulated one.
  const std::string log =
      WaitUntilRegistered(JoinPath(folder.path(), "logs/board-1.log"));
  EXPECT_THAT(log, HasSubstr("landlock: not supported by this system"));
  EXPECT_THAT(log, HasSubstr("seccomp: not supported by this system"));

  runtime::ProcessOptions limit;
  limit.timeout_s = 800;
  const std::string tls = JoinPath(folder.path(), "tls");
  const std::string token = JoinPath(folder.path(), "user.token");
  setenv("ASSAY_TLS", tls.c_str(), 1);
  setenv("ASSAY_TOKEN_FILE", token.c_str(), 1);
  const auto run = runtime::RunProcess(
      {"suites/resnet18", absl::StrCat("--device=", key), "--fusion=on",
       absl::StrCat("--tracker=", (*farm)->tracker()),
       absl::StrCat("--signing_key=", JoinPath(folder.path(), "client.key")),
       absl::StrCat("--out=", JoinPath(folder.path(), "out"))},
      limit);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_code, 0) << run->out << run->err;
  const auto text = ReadFile(JoinPath(folder.path(), "out/results.json"));
  ASSERT_TRUE(text.ok()) << text.status() << run->out << run->err;
  const auto result = reports::ParseResultsJson(*text);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->rows.size(), 1u);
  const reports::Row& row = result->rows[0];
  EXPECT_EQ(row.cell.model, "resnet18");
  EXPECT_EQ(row.board, kBoard);
  EXPECT_TRUE(row.emulated);
  EXPECT_EQ(row.verdict, stats::Verdict::kEmulated) << row.reason;
  EXPECT_FALSE(row.timing.samples_ns.empty());
  ASSERT_TRUE(row.correctness.max_abs_error.has_value());
  ASSERT_TRUE(row.correctness.max_abs_error_bound.has_value());
  EXPECT_LE(*row.correctness.max_abs_error,
            *row.correctness.max_abs_error_bound);
  // The outputs are of the order of one.
  EXPECT_LT(*row.correctness.max_abs_error_bound, 0.1);
  EXPECT_TRUE((*farm)->server_program(kBoard)->Stop(10'000'000'000));
}

}  // namespace
}  // namespace assay::rpc

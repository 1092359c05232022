// Tests that fully static programs for boards need nothing of the board but its
// kernel: qemu runs them without the C library of their machine.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"

namespace assay::tests {
namespace {

using ::testing::HasSubstr;

struct Machine {
  std::string name;
  std::string emulator;
  std::string cpu;
};

class StaticProgramsTest : public testing::TestWithParam<Machine> {
 protected:
  // Returns the path of `file` of this machine.
  static std::string Find(const std::string& file) {
    const auto path = runtime::FindRunfile("", absl::StrCat(file, "_", Name()));
    EXPECT_TRUE(path.ok()) << path.status();
    return path.value_or("");
  }
  static std::string Name() { return GetParam().name; }

  // Runs `program` without a folder in which qemu could find a C library.
  static std::string Emulate(const std::string& program,
                             const std::vector<std::string>& flags) {
    const auto qemu = runtime::FindRunfile(
        "", absl::StrCat("debian_qemu/usr/bin/", GetParam().emulator));
    EXPECT_TRUE(qemu.ok()) << qemu.status();
    std::vector<std::string> command = {qemu.value_or(""), "-cpu",
                                        GetParam().cpu, program};
    command.insert(command.end(), flags.begin(), flags.end());
    const auto result = runtime::RunProcess(command, {});
    EXPECT_TRUE(result.ok()) << result.status();
    if (!result.ok()) return "";
    EXPECT_EQ(result->exit_code, 0) << result->out << result->err;
    return result->out;
  }
};

TEST_P(StaticProgramsTest, NoProgramNamesADynamicLoader) {
  for (const char* program : {"assay/runtime/tools/bench_artifact_static",
                              "assay/tests/cross/grpc_loopback_static"}) {
    const auto bytes = ReadFile(Find(program));
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(bytes->find("/lib/ld-linux"), std::string::npos) << program;
  }
}

TEST_P(StaticProgramsTest, GrpcServesClients) {
  EXPECT_THAT(Emulate(Find("assay/tests/cross/grpc_loopback_static"), {}),
              HasSubstr("[  PASSED  ] 2 tests."));
}

TEST_P(StaticProgramsTest, BenchArtifactLoadsAndTimesKernels) {
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const auto kernels = ReadFile(Find("assay/tests/cross/test_kernels"));
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  runtime::Artifact artifact = runtime::TestArtifact();
  artifact.code = *kernels;
  const std::string path = JoinPath(dir->path(), "artifact");
  ASSERT_TRUE(runtime::WriteArtifact(path, artifact).ok());

  const std::string report =
      Emulate(Find("assay/runtime/tools/bench_artifact_static"),
              {"--artifact=" + path, "--threads=2", "--repeat=3"});
  const auto json = nlohmann::json::parse(report, nullptr, false);
  ASSERT_TRUE(json.is_object()) << report;
  ASSERT_EQ(json["samples_ms"].size(), 3u);
  for (const double sample : json["samples_ms"]) EXPECT_GT(sample, 0);
  EXPECT_EQ(json["output_digest"].get<std::string>().size(), 64u);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, StaticProgramsTest,
    testing::Values(Machine{"aarch64", "qemu-aarch64-static", "cortex-a53"},
                    Machine{"armhf", "qemu-arm-static", "cortex-a9"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::tests

#include "tests/e2e/testing/suite_program.h"

#include <cstdlib>
#include <utility>

#include "absl/status/statusor.h"
#include "reports/result/results_json.h"
#include "suites/models/model_file.h"
#include "suites/models/resnet.h"

namespace assay::suites {
namespace {

// Tests run in the root of the workspace's runfiles.
constexpr char kProgram[] = "suites/model";

}  // namespace

SuiteProgramTest::SuiteProgramTest() : dir_(TempDir::Create("e2e").value()) {
  // Do not use the user's cache.
  setenv("XDG_CACHE_HOME", JoinPath(dir_.path(), "cache").c_str(), 1);
}

std::string SuiteProgramTest::WriteResNet18() {
  ResNetOptions options;
  options.height = options.width = 64;
  options.style.opset = 11;
  options.style.prefix = "backbone/";
  options.style.symbolic_batch = "N";
  options.style.flatten = FlattenStyle::kShapeArithmetic;
  const std::string path = Path("small.onnx");
  EXPECT_TRUE(
      WriteModel(BuildResNet(options), path, /*external_data=*/true).ok());
  return path;
}

runtime::ProcessResult SuiteProgramTest::RunModel(
    std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kProgram);
  runtime::ProcessOptions options;
  // The limit of the test is that of its size.
  options.timeout_s = 3600;
  absl::StatusOr<runtime::ProcessResult> result =
      runtime::RunProcess(arguments, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result)
                     : runtime::ProcessResult{-1, 0, "", ""};
}

runtime::ProcessResult SuiteProgramTest::RunModel(
    std::vector<std::string> flags, const std::vector<std::string>& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return RunModel(std::move(flags));
}

reports::RunResult SuiteProgramTest::ReadResults(const std::string& out) {
  const auto text = ReadFile(JoinPath(Path(out), "results.json"));
  EXPECT_TRUE(text.ok()) << text.status();
  if (!text.ok()) return {};
  auto result = reports::ParseResultsJson(*text);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : reports::RunResult();
}

}  // namespace assay::suites

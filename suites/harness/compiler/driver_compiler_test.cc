#include "suites/harness/compiler/driver_compiler.h"

#include <string>

#include "absl/status/status.h"
#include "compiler/driver/compile.h"
#include "devices/device.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "suites/harness/compiler/testing/tuned_matmul.h"
#include "suites/tune/log/log_file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

constexpr reports::Variant kUntuned = {};
constexpr reports::Variant kTuned = {/*fusion=*/true, /*tuned=*/true};
constexpr char kFingerprint[] = "x86_64-fake";

class DriverCompilerTest : public ::testing::Test {
 protected:
  DriverCompilerTest() {
    device_.set_name("host");
    device_.set_target("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
    model_.graph = TunedMatMul();
    // A log for two threads.
    const std::string path = JoinPath(dir_.path(), "log.jsonl");
    const auto target = driver::ResolveTarget(device_.target());
    EXPECT_TRUE(
        LogFile::Open(path)
            ->Append(RecordOfTunedMatMul(target->WithCores(2), kFingerprint))
            .ok());
    log_ = *RowTuning::Read(path, path);
  }

  Place With(int threads) const {
    return ResolvePlace(device_, kFingerprint, threads).value();
  }

  static std::string DigestOf(const absl::StatusOr<CompiledModel>& model) {
    return model.ok() ? runtime::Digest(model->artifact)
                      : std::string(model.status().message());
  }

  const TempDir dir_ = TempDir::Create().value();
  devices::Device device_;
  Model model_;
  std::optional<RowTuning> log_;
};

TEST_F(DriverCompilerTest, TunedModelsAreCompiledAsTheLogSays) {
  DriverCompiler compiler({}, log_);
  const auto untuned = compiler.Compile(model_, With(2), kUntuned, "");
  const auto tuned = compiler.Compile(model_, With(2), kTuned, "");
  ASSERT_TRUE(tuned.ok()) << tuned.status();
  EXPECT_THAT(tuned->tuning_remark, HasSubstr("1 of 1 kernels"));
  EXPECT_NE(tuned->tuning_digest, "");
  EXPECT_EQ(untuned->tuning_remark, "");
  EXPECT_EQ(untuned->tuning_digest, "");
  EXPECT_NE(DigestOf(tuned), DigestOf(untuned));

  driver::CompileOptions by_hand;
  by_hand.configs["MatMul_0"] = "mc=1";
  EXPECT_EQ(DigestOf(tuned), DigestOf(DriverCompiler(by_hand).Compile(
                                 model_, With(2), kUntuned, "")));
}

TEST_F(DriverCompilerTest, TuningNeedsRecordsOfTheNumberOfThreads) {
  DriverCompiler compiler({}, log_);
  EXPECT_TRUE(compiler.CanTune(With(2)).ok());
  EXPECT_TRUE(absl::IsNotFound(compiler.CanTune(With(1))));
  EXPECT_EQ(DigestOf(compiler.Compile(model_, With(1), kTuned, "")),
            compiler.CanTune(With(1)).message());
  // All cores are used if the device says how many it has.
  device_.set_target(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -num-cores=2");
  EXPECT_TRUE(compiler.CanTune(With(0)).ok());
}

TEST_F(DriverCompilerTest, WithoutALogNothingCanBeTuned) {
  EXPECT_TRUE(absl::IsNotFound(DriverCompiler({}).CanTune(With(2))));
}

}  // namespace
}  // namespace assay::suites

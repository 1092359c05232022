// Tests the whole path from an ONNX file to a verdict through the command line:
// compiles for this machine and for an emulated Raspberry Pi 3B, with and
// without fusion, checks, measures, reports, blesses and compares.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/process/subprocess.h"
#include "suites/harness/exit_rules.h"
#include "suites/models/model_file.h"
#include "suites/models/resnet.h"
#include "suites/tensors/tensor_files.h"
#include "suites/tensors/tensor_protos.h"
#include "tests/e2e/testing/suite_program.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class SuiteTest : public SuiteProgramTest {
 protected:
  static void ExpectSound(const reports::Row& row) {
    EXPECT_FALSE(row.timing.samples_ns.empty());
    EXPECT_GT(row.build.kernels, 0);
    EXPECT_GT(row.build.flops, 0);
    EXPECT_EQ(row.build.artifact_digest.size(), 64u);
    ASSERT_TRUE(row.correctness.max_abs_error.has_value());
    ASSERT_TRUE(row.correctness.max_abs_error_bound.has_value());
    EXPECT_LE(*row.correctness.max_abs_error,
              *row.correctness.max_abs_error_bound);
    // The outputs are of the order of one, so this rejects an error bound that
    // is too loose to detect wrong outputs.
    EXPECT_LT(*row.correctness.max_abs_error_bound, 0.1);
  }
};

TEST_F(SuiteTest, BlessesAndComparesWithBaselineOnHost) {
  const std::string model = WriteResNet18();
  const std::vector<std::string> flags = {"--model=" + model,
                                          "--dim=N=1",
                                          "--device=host",
                                          "--threads=2",
                                          "--repeat=8",
                                          "--out=" + Path("out"),
                                          "--baseline=" + Path("baselines")};
  std::vector<std::string> bless = flags;
  bless.push_back("--fusion=both");
  bless.push_back("--bless=the first");
  bless.push_back("--force");  // other programs may disturb the test
  bless.push_back("--dump_dir=" + Path("dump"));
  const runtime::ProcessResult first = RunModel(bless);
  ASSERT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("blessed 2 of 2 rows"));
  EXPECT_TRUE(FileExists(Path("dump/host.fusion_on")));
  EXPECT_TRUE(FileExists(Path("out/results.csv")));
  const reports::RunResult result = ReadResults();
  ASSERT_EQ(result.rows.size(), 2u);
  for (const reports::Row& row : result.rows) {
    EXPECT_EQ(row.verdict, Verdict::kNoBaseline);
    EXPECT_EQ(row.cell.model, "small");
    EXPECT_EQ(row.timing.samples_ns.size(), 8u);
    ExpectSound(row);
  }
  EXPECT_LT(result.rows[0].build.kernels, result.rows[1].build.kernels);

  // The load of the machine may have changed, so any verdict of a comparison is
  // accepted as long as the exit code agrees with it.
  std::vector<std::string> again = flags;
  again.push_back("--fusion=on");
  const runtime::ProcessResult second = RunModel(again);
  const reports::RunResult compared = ReadResults();
  ASSERT_EQ(compared.rows.size(), 1u) << second.out << second.err;
  for (const reports::Row& row : compared.rows) {
    EXPECT_TRUE(row.comparison.baseline_ms.has_value());
    EXPECT_TRUE(row.comparison.delta.has_value());
    EXPECT_THAT(row.verdict,
                AnyOf(Verdict::kPass, Verdict::kEquivalent, Verdict::kImproved,
                      Verdict::kRegressed, Verdict::kInconclusive));
    ExpectSound(row);
  }
  EXPECT_EQ(second.exit_code,
            static_cast<int>(ExitCodeOfRun(compared, ExitRules())));
  // Compilation is reproducible.
  EXPECT_EQ(compared.rows[0].build.artifact_digest,
            result.rows[0].build.artifact_digest);
}

// The symbolic batch of the model has the extent that the inputs have.
TEST_F(SuiteTest, TakesInputsFromFilesAndWritesOutputs) {
  const std::vector<std::string> flags = {"--model=" + WriteResNet18(),
                                          "--inputs=" + Path("data"),
                                          "--outputs=" + Path("out.npz"),
                                          "--baseline=" + Path("baselines"),
                                          "--threads=2",
                                          "--fusion=on",
                                          "--repeat=8"};
  ASSERT_TRUE(MakeDirs(Path("data")).ok());
  const auto write_images = [this](const Shape& shape) {
    NDArray images(DType::Float32(), shape);
    Rng(5).FillUniform(images, -1, 1);
    const auto proto = SerializeTensorProto("", images);
    ASSERT_TRUE(proto.ok()) << proto.status();
    ASSERT_TRUE(WriteFileAtomic(Path("data/input_0.pb"), *proto).ok());
  };
  write_images({2, 3, 64, 64});
  const runtime::ProcessResult run = RunModel(flags);
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("measured with the inputs of `"));
  EXPECT_THAT(run.out, HasSubstr("outputs were written to `"));
  const auto outputs =
      OpenInputs({Path("out.npz")}, /*max_memory=*/int64_t{1} << 20);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  ASSERT_EQ(outputs->tensors.size(), 1u);
  EXPECT_EQ(outputs->tensors[0].type.shape.at(0), 2);
  EXPECT_TRUE(outputs->tensors[0].read().ok());

  write_images({2, 1, 64, 64});
  const runtime::ProcessResult wrong = RunModel(flags);
  EXPECT_EQ(wrong.exit_code, 2) << wrong.out << wrong.err;
  EXPECT_THAT(wrong.err,
              HasSubstr("input_0.pb` is float32[2,1,64,64], but the model "
                        "needs float32[2,3,64,64]\n"));
}

// Returns the text between `from` and `to`.
std::string Between(const std::string& text, const std::string& from,
                    const std::string& to) {
  const size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

TEST_F(SuiteTest, MeasuresTunedRowsWithTheLogOfThisMachine) {
  ASSERT_TRUE(WriteFileAtomic(Path("log.jsonl"), "").ok());
  const std::vector<std::string> flags = {"--model=" + WriteResNet18(),
                                          "--dim=N=1",
                                          "--threads=1",
                                          "--fusion=on",
                                          "--repeat=6",
                                          "--tuning=both",
                                          "--out=" + Path("out"),
                                          "--tuning_log=" + Path("log.jsonl")};
  // The log is empty.
  const runtime::ProcessResult none = RunModel(flags);
  EXPECT_EQ(none.exit_code, 2) << none.out << none.err;
  EXPECT_THAT(none.err, HasSubstr("log.jsonl` has no records of the device "));
  EXPECT_EQ(none.err.find('\n'), none.err.size() - 1) << none.err;

  // It has a record of this machine, but of a kernel that the model lacks.
  const std::string record = absl::StrCat(
      R"({"v":1,"task":"0123","workload":"w","anchor":"","flops":1,"target":")",
      Between(none.err, "the target `", "`"), R"(","device":")",
      Between(none.err, "`host` (", ")"), R"(","threads":1,)",
      R"("implementation":"","config":[],"template_digest":"4567",)",
      R"("status":"ok","samples_ns":[1],"seed":0,"time":""})", "\n");
  ASSERT_TRUE(WriteFileAtomic(Path("log.jsonl"), record).ok());
  const runtime::ProcessResult run = RunModel(flags);
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("log.jsonl` (1 record) has another configuration for "
                        "0 of "));
  const reports::RunResult result = ReadResults();
  ASSERT_EQ(result.rows.size(), 2u);
  for (const reports::Row& row : result.rows) ExpectSound(row);
  const reports::Row& tuned = result.rows[1];
  EXPECT_TRUE(tuned.cell.variant.tuned);
  EXPECT_EQ(tuned.build.tuning_digest.size(), 16u);
  EXPECT_TRUE(tuned.comparison.speedup_vs_untuned.has_value());
  EXPECT_EQ(tuned.build.artifact_digest, result.rows[0].build.artifact_digest);
}

TEST_F(SuiteTest, RunsOnEmulatedBoards) {
  const runtime::ProcessResult run =
      RunModel({"--model=" + WriteResNet18(), "--dim=N=1",
                "--device=neoverse_n1,pynq,rpi3b,rpi4b", "--fusion=both",
                "--out=" + Path("out")});
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  for (const char* board : {"neoverse_n1", "pynq", "rpi3b", "rpi4b"}) {
    EXPECT_THAT(run.out, HasSubstr(absl::StrCat(board, " (emulated)")));
  }
  const reports::RunResult result = ReadResults();
  ASSERT_EQ(result.rows.size(), 8u);
  for (const reports::Row& row : result.rows) {
    EXPECT_EQ(row.verdict, Verdict::kEmulated);
    EXPECT_TRUE(row.emulated);
    EXPECT_FALSE(row.comparison.baseline_ms.has_value());
    EXPECT_TRUE(absl::StartsWith(row.fingerprint, "emulated-"));
    ExpectSound(row);
  }
}

TEST_F(SuiteTest, MalformedModelsAreUsageErrorsOfOneSentence) {
  const onnx::ModelProto good = BuildResNet(TinyResNetOptions());
  const auto expect_refused = [this](const std::string& what,
                                     const std::string& bytes,
                                     const std::string& message) {
    const std::string path = Path("broken.onnx");
    ASSERT_TRUE(WriteFileAtomic(path, bytes).ok());
    const runtime::ProcessResult run = RunModel({"--model=" + path});
    EXPECT_EQ(run.exit_code, 2) << what << run.out << run.err;
    EXPECT_TRUE(absl::StartsWith(run.err, "error: ")) << what << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << what << run.err;
    EXPECT_THAT(run.err, HasSubstr(message)) << what;
    EXPECT_EQ(run.out, "") << what;
  };
  const std::string bytes = SerializeModel(good);
  expect_refused("empty", "", "`");
  expect_refused("truncated", bytes.substr(0, bytes.size() / 2), "cut short");
  expect_refused("text", "this is not a model", "is no ONNX model");

  onnx::ModelProto unknown = good;
  unknown.mutable_graph()->mutable_node(3)->set_op_type("NoSuchOperator");
  expect_refused("unknown operator", SerializeModel(unknown), "NoSuchOperator");

  onnx::ModelProto missing = good;
  missing.mutable_graph()->mutable_initializer()->DeleteSubrange(0, 1);
  expect_refused("missing initializer", SerializeModel(missing),
                 good.graph().initializer(0).name());

  onnx::ModelProto cyclic = good;
  cyclic.mutable_graph()->mutable_node(0)->set_input(
      0, good.graph().node(2).output(0));
  expect_refused("cycle", SerializeModel(cyclic),
                 good.graph().node(2).output(0));

  onnx::ModelProto huge = good;
  huge.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(2)
      ->set_dim_value(int64_t{1} << 40);
  expect_refused("huge input", SerializeModel(huge), "data");

  onnx::ModelProto open = good;
  open.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_param("batch");
  expect_refused("open dimension", SerializeModel(open), "batch");
}

TEST_F(SuiteTest, InvalidFlagsAreUsageErrorsOfOneSentence) {
  const std::vector<std::string> kCases[] = {
      {},
      {"--model=/no/such/file.onnx"},
      {"--model=x.onnx", "--device=toaster"},
      {"--model=x.onnx", "--fusion=maybe"},
      {"--model=x.onnx", "--tuning=maybe"},
      {"--nonsense"},
  };
  for (const std::vector<std::string>& arguments : kCases) {
    const runtime::ProcessResult run = RunModel(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_TRUE(absl::StartsWith(run.err, "error: ")) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
  }
  const runtime::ProcessResult help = RunModel({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("--model"));
}

}  // namespace
}  // namespace assay::suites

#include "runtime/tools/bench_main.h"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::runtime {
namespace {

class BenchMainTest : public testing::Test {
 protected:
  BenchMainTest() : dir_(*TempDir::Create()), artifact_(TestArtifact()) {
    EXPECT_TRUE(WriteArtifact(Path("m"), artifact_).ok());
  }
  std::string Path(const std::string& name) {
    return JoinPath(dir_.path(), name);
  }
  // Runs with these flags, in which `@` is replaced by the test's folder.
  int Run(std::vector<std::string> flags, bool show_progress = false) {
    std::vector<const char*> argv = {"bench_artifact"};
    for (std::string& flag : flags) {
      if (const size_t at = flag.find('@'); at != std::string::npos) {
        flag.replace(at, 1, dir_.path());
      }
      argv.push_back(flag.c_str());
    }
    std::ostringstream out, err;
    const int code = BenchMain(static_cast<int>(argv.size()), argv.data(),
                               show_progress, out, err);
    out_ = out.str();
    err_ = err.str();
    return code;
  }
  bool ErrorHas(const std::string& text) {
    return err_.find(text) != std::string::npos;
  }

  TempDir dir_;
  Artifact artifact_;
  std::string out_, err_;
};

TEST_F(BenchMainTest, PrintsAReport) {
  ASSERT_EQ(Run({"--artifact=@/m", "--seed=7", "--threads=2", "--number=2",
                 "--repeat=3", "--per_op", "--flush_cache"}),
            0)
      << err_;
  EXPECT_EQ(err_, "");
  const nlohmann::json json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["artifact"]["digest"], Digest(artifact_));
  EXPECT_EQ(json["artifact"]["metadata"]["model"], "test");
  EXPECT_EQ(json["artifact"]["flops"], 3 * 1024);
  EXPECT_EQ(json["artifact"]["file_bytes"], ReadFile(Path("m"))->size());
  EXPECT_GT(json["load_ms"], 0);
  EXPECT_GT(json["peak_rss_bytes"], 1 << 20);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["inputs"], "seed 7");
  EXPECT_EQ(json["options"]["repeat"], 3);
  EXPECT_GT(json["options"]["flush_cache_bytes"], 0);
  EXPECT_EQ(json["numbers"].size(), 3u);
  ASSERT_EQ(json["samples_ms"].size(), 3u);
  for (double sample : json["samples_ms"]) EXPECT_GT(sample, 0);
  ASSERT_EQ(json["per_op"].size(), 3u);
  EXPECT_EQ(json["per_op"][1]["kernel"], "test_scale");
  EXPECT_EQ(json["per_op"][1]["sources"][0], "Mul_1");
  EXPECT_EQ(json["per_op"][1]["samples_ms"].size(), 3u);
  EXPECT_FALSE(json["device"]["machine"].get<std::string>().empty());
  EXPECT_EQ(json["output_digest"].get<std::string>().size(), 64u);
}

TEST_F(BenchMainTest, ReportsTimesOfAllCallsButSetupCalls) {
  ASSERT_TRUE(WriteArtifact(Path("setup"), TestSetupArtifact()).ok());
  ASSERT_EQ(Run({"--artifact=@/m", "--threads=1", "--repeat=2"}), 0) << err_;
  const nlohmann::json plain = nlohmann::json::parse(out_);
  EXPECT_EQ(plain["artifact"]["setup_calls"], 0);
  ASSERT_EQ(
      Run({"--artifact=@/setup", "--threads=1", "--repeat=2", "--per_op"}), 0)
      << err_;
  const nlohmann::json json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["artifact"]["setup_calls"], 1);
  EXPECT_EQ(json["artifact"]["setup_bytes"], 4096);
  EXPECT_EQ(json["artifact"]["calls"], 3);
  EXPECT_EQ(json["artifact"]["flops"], 3 * 1024);
  EXPECT_EQ(json["per_op"].size(), 3u);
  EXPECT_EQ(json["output_digest"], plain["output_digest"]);
}

TEST_F(BenchMainTest, AModelWithoutKernelCallsHasNoTimesOfThem) {
  Artifact empty = artifact_;
  empty.calls.clear();
  for (TensorInfo& tensor : empty.tensors) {
    if (tensor.location == Location::kOutput) tensor.shape = {0};
  }
  ASSERT_TRUE(WriteArtifact(Path("empty"), empty).ok());
  // The minimum is for machines whose clock is coarse.
  ASSERT_EQ(Run({"--artifact=@/empty", "--threads=1", "--repeat=2", "--per_op",
                 "--min_repeat_ms=1"}),
            0)
      << err_;
  const nlohmann::json json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["options"]["per_op"], true);
  EXPECT_EQ(json["per_op"], nlohmann::json::array());
  EXPECT_EQ(json["samples_ms"].size(), 2u);
}

TEST_F(BenchMainTest, InputsFromAFileGiveTheSameOutputsAsTheirSeed) {
  ASSERT_TRUE(WriteTensors(Path("in"), SeededInputs(artifact_, 5)).ok());
  const std::vector<std::string> common = {"--artifact=@/m", "--number=1",
                                           "--repeat=1"};
  std::vector<std::string> seeded = common, file = common, other = common;
  seeded.insert(seeded.end(), {"--seed=5", "--json=@/1", "--outputs=@/out"});
  file.insert(file.end(), {"--inputs=@/in", "--json=@/2"});
  other.insert(other.end(), {"--seed=6", "--json=@/3"});
  ASSERT_EQ(Run(seeded), 0) << err_;
  EXPECT_EQ(out_, "");
  ASSERT_EQ(Run(file), 0) << err_;
  ASSERT_EQ(Run(other), 0) << err_;
  const auto digest = [&](const char* name) -> std::string {
    return nlohmann::json::parse(*ReadFile(Path(name)))["output_digest"];
  };
  EXPECT_EQ(digest("1"), digest("2"));
  EXPECT_NE(digest("1"), digest("3"));
  const absl::StatusOr<NamedTensors> outputs = ReadTensors(Path("out"));
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ(TensorsDigest(*outputs), digest("1"));
}

TEST_F(BenchMainTest, ShowsProgressWhenAsked) {
  ASSERT_EQ(Run({"--artifact=@/m", "--repeat=2", "--json=@/j"}, true), 0);
  EXPECT_TRUE(ErrorHas("\r1 of 2 samples")) << err_;
  EXPECT_TRUE(ErrorHas("\r2 of 2 samples")) << err_;
}

TEST_F(BenchMainTest, ServesStepsOfOneArtifactOrTwo) {
  Artifact longer = artifact_;
  longer.calls.push_back(longer.calls.back());
  ASSERT_TRUE(WriteArtifact(Path("n"), longer).ok());
  // Returns the answers of bench_artifact to these requests.
  const auto serve = [this](std::vector<std::string> flags,
                            const std::string& requests) {
    flags.push_back("--threads=1");
    std::istringstream in(requests);
    std::streambuf* const usual = std::cin.rdbuf(in.rdbuf());
    EXPECT_EQ(Run(flags), 0) << err_;
    std::cin.rdbuf(usual);
    return out_;
  };
  // A client of version 1 gives no version and expects none.
  EXPECT_THAT(serve({"--steps", "--artifact=@/m"}, "loaded\n"),
              testing::MatchesRegex("ready 1\nok [0-9]+\n"));
  EXPECT_THAT(serve({"--steps=2", "--artifact=@/m"}, "loaded\n"),
              testing::MatchesRegex("protocol 2\nready 1\nok [0-9]+\n"));
  EXPECT_THAT(
      serve({"--steps=2", "--artifact=@/m", "--artifact=@/n"},
            "block {\"samples\":[[0,1,0,0],[1,1,0,0]],\"time_calls\":true}\n"),
      testing::MatchesRegex("protocol 2\nready 1\nsample [0-9]+ 1( [0-9]+){3}\n"
                            "sample [0-9]+ 1( [0-9]+){4}\nok\n"));
}

TEST_F(BenchMainTest, PrintsHelp) {
  EXPECT_EQ(Run({"--help"}), 0);
  EXPECT_EQ(err_, "");
  for (const char* text :
       {"--artifact", "--min_repeat_ms", "Exit codes", "bench_artifact --"}) {
    EXPECT_NE(out_.find(text), std::string::npos) << text;
  }
}

TEST_F(BenchMainTest, UsageErrorsExit2) {
  EXPECT_EQ(Run({}), 2);
  EXPECT_TRUE(ErrorHas("--artifact is required")) << err_;
  EXPECT_EQ(Run({"--artifact=@/m", "--fast"}), 2);
  EXPECT_TRUE(ErrorHas("--fast")) << err_;
  EXPECT_EQ(Run({"--artifact=@/m", "--repeat=many"}), 2);
  EXPECT_TRUE(ErrorHas("--repeat")) << err_;
  EXPECT_EQ(Run({"--artifact=@/m", "--repeat=0"}), 2);
  EXPECT_TRUE(ErrorHas("`repeat` is 0")) << err_;
  EXPECT_EQ(Run({"--artifact=@/m", "--threads=-3"}), 2);
  EXPECT_TRUE(ErrorHas("-3 threads")) << err_;
  EXPECT_EQ(Run({"--artifact=@/m", "--inputs=@/in", "--seed=1"}), 2);
  EXPECT_EQ(Run({"--artifact=@/m", "--artifact=@/m"}), 2);
  EXPECT_TRUE(ErrorHas("two artifacts are for --steps only")) << err_;
  EXPECT_EQ(
      Run({"--steps", "--artifact=@/m", "--artifact=@/m", "--artifact=@/m"}),
      2);
  EXPECT_TRUE(ErrorHas("--artifact: At Most 2 required")) << err_;
  for (const char* steps : {"--steps=-1", "--steps=0", "--steps=false"}) {
    EXPECT_EQ(Run({steps, "--artifact=@/m"}), 2);
    EXPECT_TRUE(ErrorHas("--steps: the version")) << steps << ": " << err_;
  }
  EXPECT_EQ(Run({"--steps", "--artifact=@/m", "--artifact=@/none"}), 2);
  EXPECT_TRUE(ErrorHas(Path("none"))) << err_;
  EXPECT_EQ(Run({"--artifact=@/m", "--json=@/no/such/folder/j"}), 2);
  EXPECT_TRUE(ErrorHas("--json: there is no folder")) << err_;
}

TEST_F(BenchMainTest, BadFilesExit2AndAreNamed) {
  EXPECT_EQ(Run({"--artifact=@/none"}), 2);
  EXPECT_TRUE(ErrorHas(Path("none"))) << err_;
  EXPECT_EQ(Run({"--artifact=@"}), 2);

  const std::string bytes = Serialize(artifact_);
  ASSERT_TRUE(WriteFileAtomic(Path("cut"), bytes.substr(0, 999)).ok());
  EXPECT_EQ(Run({"--artifact=@/cut"}), 2);
  EXPECT_TRUE(ErrorHas("/cut`: artifact is truncated or altered")) << err_;

  Artifact hostile = artifact_;
  hostile.calls[0].inputs[0] = 1000;
  ASSERT_TRUE(WriteArtifact(Path("hostile"), hostile).ok());
  EXPECT_EQ(Run({"--artifact=@/hostile"}), 2);
  EXPECT_TRUE(ErrorHas("/hostile`: call of kernel `test_add` refers to tensor"))
      << err_;

  Artifact foreign = artifact_;
  foreign.code = "not for any machine";
  ASSERT_TRUE(WriteArtifact(Path("foreign"), foreign).ok());
  EXPECT_EQ(Run({"--artifact=@/foreign"}), 2);

  EXPECT_EQ(Run({"--artifact=@/m", "--inputs=@/m"}), 2);
  EXPECT_TRUE(ErrorHas("not a tensor file")) << err_;
  ASSERT_TRUE(
      WriteTensors(Path("in"), {{"x", NDArray(DType::Int(8), {1})}}).ok());
  EXPECT_EQ(Run({"--artifact=@/m", "--inputs=@/in"}), 2);
  EXPECT_TRUE(ErrorHas("no value for input `z`")) << err_;
}

TEST_F(BenchMainTest, DeviceFailuresExit5) {
  artifact_.calls[0].symbol = "test_fail";
  ASSERT_TRUE(WriteArtifact(Path("fail"), artifact_).ok());
  EXPECT_EQ(Run({"--artifact=@/fail"}), 5);
  EXPECT_EQ(err_, "bench_artifact: kernel `test_fail` returned error 42\n");
  artifact_.arena_bytes = int64_t{1} << 43;
  ASSERT_TRUE(WriteArtifact(Path("huge"), artifact_).ok());
  EXPECT_EQ(Run({"--artifact=@/huge"}), 5);
  EXPECT_TRUE(ErrorHas("not enough memory for a buffer of 87960")) << err_;
}

}  // namespace
}  // namespace assay::runtime

#include "suites/harness/compiler/stored_artifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "reports/result/run_folder.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

class StoredArtifactsTest : public testing::Test {
 protected:
  StoredArtifactsTest() : dir_(TempDir::Create().value()) {
    model_.name = "net";
    model_.digest = "digest";
    device_ = "host";
    Add(/*threads=*/1, "one");
    Add(/*threads=*/2, "two");
  }

  void Add(int threads, const std::string& name) {
    runtime::Artifact artifact;
    artifact.metadata["name"] = name;
    const runtime::ArtifactStore store(reports::ArtifactFolder(dir_.path()));
    EXPECT_TRUE(store.Put(artifact).ok());
    reports::Row row;
    row.cell = {"net", "host", {/*fusion=*/true}, threads};
    row.build.model_digest = "digest";
    row.build.artifact_digest = runtime::Digest(artifact);
    result_.rows.push_back(row);
  }

  // The place that a run with --threads=`threads` has.
  Place PlaceWith(int threads) const {
    devices::Device device;
    device.set_name(device_);
    device.set_target("llvm -mtriple=x86_64-linux-gnu");
    device.mutable_in_process();
    return ResolvePlace(device, "x86_64", threads).value();
  }

  // The name of the artifact, or the message of the error.
  std::string Find(bool fusion, int threads) {
    EXPECT_TRUE(WriteFileAtomic(JoinPath(dir_.path(), "results.json"),
                                reports::ResultsJson(result_))
                    .ok());
    auto stored = StoredArtifacts::Open(dir_.path());
    EXPECT_TRUE(stored.ok()) << stored.status();
    const auto found =
        stored->Compile(model_, PlaceWith(threads), {fusion}, "");
    return found.ok() ? found->artifact.metadata.at("name")
                      : std::string(found.status().message());
  }

  TempDir dir_;
  Model model_;
  std::string device_ = "host";
  reports::RunResult result_;
};

TEST_F(StoredArtifactsTest, FindsTheArtifactOfACell) {
  EXPECT_EQ(Find(true, 1), "one");
  EXPECT_EQ(Find(true, 2), "two");
  EXPECT_THAT(Find(true, 0), HasSubstr("several rows of model `net`"));
  result_.rows.pop_back();
  EXPECT_EQ(Find(true, 0), "one");
}

TEST_F(StoredArtifactsTest, TunedRowsHaveArtifactsOfTheirOwn) {
  const auto can_tune = [this](const char* device, int threads) {
    EXPECT_EQ(Find(true, 1), "one");  // writes the results
    device_ = device;
    const absl::Status can =
        StoredArtifacts::Open(dir_.path())->CanTune(PlaceWith(threads));
    device_ = "host";
    return can;
  };
  EXPECT_THAT(std::string(can_tune("host", 1).message()),
              HasSubstr("has no tuned row of device `host`"));
  Add(/*threads=*/1, "tuned");
  result_.rows.back().cell.variant.tuned = true;
  result_.rows.back().build.tuning_digest = "records";
  EXPECT_TRUE(can_tune("host", 1).ok());
  EXPECT_TRUE(can_tune("host", 0).ok());
  EXPECT_TRUE(absl::IsNotFound(can_tune("host", 2)));
  EXPECT_TRUE(absl::IsNotFound(can_tune("board", 1)));
  const auto tuned = StoredArtifacts::Open(dir_.path())
                         ->Compile(model_, PlaceWith(1),
                                   {/*fusion=*/true, /*tuned=*/true}, "");
  ASSERT_TRUE(tuned.ok()) << tuned.status();
  EXPECT_EQ(tuned->artifact.metadata.at("name"), "tuned");
  EXPECT_EQ(tuned->tuning_digest, "records");
}

TEST_F(StoredArtifactsTest, NamesWhatIsMissing) {
  EXPECT_THAT(Find(false, 1), HasSubstr("has no such cell"));
  EXPECT_THAT(Find(true, 4), HasSubstr("has no such cell"));
  result_.rows[0].build.artifact_digest = "";
  result_.rows[0].reason = "it did not compile";
  EXPECT_THAT(Find(true, 1), HasSubstr("it did not compile"));
  model_.digest = "other";
  EXPECT_THAT(Find(true, 2), HasSubstr("another model of the name `net`"));
}

TEST_F(StoredArtifactsTest, ErrorsNameTheFile) {
  EXPECT_THAT(std::string(StoredArtifacts::Open("/no/such").status().message()),
              HasSubstr("/no/such/results.json"));
  const std::string path = JoinPath(dir_.path(), "results.json");
  ASSERT_TRUE(WriteFileAtomic(path, "{").ok());
  EXPECT_THAT(
      std::string(StoredArtifacts::Open(dir_.path()).status().message()),
      HasSubstr(path));
}

}  // namespace
}  // namespace assay::suites

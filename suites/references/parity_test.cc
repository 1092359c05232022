#include "suites/references/parity.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kSeed = 7;

// Changes a field of `*parity` to another value.
struct Mutation {
  std::string field;
  std::function<void(Rng& rng, Parity* parity)> apply;
};

const std::vector<Mutation>& Mutations() {
  static const auto* const mutations = new std::vector<Mutation>{
      {"threads",
       [](Rng& rng, Parity* p) {
         p->threads += static_cast<int>(rng.UniformInt(1, 60));
       }},
      {"affinity", [](Rng&, Parity* p) { p->affinity = Affinity::kFree; }},
      {"precision",
       [](Rng& rng, Parity* p) {
         p->precision = absl::StrCat("int", rng.UniformInt(1, 64));
       }},
      {"reduced precision",
       [](Rng&, Parity* p) { p->reduced_precision = true; }},
      {"layout", [](Rng&, Parity* p) { p->layout = TensorLayout::kOwn; }},
      {"warm-up",
       [](Rng& rng, Parity* p) { p->warmup_runs += rng.UniformInt(1, 9); }},
      {"warm-up",
       [](Rng& rng, Parity* p) {
         p->warmup_nanos += rng.UniformInt(1, 1'000'000'000);
       }},
      {"inputs", [](Rng&, Parity* p) { p->inputs = InputChange::kEveryRound; }},
      {"input copies",
       [](Rng& rng, Parity* p) {
         p->input_copies += static_cast<int>(rng.UniformInt(1, 3));
       }},
      {"output copies",
       [](Rng& rng, Parity* p) {
         p->output_copies += static_cast<int>(rng.UniformInt(1, 3));
       }},
  };
  return *mutations;
}

// Returns the equal conditions of three contenders.
std::vector<NamedParity> EqualManifest() {
  Parity parity = OurParity(2);
  parity.precision = "float32";
  parity.warmup_runs = 1;
  parity.warmup_nanos = 5'000'000;
  return {{"ours", parity}, {"blas", parity}, {"other", parity}};
}

TEST(CheckParityTest, RefusesTwentySeededMismatches) {
  Rng rng(kSeed);
  const std::vector<Mutation>& mutations = Mutations();
  ASSERT_EQ(mutations.size(), 10u);
  for (size_t i = 0; i < 20; ++i) {
    const Mutation& mutation = mutations[i % mutations.size()];
    std::vector<NamedParity> manifest = EqualManifest();
    NamedParity& changed = manifest[static_cast<size_t>(rng.UniformInt(0, 2))];
    mutation.apply(rng, &changed.parity);
    const absl::Status status = CheckParity(manifest);
    SCOPED_TRACE(absl::StrCat(i, ": ", mutation.field));
    ASSERT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat("differ: ", mutation.field, " of `")));
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat("`", changed.contender, "`")));
  }
}

TEST(CheckParityTest, NamesContendersFieldAndValues) {
  std::vector<NamedParity> manifest = EqualManifest();
  manifest[1].parity.affinity = Affinity::kFree;
  EXPECT_EQ(CheckParity(manifest).message(),
            "the conditions differ: affinity of `blas` is `free`, but that of "
            "`ours` is `pinned`");
}

TEST(CheckParityTest, AcceptsEqualConditions) {
  std::vector<NamedParity> manifest = EqualManifest();
  EXPECT_TRUE(CheckParity(manifest).ok());
  manifest[2].parity.optimization = "all graph optimizations";
  EXPECT_TRUE(CheckParity(manifest).ok());
  EXPECT_TRUE(CheckParity({}).ok());
}

// A program that splits floats is compared with others, but says so.
TEST(CheckParityTest, AcceptsAndStatesSplitFloats) {
  std::vector<NamedParity> manifest = EqualManifest();
  manifest[0].parity.splits_floats = true;
  EXPECT_TRUE(CheckParity(manifest).ok()) << CheckParity(manifest);
  EXPECT_EQ(ParityRecord(manifest).at("ours").at("reduced precision"),
            "split in bfloat16 parts");
  EXPECT_EQ(ParityRecord(manifest).at("blas").at("reduced precision"), "no");
  EXPECT_TRUE(PrecisionDiffers(manifest[0].parity, manifest[1].parity));
  EXPECT_FALSE(PrecisionDiffers(manifest[1].parity, manifest[2].parity));
  // Reduced precision is something else.
  manifest[1].parity.reduced_precision = true;
  EXPECT_EQ(CheckParity(manifest).message(),
            "the conditions differ: reduced precision of `blas` is `allowed`, "
            "but that of `ours` is `no`");
  manifest[0].parity.reduced_precision = true;
  EXPECT_EQ(ParityRecord(manifest).at("ours").at("reduced precision"),
            "allowed, split in bfloat16 parts");
  EXPECT_EQ(ParityRecord(manifest).at("blas").at("reduced precision"),
            "allowed");
}

TEST(OurParityTest, FollowsTheAlgorithmsOfTheArtifact) {
  runtime::Artifact artifact;
  EXPECT_FALSE(OurParity(2, artifact).splits_floats);
  artifact.metadata[runtime::kMetaAlgorithms] = "winograd F(4x4)";
  EXPECT_FALSE(OurParity(2, artifact).splits_floats);
  artifact.metadata[runtime::kMetaAlgorithms] = "bf16x3, winograd F(4x4)";
  EXPECT_TRUE(OurParity(2, artifact).splits_floats);
  EXPECT_EQ(OurParity(2, artifact).threads, 2);
}

TEST(ParityFieldsTest, DistinguishesWarmUps) {
  Parity a, b;
  a.warmup_nanos = 5'000'000'000;
  b.warmup_nanos = 5'000'000'001;
  EXPECT_NE(ParityFields(a), ParityFields(b));
}

TEST(ParityRecordTest, ListsFieldsByContender) {
  const auto record = ParityRecord(EqualManifest());
  ASSERT_EQ(record.size(), 3u);
  EXPECT_THAT(
      record.at("blas"),
      UnorderedElementsAre(
          Pair("threads", "2"), Pair("affinity", "pinned"),
          Pair("precision", "float32"), Pair("reduced precision", "no"),
          Pair("layout", "plain"), Pair("warm-up", "1 run, 5 ms"),
          Pair("inputs", "same"), Pair("input copies", "0"),
          Pair("output copies", "0"), Pair("optimization", "as in the row")));
}

TEST(ParityTableTest, PrintsEqualLinesOnce) {
  std::vector<NamedParity> manifest = EqualManifest();
  manifest.pop_back();
  manifest[0].parity.optimization = "all";
  manifest[1].parity.optimization = "kernels for Zen";
  manifest.push_back(manifest[1]);
  EXPECT_EQ(
      ParityTable(manifest),
      "conditions of the comparison; optimization is not compared\n"
      "contender  threads  affinity  precision  reduced precision  layout  "
      "warm-up      inputs  input copies  output copies  optimization\n"
      "ours       2        pinned    float32    no                 plain   "
      "1 run, 5 ms  same    0             0              all\n"
      "blas       2        pinned    float32    no                 plain   "
      "1 run, 5 ms  same    0             0              kernels for Zen\n");
  EXPECT_EQ(ParityTable({}), "");
}

TEST(ParityTableTest, ExplainsTheMarkIfPrecisionDiffers) {
  std::vector<NamedParity> manifest = EqualManifest();
  EXPECT_THAT(ParityTable(manifest), Not(HasSubstr("differ in precision")));
  manifest[2].parity.splits_floats = true;
  EXPECT_THAT(ParityTable(manifest),
              HasSubstr("\n* contenders differ in precision: one splits "
                        "float32 in bfloat16 parts, which keep about 18 of 24 "
                        "significant bits, and the other does not\n"));
  for (NamedParity& contender : manifest) contender.parity.splits_floats = true;
  EXPECT_THAT(ParityTable(manifest), Not(HasSubstr("differ in precision")));
}

}  // namespace
}  // namespace assay::suites

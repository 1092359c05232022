#include "compiler/ops/config_space.h"

#include <string>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// The candidates of the only knob of `space`.
std::string Candidates(const ConfigSpace& space) {
  return absl::StrJoin(space.knobs().at(0).candidates, " ",
                       [](std::string* out, const Entity& entity) {
                         out->append(ToString(entity));
                       });
}

std::string Splits(int64_t extent, const SplitOptions& options) {
  ConfigSpace space;
  space.DefineSplit("s", extent, options);
  return Candidates(space);
}

TEST(ConfigSpaceTest, SplitPolicies) {
  SplitOptions options;
  EXPECT_EQ(Splits(6, options), "[-1,1] [-1,2] [-1,3] [-1,6]");
  options.policy = SplitPolicy::kPower2;
  EXPECT_EQ(Splits(6, options), "[-1,1] [-1,2] [-1,4]");
  options.no_tail = true;
  EXPECT_EQ(Splits(6, options), "[-1,1] [-1,2]");
  options = {};
  options.policy = SplitPolicy::kVerbose;
  EXPECT_EQ(Splits(6, options), "[-1,1] [-1,2] [-1,3] [-1,4] [-1,6]");
  options.max_factor = 3;
  EXPECT_EQ(Splits(6, options), "[-1,1] [-1,2] [-1,3]");
  options.filter = [](absl::Span<const int64_t> s) { return s[1] != 2; };
  EXPECT_EQ(Splits(6, options), "[-1,1] [-1,3]");
  options = {};
  options.policy = SplitPolicy::kCandidate;
  options.candidates = {{-1, 5}, {-1, 3}};
  EXPECT_EQ(Splits(6, options), "[-1,5] [-1,3]");
}

TEST(ConfigSpaceTest, SplitsIntoSeveral) {
  SplitOptions options;
  options.num_outputs = 3;
  EXPECT_EQ(Splits(4, options),
            "[-1,1,1] [-1,1,2] [-1,1,4] [-1,2,1] [-1,2,2] [-1,4,1]");
  options.policy = SplitPolicy::kPower2;
  EXPECT_EQ(Splits(3, options), "[-1,1,1] [-1,1,2] [-1,2,1]");
  EXPECT_EQ(Splits(1, options), "[-1,1,1]");
}

ConfigSpace SampleSpace() {
  ConfigSpace space;
  space.DefineSplit("tile_oc", 12);
  space.DefineSplit("tile_ow", 4);
  space.DefineKnob("unroll_kw", {0, 1});
  return space;
}

TEST(ConfigSpaceTest, IndexIsMixedRadixWithFirstKnobLeastSignificant) {
  const ConfigSpace space = SampleSpace();
  EXPECT_EQ(space.size(), 6 * 3 * 2);
  EXPECT_EQ(space.At(0).ToString(),
            "tile_oc=[-1,1] tile_ow=[-1,1] unroll_kw=0");
  EXPECT_EQ(space.At(1).ToString(),
            "tile_oc=[-1,2] tile_ow=[-1,1] unroll_kw=0");
  EXPECT_EQ(space.At(6 * 3 + 6 * 2 + 5).ToString(),
            "tile_oc=[-1,12] tile_ow=[-1,4] unroll_kw=1");
  for (int64_t i = 0; i < space.size(); ++i) {
    const auto index = space.IndexOf(space.At(i));
    ASSERT_TRUE(index.ok()) << index.status();
    EXPECT_EQ(*index, i);
    EXPECT_EQ(space.FromDigits(space.Digits(i)), i);
  }
}

TEST(ConfigSpaceTest, PointsPrintAndParseBack) {
  const ConfigSpace space = SampleSpace();
  Rng rng(20261121);
  for (int round = 0; round < 50; ++round) {
    const Config config = space.Sample(rng);
    EXPECT_EQ(*Config::Parse(config.ToString()), config);
    EXPECT_EQ(*Config::FromJson(config.ToJson()), config);
    EXPECT_TRUE(space.IndexOf(config).ok());
  }
}

TEST(ConfigSpaceTest, NamesEntryThatIsNotACandidate) {
  const ConfigSpace space = SampleSpace();
  const Config base = space.At(0);
  const auto error = [&](const char* changes) {
    return std::string(
        space.Override(base, *Config::Parse(changes)).status().message());
  };
  EXPECT_EQ(error("tile_oc=[-1,6]"), "");
  EXPECT_EQ(error("tile_oc=[-1,5]"),
            "`[-1,5]` is not a candidate of `tile_oc`; it has 6 splits such "
            "as `[-1,12]`");
  EXPECT_EQ(error("unroll_kw=[-1,5]"),
            "`[-1,5]` is not a candidate of `unroll_kw`; it has 2 values such "
            "as `1`");
  EXPECT_EQ(error("tile=1"),
            "the space has no `tile`; it has tile_oc: 6 splits, tile_ow: 3 "
            "splits, unroll_kw: 2 values");
  EXPECT_EQ(space.IndexOf(Config()).status().message(),
            "the configuration lacks `tile_oc`");
  EXPECT_EQ(ConfigSpace().Summary(), "nothing to choose");
  EXPECT_EQ(ConfigSpace().size(), 1);
}

TEST(ConfigSpaceTest, InvalidDefinitionsDie) {
  ConfigSpace space;
  space.DefineKnob("a", {1});
  EXPECT_DEATH(space.DefineKnob("a", {1}), "a");
  EXPECT_DEATH(space.DefineKnob("b", {}), "`b` has no candidates");
}

TEST(ConfigSpaceTest, LargestDivisorIsAtMostTheLimit) {
  EXPECT_EQ(LargestDivisor(12, 5), 4);
  EXPECT_EQ(LargestDivisor(13, 5), 1);
}

}  // namespace
}  // namespace assay::ops

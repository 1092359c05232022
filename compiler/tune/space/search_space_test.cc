#include "compiler/tune/space/search_space.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "compiler/graph/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::tune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

double OneSecond(const ops::Config&) { return 1; }

// Knobs of all kinds.
SearchSpace::Implementation Tiled() {
  SearchSpace::Implementation tiled;
  tiled.name = "op.tiled";
  tiled.configs.DefineSplit("tile", 16);
  ops::SplitOptions inner;
  inner.num_outputs = 3;
  tiled.configs.DefineSplit("inner", 16, inner);
  tiled.configs.DefineKnob("order", {0, 1, 2, 3, 4, 5});
  tiled.preferred = tiled.configs.At(5);
  tiled.seconds = OneSecond;
  return tiled;
}

SearchSpace::Implementation Simple() {
  SearchSpace::Implementation simple;
  simple.name = "op.simple";
  simple.configs.DefineKnob("unroll", {0, 4, 8});
  simple.configs.DefineKnob("only", {1});
  simple.preferred = simple.configs.At(2);
  simple.seconds = [](const ops::Config& config) {
    return 1.0 + static_cast<double>(config.Knob("unroll"));
  };
  return simple;
}

SearchSpace::Implementation Huge() {
  SearchSpace::Implementation huge;
  huge.name = "op.huge";
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 1000; ++i) values.push_back(i);
  for (const char* knob : {"a", "b", "c", "d"}) {
    huge.configs.DefineKnob(knob, values);
  }
  huge.preferred = huge.configs.At(0);
  huge.seconds = OneSecond;
  return huge;
}

bool SameFeatures(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) {
                      return x == y || (std::isnan(x) && std::isnan(y));
                    });
}

TEST(SearchSpaceTest, PointsAndChoicesCorrespond) {
  const SearchSpace space({Tiled(), Simple()});
  EXPECT_EQ(space.size(), Tiled().configs.size() + 3);
  std::set<std::string> choices;
  for (int64_t point = 0; point < space.size(); ++point) {
    const SearchSpace::Choice choice = space.At(point);
    choices.insert(choice.implementation + " " + choice.config.ToString());
    const auto index = space.IndexOf(choice.implementation, choice.config);
    ASSERT_TRUE(index.ok()) << index.status();
    EXPECT_EQ(*index, point);
  }
  EXPECT_THAT(choices, SizeIs(space.size()));
  EXPECT_EQ(space.default_point(), 5);
  EXPECT_THAT(space.PreferredPoints(), ElementsAre(5, space.size() - 1));
  EXPECT_THAT(space.IndexOf("op.none", {}).status().message(),
              HasSubstr("`op.none`"));
  EXPECT_THAT(space.IndexOf("op.simple", {}).status().message(),
              HasSubstr("unroll"));
}

TEST(SearchSpaceTest, FeaturesTellPointsApart) {
  const SearchSpace space({Tiled(), Simple()}, {{"flops", 12.5f}});
  EXPECT_THAT(
      space.feature_names(),
      ElementsAre("op.tiled", "op.simple", "modelled", "flops", "op.tiled.tile",
                  "op.tiled.inner.0", "op.tiled.inner.1", "op.tiled.order",
                  "op.simple.unroll", "op.simple.only"));
  std::vector<std::vector<float>> all;
  for (int64_t point = 0; point < space.size(); ++point) {
    all.push_back(space.Features(point));
    EXPECT_THAT(all.back(), SizeIs(space.feature_names().size()));
    EXPECT_TRUE(SameFeatures(all.back(), space.Features(point)));
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(SameFeatures(all[i], all[j])) << i << " " << j;
    }
  }
  const std::vector<float>& last = all.back();
  EXPECT_EQ(last[1], 1);
  EXPECT_EQ(last[2], std::log2(9.0f));  // 9 s, and 1 s for the default point
  EXPECT_EQ(last[3], 12.5f);
  EXPECT_TRUE(std::isnan(last[4]));
  EXPECT_EQ(last[8], 8);
}

TEST(SearchSpaceTest, NeighborsDifferInOneKnob) {
  const SearchSpace space({Tiled(), Simple()});
  Rng rng(7);
  std::set<int64_t> reached;
  for (int i = 0; i < 20'000; ++i) {
    const int64_t point = space.RandomPoint(rng);
    const int64_t neighbor = space.Neighbor(point, rng);
    ASSERT_NE(neighbor, point);
    reached.insert(neighbor);
    const SearchSpace::Choice a = space.At(point), b = space.At(neighbor);
    if (a.implementation != b.implementation) {
      EXPECT_THAT(space.PreferredPoints(), ::testing::Contains(neighbor));
      continue;
    }
    int differences = 0;
    for (size_t k = 0; k < a.config.entries().size(); ++k) {
      differences += a.config.entries()[k] != b.config.entries()[k];
    }
    EXPECT_EQ(differences, 1);
  }
  EXPECT_THAT(reached, SizeIs(space.size()));
}

TEST(SearchSpaceTest, CrossedPointsHaveKnobsOfBothParents) {
  const SearchSpace space({Tiled(), Simple()});
  Rng rng(5);
  std::set<int64_t> children;
  for (int i = 0; i < 2000; ++i) {
    const int64_t a = space.RandomPoint(rng), b = space.RandomPoint(rng);
    const int64_t child = space.Cross(a, b, rng);
    const SearchSpace::Choice x = space.At(a), y = space.At(b);
    const SearchSpace::Choice c = space.At(child);
    EXPECT_EQ(c.implementation, x.implementation);
    if (x.implementation != y.implementation) {
      EXPECT_EQ(child, a);
      continue;
    }
    EXPECT_EQ(static_cast<size_t>(space.NumKnobs(a)),
              x.config.entries().size());
    bool second = false;  // after the position at which the parents change
    for (size_t k = 0; k < c.config.entries().size(); ++k) {
      second |= c.config.entries()[k] != x.config.entries()[k];
      EXPECT_EQ(c.config.entries()[k], (second ? y : x).config.entries()[k]);
    }
    if (child != a && child != b) children.insert(child);
  }
  EXPECT_GT(children.size(), 50u);
}

TEST(SearchSpaceTest, SpacesOfOnePointHaveNoNeighbors) {
  SearchSpace::Implementation single;
  single.name = "op.single";
  single.seconds = OneSecond;
  const SearchSpace space({single});
  Rng rng(1);
  EXPECT_EQ(space.size(), 1);
  EXPECT_EQ(space.Neighbor(0, rng), 0);
  EXPECT_THAT(space.Sample(5, {0}, rng), IsEmpty());
}

TEST(SearchSpaceTest, SamplesArePointsThatWereNotVisited) {
  const SearchSpace small({Tiled(), Simple()});
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    PointSet visited;
    std::vector<int64_t> all;
    while (true) {
      const std::vector<int64_t> points = small.Sample(37, visited, rng);
      if (points.empty()) break;
      for (const int64_t point : points) {
        EXPECT_TRUE(visited.insert(point).second);
        all.push_back(point);
      }
    }
    std::vector<int64_t> expected;
    for (int64_t point = 0; point < small.size(); ++point) {
      expected.push_back(point);
    }
    EXPECT_THAT(all, UnorderedElementsAreArray(expected));
  }
  const SearchSpace large({Huge(), Simple()});
  EXPECT_EQ(large.size(), 1'000'000'000'003);
  Rng rng(3);
  const std::vector<int64_t> points = large.Sample(1000, {}, rng);
  EXPECT_THAT(std::set<int64_t>(points.begin(), points.end()), SizeIs(1000));
}

TEST(SpaceOfTest, HasTheImplementationsThatApply) {
  const auto graph = graph::ParseGraph(
      R"(graph g(%x: float32[1,64,14,14]@blocks(16), %w: float32[64,64,3,3]@winograd(m=4,block=32)) -> (%1) {
  %1: float32[1,64,14,14]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2");
  ASSERT_TRUE(target.ok()) << target.status();
  const ops::OpInstance op =
      ops::InstanceOf(*(*graph)->outputs()[0].value.node);
  const auto space = SpaceOf(op, *target);
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_GT(space->size(), 100);
  EXPECT_THAT(space->At(space->default_point()).implementation,
              HasSubstr("conv2d."));
  // The default point is the best one of the analytical model.
  std::set<double> modelled;
  for (int64_t point = 0; point < space->size(); ++point) {
    modelled.insert(space->ModelledSeconds(point));
  }
  EXPECT_GT(modelled.size(), 10u);
  EXPECT_GT(*modelled.begin(), 0);
  EXPECT_EQ(*modelled.begin(), space->ModelledSeconds(space->default_point()));
  EXPECT_THAT(space->feature_names(), Contains("in1.3"));
  const auto relu = graph::ParseGraph(
      "graph g(%x: float32[4]) -> (%1) {\n  %1: float32[4] = relu(%x)\n}");
  ASSERT_TRUE(relu.ok()) << relu.status();
  EXPECT_THAT(
      SpaceOf(ops::InstanceOf(*(*relu)->outputs()[0].value.node), *target)
          .status()
          .message(),
      HasSubstr("no implementation of relu applies on llvm"));
}

}  // namespace
}  // namespace assay::tune

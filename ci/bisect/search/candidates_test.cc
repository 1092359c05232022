#include "ci/bisect/search/candidates.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::ci {
namespace {

std::vector<std::pair<int, int>> Ranges(
    const std::vector<Candidate>& candidates) {
  std::vector<std::pair<int, int>> ranges;
  for (const Candidate& c : candidates) ranges.emplace_back(c.first, c.last);
  return ranges;
}

using Expected = std::vector<std::pair<int, int>>;

TEST(CollapseTest, JoinsNeighboursWithEqualKeys) {
  EXPECT_EQ(Ranges(Collapse({"a", "a", "b", "a", "a", "a"})),
            (Expected{{0, 1}, {2, 2}, {3, 5}}));
}

TEST(CollapseTest, UnknownKeysAreUnlikeAllOthers) {
  EXPECT_EQ(Ranges(Collapse({"", "", "a", ""})),
            (Expected{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
}

TEST(JoinByKeyTest, OneKnownCommitStandsForItsCandidate) {
  const std::vector<Candidate> candidates = {{0, 1}, {2, 4}, {5, 5}, {6, 7}};
  EXPECT_EQ(Ranges(JoinByKey(candidates, {"", "x", "", "", "x", "", "y", ""})),
            (Expected{{0, 4}, {5, 5}, {6, 7}}));
}

TEST(NarrowByKeyTest, KeepsWhatIsBetweenTheEnds) {
  const std::vector<std::string> keys = {"a", "", "a", "", "x", "b", "", "b"};
  const std::vector<Candidate> candidates = Collapse(keys);
  EXPECT_EQ(Ranges(NarrowByKey(candidates, keys)),
            (Expected{{2, 2}, {3, 3}, {4, 4}, {5, 5}}));
}

TEST(NarrowByKeyTest, ChangeThatWasTakenBackIsFoundWhereItWasMadeAgain) {
  const std::vector<std::string> keys = {"a", "b", "a", "b"};
  EXPECT_EQ(Ranges(NarrowByKey(Collapse(keys), keys)),
            (Expected{{2, 2}, {3, 3}}));
}

TEST(NarrowByKeyTest, UnknownOrEqualEndsDropNothing) {
  for (const std::vector<std::string>& keys :
       {std::vector<std::string>{"", "a", "b"},
        {"a", "b", ""},
        {"a", "b", "a"}}) {
    EXPECT_EQ(NarrowByKey(Collapse(keys), keys).size(), 3);
  }
}

}  // namespace
}  // namespace assay::ci

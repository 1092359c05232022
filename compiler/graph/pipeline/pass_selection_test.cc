#include "compiler/graph/pipeline/pass_selection.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

constexpr PipelineStep kSteps[] = {{"clean", 1}, {"fold", 0},  {"layout", 2},
                                   {"fold", 0},  {"split", 3}, {"fuse", 0}};

std::string Names(const PassSelection& selection) {
  const auto selected = SelectPasses(kSteps, selection);
  if (!selected.ok()) return std::string(selected.status().message());
  return absl::StrJoin(selected->names, " ");
}

PassSelection Level(int level) {
  PassSelection selection;
  selection.level = level;
  return selection;
}

TEST(PassSelectionTest, LevelRunsAllStepsUpToIt) {
  EXPECT_EQ(Names(Level(0)), "fold fold fuse");
  EXPECT_EQ(Names(Level(1)), "clean fold fold fuse");
  EXPECT_EQ(Names(Level(2)), "clean fold layout fold fuse");
  EXPECT_EQ(Names(Level(3)), "clean fold layout fold split fuse");
  EXPECT_EQ(Names(PassSelection()), Names(Level(kMaxOptLevel)));
  EXPECT_EQ(Names(Level(4)), "`--opt_level` is 4; it must be from 0 to 3");
}

TEST(PassSelectionTest, NamesReplaceLevel) {
  PassSelection selection = Level(0);
  selection.passes = "split,layout,fuse";
  EXPECT_EQ(Names(selection), "split layout fuse");
  selection.skip = "layout";
  EXPECT_EQ(Names(selection), "split fuse");
}

TEST(PassSelectionTest, SkipsAllStepsOfAPass) {
  PassSelection selection;
  selection.skip = "clean,split";
  EXPECT_EQ(Names(selection), "fold layout fold fuse");
}

TEST(PassSelectionTest, ErrorsNameFlagAndPass) {
  PassSelection selection;
  selection.skip = "fold";
  EXPECT_EQ(Names(selection),
            "`--skip_passes` has `fold`, without which no model can be "
            "compiled");
  selection.skip = "lay";
  EXPECT_EQ(Names(selection),
            "`--skip_passes` has `lay`, which is no pass; there are `clean`, "
            "`fold`, `fuse`, `layout`, `split`");
  selection = {};
  selection.passes = "x";
  EXPECT_TRUE(absl::StrContains(Names(selection), "`--passes` has `x`"));
}

TEST(PassSelectionTest, LimitKeepsRequiredSteps) {
  PassSelection selection;
  selection.bisect_limit = 0;
  EXPECT_EQ(Names(selection), "fold fold fuse");
  EXPECT_EQ(SelectPasses(kSteps, selection)->bisected,
            "ran 0 of 6 passes; none but those required");
  selection.bisect_limit = 3;
  EXPECT_EQ(Names(selection), "clean fold layout fold fuse");
  EXPECT_EQ(SelectPasses(kSteps, selection)->bisected,
            "ran 3 of 6 passes; the last is layout");
  selection.bisect_limit = 9;
  EXPECT_EQ(Names(selection), Names(Level(3)));
  EXPECT_EQ(SelectPasses(kSteps, selection)->bisected,
            "ran 6 of 6 passes; the last is fuse");
  EXPECT_EQ(SelectPasses(kSteps, PassSelection())->bisected, "");
}

}  // namespace
}  // namespace assay::graph

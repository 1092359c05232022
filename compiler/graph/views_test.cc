#include "compiler/graph/views.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// `%1 in %3 at 0, %2 in %3 at 64`, in the graph's order.
std::string Find(absl::string_view text) {
  const std::unique_ptr<Graph> graph = GraphFromText(text);
  const Views views = FindViews(*graph, 64);
  std::vector<std::string> found;
  for (Node* node : graph->Nodes()) {
    const auto it = views.parts.find({node});
    if (it == views.parts.end()) continue;
    found.push_back(absl::StrCat("%", node->id(), " in %",
                                 it->second.whole.node->id(), " at ",
                                 it->second.offset));
  }
  return absl::StrJoin(found, ", ");
}

std::string Nodes(absl::string_view nodes) {
  return absl::StrCat("graph g(%x: float32[1,16,3,3]) -> (%9) {\n", nodes,
                      "\n}");
}

constexpr char kTwo[] =
    "%1: float32[1,16,3,3] = relu(%x)\n"
    "%2: float32[1,16,3,3] = exp(%x)\n";

TEST(ViewsTest, OperandsOfConcatAreViewsOfItsResult) {
  EXPECT_EQ(Find(Nodes(
                absl::StrCat(kTwo,
                             "%3: float32[1,32,3,3] = concat(%1, %2) {axis=1}\n"
                             "%9: float32[1,32,3,3] = relu(%3)"))),
            "%1 in %3 at 0, %2 in %3 at 576");
}

TEST(ViewsTest, NoViewsIfJoinedAxisIsInner) {
  EXPECT_EQ(Find(Nodes(
                absl::StrCat(kTwo,
                             "%3: float32[1,16,6,3] = concat(%1, %2) {axis=2}\n"
                             "%9: float32[1,16,6,3] = relu(%3)"))),
            "");
}

TEST(ViewsTest, NoViewsOfInputsOutputsOrRepeatedOperands) {
  EXPECT_EQ(Find(Nodes("%1: float32[1,16,3,3] = relu(%x)\n"
                       "%3: float32[1,32,3,3] = concat(%1, %x) {axis=1}\n"
                       "%9: float32[1,32,3,3] = relu(%3)")),
            "");
  EXPECT_EQ(Find(Nodes("%1: float32[1,16,3,3] = relu(%x)\n"
                       "%3: float32[1,32,3,3] = concat(%1, %1) {axis=1}\n"
                       "%9: float32[1,32,3,3] = relu(%3)")),
            "");
  EXPECT_EQ(Find(Nodes(absl::StrCat(
                kTwo, "%9: float32[1,32,3,3] = concat(%1, %2) {axis=1}"))),
            "");
  EXPECT_EQ(Find("graph g(%x: float32[1,16,3,3]) -> (%4, %1) {\n"
                 "%1: float32[1,16,3,3] = relu(%x)\n"
                 "%2: float32[1,16,3,3] = exp(%x)\n"
                 "%3: float32[1,32,3,3] = concat(%1, %2) {axis=1}\n"
                 "%4: float32[1,32,3,3] = relu(%3)\n}"),
            "");
}

// Eight channels of 3x3 are 288 bytes.
TEST(ViewsTest, NoViewsAtUnalignedOffsets) {
  EXPECT_EQ(Find("graph g(%x: float32[1,8,3,3]) -> (%9) {\n"
                 "%1: float32[1,8,3,3] = relu(%x)\n"
                 "%2: float32[1,8,3,3] = exp(%x)\n"
                 "%3: float32[1,16,3,3] = concat(%1, %2) {axis=1}\n"
                 "%4: float32[1,4,3,3] = slice(%3) {begins=[0,4,0,0], "
                 "steps=[1,1,1,1], sizes=[1,4,3,3]}\n"
                 "%9: float32[1,4,3,3] = relu(%4)\n}"),
            "");
}

// Each value has one position; the last concat is processed first.
TEST(ViewsTest, NestedConcats) {
  const std::string text =
      Nodes(absl::StrCat(kTwo,
                         "%3: float32[1,32,3,3] = concat(%1, %2) {axis=1}\n"
                         "%4: float32[1,32,3,3] = tanh(%3)\n"
                         "%5: float32[1,64,3,3] = concat(%3, %4) {axis=1}\n"
                         "%6: float32[1,48,3,3] = concat(%4, %1) {axis=1}\n"
                         "%7: float32[1,112,3,3] = concat(%6, %5) {axis=1}\n"
                         "%9: float32[1,112,3,3] = relu(%7)"));
  EXPECT_EQ(Find(text),
            "%1 in %6 at 1152, %4 in %6 at 0, %5 in %7 at 1728, "
            "%6 in %7 at 0");
}

TEST(ViewsTest, OffsetsAddUp) {
  const auto graph = GraphFromText(
      Nodes(absl::StrCat(kTwo,
                         "%3: float32[1,32,3,3] = concat(%1, %2) {axis=1}\n"
                         "%4: float32[1,32,3,3] = tanh(%3)\n"
                         "%5: float32[1,64,3,3] = concat(%4, %3) {axis=1}\n"
                         "%9: float32[1,64,3,3] = relu(%5)")));
  const Views views = FindViews(*graph, 64);
  for (Node* node : graph->Nodes()) {
    if (node->id() != 2) continue;
    const View root = views.RootOf({node});
    EXPECT_EQ(root.whole.node->id(), 5);
    EXPECT_EQ(root.offset, 1152 + 576);
  }
}

TEST(ViewsTest, SlicesAndReshapes) {
  EXPECT_EQ(Find(Nodes("%1: float32[1,16,3,3] = relu(%x)\n"
                       "%2: float32[9,16] = reshape(%1) {shape=[9,16]}\n"
                       "%3: float32[1,16] = slice(%2) {begins=[4,0], "
                       "steps=[-1,1], sizes=[1,16]}\n"
                       "%9: float32[1,16] = relu(%3)")),
            "%2 in %1 at 0, %3 in %2 at 256");
  // Slices backwards, with gaps, or of inner axes.
  for (const char* slice : {"begins=[15,0], steps=[-1,1], sizes=[16,9]",
                            "begins=[0,0], steps=[2,1], sizes=[8,9]",
                            "begins=[0,0], steps=[1,1], sizes=[16,8]"}) {
    const bool narrow = slice[std::string(slice).size() - 2] == '8';
    const std::string type = absl::StrContains(slice, "[8,9]") ? "float32[8,9]"
                             : narrow                          ? "float32[16,8]"
                                      : "float32[16,9]";
    EXPECT_EQ(Find(Nodes(absl::StrCat(
                  "%1: float32[16,9] = reshape(%x) {shape=[16,9]}\n%2: ",
                  "float32[16,9] = relu(%1)\n%3: ", type, " = slice(%2) {",
                  slice, "}\n%9: ", type, " = relu(%3)"))),
              "")
        << slice;
  }
}

TEST(ViewsTest, UnpackingOnePixelIsAView) {
  EXPECT_EQ(Find("graph g(%x: float32[1,16,1,1]@blocks(8)) -> (%9) {\n"
                 "%1: float32[1,16,1,1]@blocks(8) = relu(%x)\n"
                 "%2: float32[1,16,1,1] = encode(%1)\n"
                 "%9: float32[1,16,1,1] = exp(%2)\n}"),
            "%2 in %1 at 0");
}

}  // namespace
}  // namespace assay::graph

#include "compiler/schedule/steps.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace assay::schedule {
namespace {

TEST(StepsTest, RoundTripsEveryPrimitive) {
  const std::string text =
      "conv.split(ow, 14) -> ow.o, ow.i\n"
      "conv.split(ow, 14, shift_inwards) -> ow.o, ow.i\n"
      "conv.split(ow, 14)\n"
      "conv.split_parts(ow, 2) -> ow.o, ow.i\n"
      "conv.split_parts(ow, 2, shift_inwards) -> ow.o, ow.i\n"
      "out.fuse(n, oc) -> n.oc.f\n"
      "out.reorder(ow.o, oc, ow.i)\n"
      "out.vectorize(ow.i)\n"
      "out.unroll(kw)\n"
      "out.parallel(n.oc.f)\n"
      "out.bind(n.oc.f, blockIdx.x)\n"
      "out.env_threads(threadIdx.x, threadIdx.y)\n"
      "out.store_predicate(threadIdx.x, 0)\n"
      "conv.prefetch(weight, ic, 2)\n"
      "conv.tensorize(oc.i, gemm_4x4x4)\n"
      "out.pragma(ow.i, auto_unroll_max_step, 16)\n"
      "conv.local.compute_at(out, ow.o)\n"
      "pad.compute_inline()\n"
      "data.cache_read(local, conv, out) -> data.local\n"
      "conv.cache_write(local) -> conv.local\n"
      "conv.rfactor(ic.o, 2) -> conv.rf\n"
      "conv.set_scope(global)\n"
      "conv.storage_align(oh, 16, 4)\n"
      "conv.double_buffer()\n"
      "conv.transform_layout(n, oc/8, oh, oc%8)\n";
  absl::StatusOr<std::vector<Step>> steps = ParseSteps(text);
  ASSERT_TRUE(steps.ok()) << steps.status();
  std::string printed;
  for (const Step& step : *steps)
    absl::StrAppend(&printed, ToString(step), "\n");
  EXPECT_EQ(printed, text);
  EXPECT_EQ(StageOf((*steps)[16]), "conv.local");
}

TEST(StepsTest, SkipsBlankAndCommentLines) {
  absl::StatusOr<std::vector<Step>> steps =
      ParseSteps("\n# tiled by hand\n  c.unroll( r )  \n");
  ASSERT_TRUE(steps.ok()) << steps.status();
  ASSERT_EQ(steps->size(), 1u);
  EXPECT_EQ(ToString((*steps)[0]), "c.unroll(r)");
}

struct BadCase {
  const char* text;
  const char* message;
};

TEST(StepsTest, ErrorsNameLineAndCause) {
  const BadCase cases[] = {
      {"\nc.split(i, x)", "schedule line 2: `x` is not a whole number"},
      {"c.split(i)", "schedule line 1: `split` takes 2 arguments, not 1"},
      {"c.transform_layout(y/x)", "`y/x` is not a dimension of a layout"},
      {"c.cache_read()", "`cache_read` takes 2 arguments, not 0"},
      {"c.split(i, 2, wrap)",
       "`wrap` is not a tail, use `guard_with_if` or `shift_inwards`"},
      {"c.split(i, 2) -> a", "`split` has 2 results, not 1"},
      {"c.split(i, 2", "a step is `stage.primitive(arguments)`"},
      {"c.split(i, 2) a, b", "`a, b` after the step, expected `-> names`"},
      {"split(i, 2)", "`split` does not name a stage and a primitive"},
      {"c.twist(i)", "`twist` is not a schedule primitive"},
      {"c.set_scope(shared)", "`shared` is not a scope"},
      {"c.unroll(i) -> j", "`unroll` has no results"},
      {"c.reorder(i, , j)", "`` is not a name"},
      {"c.unroll(i$)", "`i$` is not a name"},
  };
  for (const BadCase& c : cases) {
    absl::StatusOr<std::vector<Step>> steps = ParseSteps(c.text);
    ASSERT_FALSE(steps.ok()) << c.text;
    EXPECT_EQ(steps.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(std::string(steps.status().message()).find(c.message),
              std::string::npos)
        << c.text << " gives " << steps.status();
  }
}

}  // namespace
}  // namespace assay::schedule

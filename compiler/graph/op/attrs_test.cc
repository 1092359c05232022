#include "compiler/graph/op/attrs.h"

#include <cmath>
#include <limits>

#include "compiler/graph/digest.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(AttrsTest, OmitsOptionalFieldsWithDefaultValue) {
  Conv2dAttrs attrs;
  attrs.strides = {2, 1};
  EXPECT_EQ(AttrsToString(attrs),
            "{strides=[2,1], padding=[0,0,0,0], dilations=[1,1], groups=1}");
  attrs.pad_value = 3;
  EXPECT_EQ(AttrsToString(attrs),
            "{strides=[2,1], padding=[0,0,0,0], dilations=[1,1], groups=1, "
            "pad_value=3}");
  EXPECT_EQ(AttrsToString(NoAttrs()), "");
  EXPECT_EQ(AttrsToString(BatchNormAttrs()), "{epsilon=1e-05}");
}

TEST(AttrsTest, ParsesFields) {
  const auto attrs = ParseAttrs(OpKind::kMaxPool2d, {{"kernel", "[3,2]"},
                                                     {"strides", "[2,2]"},
                                                     {"padding", "[1,1,0,0]"},
                                                     {"ceil_mode", "true"}});
  ASSERT_TRUE(attrs.ok()) << attrs.status();
  const auto& pool = std::get<Pool2dAttrs>(*attrs);
  EXPECT_EQ(pool.kernel, (Pair{3, 2}));
  EXPECT_EQ(pool.padding, (Padding{1, 1, 0, 0}));
  EXPECT_TRUE(pool.ceil_mode);
  EXPECT_FALSE(pool.count_include_pad);
}

TEST(AttrsTest, PrintsAndParsesListsOfWordsAndFloats) {
  RecurrentAttrs given;
  given.cell = RecurrentCell::kGru;
  given.reverse = {1};
  given.functions = {Activation::kHardSigmoid, Activation::kScaledTanh};
  given.alphas = {0.2f, 1};
  const std::string text = AttrsToString(given);
  EXPECT_EQ(text,
            "{cell=gru, reverse=[1], functions=[hard_sigmoid,scaled_tanh], "
            "alphas=[0.2,1]}");
  const auto parsed = ParseAttrs(OpKind::kRecurrent,
                                 {{"cell", "gru"},
                                  {"reverse", "[1]"},
                                  {"functions", "[hard_sigmoid,scaled_tanh]"},
                                  {"alphas", "[0.2,1]"}});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(AttrsEqual(*parsed, given));
  EXPECT_TRUE(ErrorHas(
      ParseAttrs(OpKind::kRecurrent,
                 {{"cell", "gru"}, {"reverse", "[1]"}, {"functions", "[tan]"}})
          .status(),
      "`[tan]` is not a value of `functions`"));
}

TEST(AttrsTest, FieldErrorsNameTheField) {
  EXPECT_TRUE(ErrorHas(ParseAttrs(OpKind::kConcat, {}).status(),
                       "concat lacks the attribute `axis`"));
  EXPECT_TRUE(ErrorHas(ParseAttrs(OpKind::kConcat, {{"axis", "one"}}).status(),
                       "`one` is not a value of `axis` of concat"));
  EXPECT_TRUE(ErrorHas(
      ParseAttrs(OpKind::kConcat, {{"axis", "1"}, {"axes", "1"}}).status(),
      "unknown or repeated attribute `axes`"));
  EXPECT_TRUE(ErrorHas(
      ParseAttrs(OpKind::kConcat, {{"axis", "1"}, {"axis", "1"}}).status(),
      "unknown or repeated attribute `axis`"));
  EXPECT_TRUE(
      ErrorHas(ParseAttrs(OpKind::kMaxPool2d, {{"kernel", "[1,2,3]"}}).status(),
               "`[1,2,3]` is not a value of `kernel`"));
}

TEST(AttrsTest, EqualityAndHashUseEveryField) {
  Conv2dAttrs a;
  Conv2dAttrs b;
  EXPECT_TRUE(AttrsEqual(a, b));
  EXPECT_EQ(HashAttrs(a), HashAttrs(b));
  b.pad_value = 8;
  EXPECT_FALSE(AttrsEqual(a, b));
  EXPECT_NE(HashAttrs(a), HashAttrs(b));
  EXPECT_FALSE(AttrsEqual(ConcatAttrs{1}, GatherAttrs{1}));
}

TEST(AttrsTest, ConstantsAreEqualByBytes) {
  const auto constant = [](float x) {
    ConstantAttrs attrs;
    attrs.value = NDArray::FromVector<float>({2}, {x, 1});
    attrs.digest = DigestOf(attrs.value);
    return attrs;
  };
  EXPECT_TRUE(AttrsEqual(constant(2), constant(2)));
  EXPECT_FALSE(AttrsEqual(constant(0.0f), constant(-0.0f)));
}

TEST(AttrsTest, MatchesTheOperatorList) {
  EXPECT_TRUE(AttrsMatchOp(OpKind::kConv2d, Conv2dAttrs()));
  EXPECT_FALSE(AttrsMatchOp(OpKind::kConv2d, Pool2dAttrs()));
}

TEST(FloatTextTest, IsShortAndExact) {
  EXPECT_EQ(FloatToString(0.1f), "0.1");
  EXPECT_EQ(FloatToString(16777217.0f), "16777216");
  EXPECT_EQ(FloatToString(-0.0f), "-0");
  EXPECT_EQ(FloatToString(1.17549435e-38f), "1.1754944e-38");
  EXPECT_EQ(FloatToString(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(FloatToString(std::nanf("")), "nan");
}

TEST(DigestTest, DependsOnTypeShapeAndBytes) {
  const NDArray a = NDArray::FromVector<int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(DigestOf(a), DigestOf(a.Clone()));
  EXPECT_NE(DigestOf(a), DigestOf(a.Reshaped({4})));
  EXPECT_NE(DigestOf(a),
            DigestOf(NDArray::FromVector<uint32_t>({2, 2}, {1, 2, 3, 4})));
  EXPECT_NE(DigestOf(a),
            DigestOf(NDArray::FromVector<int32_t>({2, 2}, {1, 2, 4, 3})));
}

}  // namespace
}  // namespace assay::graph

// TfIdfVectorizer, compared with counts made by hand.
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

using Floats = std::vector<float>;

const std::vector<int32_t> kData = {1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8};

// The unigrams 2, 3, 5 and 4 and the bigrams 5 6, 7 8 and 6 7.
OneNode Vectorizer(const Shape& x, const std::string& mode, int64_t min,
                   int64_t max, int64_t skip) {
  return OneNode("TfIdfVectorizer", 9)
      .Data(x, onnx::TensorProto::INT32)
      .String("mode", mode)
      .Int("min_gram_length", min)
      .Int("max_gram_length", max)
      .Int("max_skip_count", skip)
      .Ints("ngram_counts", {0, 4})
      .Ints("ngram_indexes", {0, 1, 2, 3, 4, 5, 6})
      .Ints("pool_int64s", {2, 3, 5, 4, 5, 6, 7, 8, 6, 7});
}

Floats Evaluate(const OneNode& node, const Shape& shape) {
  return RunFloats(node, {NDArray::FromVector<int32_t>(shape, kData)});
}

TEST(TfIdfVectorizerTest, CountsByLengthAndSkip) {
  EXPECT_EQ(Evaluate(Vectorizer({12}, "TF", 2, 2, 0), {12}),
            (Floats{0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(Evaluate(Vectorizer({12}, "TF", 2, 2, 5), {12}),
            (Floats{0, 0, 0, 0, 1, 3, 1}));
  EXPECT_EQ(Evaluate(Vectorizer({12}, "TF", 1, 2, 5), {12}),
            (Floats{0, 3, 1, 0, 1, 3, 1}));
  EXPECT_EQ(Evaluate(Vectorizer({12}, "TF", 1, 1, 5), {12}),
            (Floats{0, 3, 1, 0, 0, 0, 0}));
}

TEST(TfIdfVectorizerTest, RowsAreCountedSeparately) {
  EXPECT_EQ(Evaluate(Vectorizer({2, 6}, "TF", 1, 2, 5), {2, 6}),
            (Floats{0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1}));
  // No n-gram of two elements fits in a row.
  EXPECT_EQ(Evaluate(Vectorizer({12, 1}, "TF", 2, 2, 5), {12, 1}),
            Floats(12 * 7, 0));
}

TEST(TfIdfVectorizerTest, ModesAndWeights) {
  const auto weighted = [](const std::string& mode) {
    OneNode node = Vectorizer({12}, mode, 1, 2, 5);
    onnx::AttributeProto& weights = *node.node().add_attribute();
    weights.set_name("weights");
    weights.set_type(onnx::AttributeProto::FLOATS);
    for (const float weight : {1, 2, 3, 4, 5, 6, 7}) weights.add_floats(weight);
    return Evaluate(node, {12});
  };
  EXPECT_EQ(weighted("TF"), (Floats{0, 3, 1, 0, 1, 3, 1}));
  EXPECT_EQ(weighted("IDF"), (Floats{0, 2, 3, 0, 5, 6, 7}));
  EXPECT_EQ(weighted("TFIDF"), (Floats{0, 6, 3, 0, 5, 18, 7}));
  EXPECT_EQ(Evaluate(Vectorizer({12}, "IDF", 1, 2, 5), {12}),
            (Floats{0, 1, 1, 0, 1, 1, 1}));
  EXPECT_EQ(Evaluate(Vectorizer({12}, "TFIDF", 1, 2, 5), {12}),
            (Floats{0, 3, 1, 0, 1, 3, 1}));
}

// The n-gram 1 2 3 occurs with elements next to each other and two apart.
TEST(TfIdfVectorizerTest, LongerNGramsAndColumns) {
  const OneNode node = OneNode("TfIdfVectorizer", 9)
                           .Data({8}, onnx::TensorProto::INT64)
                           .String("mode", "TF")
                           .Int("min_gram_length", 2)
                           .Int("max_gram_length", 3)
                           .Int("max_skip_count", 1)
                           .Ints("ngram_counts", {0, 0, 2})
                           .Ints("ngram_indexes", {3, 0})
                           .Ints("pool_int64s", {3, 1, 1, 2, 3});
  EXPECT_EQ(RunFloats(node, {NDArray::FromVector<int64_t>(
                                {8}, {1, 9, 2, 8, 3, 1, 2, 3})}),
            (Floats{2, 0, 0, 1}));
}

TEST(TfIdfVectorizerTest, Errors) {
  const std::string label = "error: node `n` (TfIdfVectorizer): ";
  const auto node = [](const std::vector<int64_t>& counts,
                       const std::vector<int64_t>& indexes,
                       const std::vector<int64_t>& pool) {
    return OneNode("TfIdfVectorizer", 9)
        .Data({4}, onnx::TensorProto::INT64)
        .String("mode", "TF")
        .Int("min_gram_length", 1)
        .Int("max_gram_length", 2)
        .Int("max_skip_count", 0)
        .Ints("ngram_counts", counts)
        .Ints("ngram_indexes", indexes)
        .Ints("pool_int64s", pool)
        .Text();
  };
  EXPECT_EQ(
      Vectorizer({12}, "BM25", 1, 2, 0).Text(),
      label + "attribute `mode` is `BM25` but TF, IDF or TFIDF is needed");
  EXPECT_EQ(Vectorizer({12}, "TF", 2, 1, 0).Text(),
            label + "attribute `max_gram_length` is missing or less than 2");
  EXPECT_EQ(Vectorizer({1, 1, 12}, "TF", 1, 2, 0).Text(),
            label +
                "input 0 is int32[1,1,12]; int32 or int64 of rank 1 or 2 is "
                "supported");
  EXPECT_EQ(node({0, 1}, {0, 1}, {5, 6, 7, 8}),
            label +
                "attribute `ngram_counts` does not divide the 4 elements of "
                "the pool into n-grams of 2");
  EXPECT_EQ(node({0, 5}, {0, 1}, {5, 6, 7, 8}),
            label +
                "attribute `ngram_counts` does not divide the 4 elements of "
                "the pool into n-grams of 1");
  EXPECT_EQ(node({0}, {0, 1}, {5, 5}),
            label + "the n-gram [5] is twice in the pool");
  EXPECT_EQ(node({0}, {0}, {5, 6}),
            label + "attribute `ngram_indexes` has 1 entries for 2 n-grams");
  EXPECT_EQ(node({0}, {0, 0}, {5, 6}),
            label + "attribute `ngram_indexes` has the entry 0 twice");
  EXPECT_EQ(node({0}, {0, -1}, {5, 6}),
            label + "attribute `ngram_indexes` has the entry -1");
  OneNode strings = Vectorizer({12}, "TF", 1, 2, 0);
  onnx::AttributeProto& pool = *strings.node().add_attribute();
  pool.set_name("pool_strings");
  pool.set_type(onnx::AttributeProto::STRINGS);
  pool.add_strings("a");
  EXPECT_EQ(strings.Text(),
            label + "attribute `pool_strings` is not supported");
}

// Weights are those of n-grams by the definition, and of columns in other
// implementations.
TEST(TfIdfVectorizerTest, RejectsAmbiguousWeights) {
  OneNode node = OneNode("TfIdfVectorizer", 9)
                     .Data({4}, onnx::TensorProto::INT64)
                     .String("mode", "IDF")
                     .Int("min_gram_length", 1)
                     .Int("max_gram_length", 1)
                     .Int("max_skip_count", 0)
                     .Ints("ngram_counts", {0})
                     .Ints("ngram_indexes", {1, 0})
                     .Ints("pool_int64s", {5, 6});
  onnx::AttributeProto& weights = *node.node().add_attribute();
  weights.set_name("weights");
  weights.set_type(onnx::AttributeProto::FLOATS);
  weights.add_floats(1);
  weights.add_floats(2);
  EXPECT_EQ(node.Text(),
            "error: node `n` (TfIdfVectorizer): attribute `weights` is "
            "supported only if entry i of `ngram_indexes` is i");
}

}  // namespace
}  // namespace assay::frontend

// TfIdfVectorizer on integers: counts how often n-grams, short lists of
// numbers, occur in each row of the data.
//
// The n-grams of one length and one distance between their elements are counted
// together. Element k of an n-gram that begins at position p is element p + k *
// distance of the row, so the elements k of all candidates are a slice of the
// data. An n-gram occurs where all its elements are equal to those slices.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;
using Ints = std::vector<int64_t>;

constexpr int64_t kMaxWidth = int64_t{1} << 40;

// The n-grams of `length` elements, one after the other.
struct Grams {
  int64_t length = 0;
  Ints elements;

  int64_t count() const {
    return static_cast<int64_t>(elements.size()) / length;
  }
};

// The attributes of TfIdfVectorizer.
struct Vocabulary {
  std::string mode;
  int64_t min_length = 0;
  int64_t max_length = 0;
  int64_t max_skip = 0;
  std::vector<Grams> pool;     // by length, from length 1
  Ints columns;                // of the result, one for each n-gram
  std::vector<float> weights;  // one for each n-gram; empty if all are 1

  // Number of columns of the result.
  int64_t width() const {
    return *std::max_element(columns.begin(), columns.end()) + 1;
  }
};

absl::StatusOr<int64_t> RequiredInt(OpImport& op, absl::string_view name,
                                    int64_t low) {
  ASSAY_ASSIGN_OR_RETURN(const auto value, op.attributes().OptionalInt(name));
  if (value.has_value() && *value >= low) return *value;
  return Malformed("attribute ", Quote(name), " is missing or less than ", low);
}

absl::StatusOr<Ints> RequiredInts(OpImport& op, absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(auto values, op.attributes().OptionalInts(name));
  if (values.has_value() && !values->empty()) return *std::move(values);
  return Malformed("attribute ", Quote(name), " is missing or empty");
}

// Divides the attribute `pool_int64s` at the positions `ngram_counts`.
absl::StatusOr<std::vector<Grams>> ReadPool(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto strings,
                         op.attributes().OptionalStrings("pool_strings"));
  if (strings.has_value()) {
    return Unsupported("attribute `pool_strings` is not supported");
  }
  ASSAY_ASSIGN_OR_RETURN(const Ints pool, RequiredInts(op, "pool_int64s"));
  ASSAY_ASSIGN_OR_RETURN(Ints begins, RequiredInts(op, "ngram_counts"));
  begins.push_back(static_cast<int64_t>(pool.size()));
  std::vector<Grams> all;
  std::set<Ints> seen;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    const int64_t begin = begins[i], end = begins[i + 1];
    Grams grams;
    grams.length = static_cast<int64_t>(i) + 1;
    if (begin < 0 || end < begin || end > begins.back() ||
        (end - begin) % grams.length != 0) {
      return Malformed("attribute `ngram_counts` does not divide the ",
                       pool.size(), " elements of the pool into n-grams of ",
                       grams.length);
    }
    grams.elements.assign(pool.begin() + begin, pool.begin() + end);
    for (int64_t g = begin; g < end; g += grams.length) {
      const Ints gram(pool.begin() + g, pool.begin() + g + grams.length);
      if (seen.insert(gram).second) continue;
      return Unsupported("the n-gram ", ShapeToString(gram),
                         " is twice in the pool");
    }
    all.push_back(std::move(grams));
  }
  return all;
}

absl::Status CheckColumns(const Vocabulary& v) {
  int64_t grams = 0;
  for (const Grams& some : v.pool) grams += some.count();
  if (static_cast<int64_t>(v.columns.size()) != grams) {
    return Malformed("attribute `ngram_indexes` has ", v.columns.size(),
                     " entries for ", grams, " n-grams");
  }
  std::set<int64_t> seen;
  for (const int64_t column : v.columns) {
    if (column < 0 || column >= kMaxWidth) {
      return Malformed("attribute `ngram_indexes` has the entry ", column);
    }
    if (!seen.insert(column).second) {
      return Unsupported("attribute `ngram_indexes` has the entry ", column,
                         " twice");
    }
  }
  return absl::OkStatus();
}

// By the definition, weight i belongs to n-gram i. Implementations apply it to
// column i. Both are the same if n-gram i is counted in column i.
absl::Status CheckWeights(const Vocabulary& v) {
  if (v.mode == "TF" || v.weights.empty()) return absl::OkStatus();
  if (v.weights.size() != v.columns.size()) {
    return Malformed("attribute `weights` has ", v.weights.size(),
                     " entries for ", v.columns.size(), " n-grams");
  }
  for (size_t i = 0; i < v.columns.size(); ++i) {
    if (v.columns[i] == static_cast<int64_t>(i)) continue;
    return Unsupported(
        "attribute `weights` is supported only if entry i of `ngram_indexes` "
        "is i");
  }
  return absl::OkStatus();
}

absl::StatusOr<Vocabulary> ReadVocabulary(OpImport& op) {
  Vocabulary v;
  ASSAY_ASSIGN_OR_RETURN(v.mode, op.attributes().String("mode", ""));
  if (v.mode != "TF" && v.mode != "IDF" && v.mode != "TFIDF") {
    return Malformed("attribute `mode` is ", Quote(v.mode),
                     " but TF, IDF or TFIDF is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(v.min_length, RequiredInt(op, "min_gram_length", 1));
  ASSAY_ASSIGN_OR_RETURN(v.max_length,
                         RequiredInt(op, "max_gram_length", v.min_length));
  ASSAY_ASSIGN_OR_RETURN(v.max_skip, RequiredInt(op, "max_skip_count", 0));
  ASSAY_ASSIGN_OR_RETURN(v.pool, ReadPool(op));
  ASSAY_ASSIGN_OR_RETURN(v.columns, RequiredInts(op, "ngram_indexes"));
  ASSAY_ASSIGN_OR_RETURN(const auto weights,
                         op.attributes().OptionalFloats("weights"));
  if (weights.has_value()) v.weights = *weights;
  ASSAY_RETURN_IF_ERROR(CheckColumns(v));
  ASSAY_RETURN_IF_ERROR(CheckWeights(v));
  return v;
}

// Counts the n-grams whose elements have the distance `distance` in x [rows,n],
// where at least one fits: float32 [rows,grams]. The counts are exact, because
// a row has fewer than 2^24 elements.
Value CountAt(Compose& c, Value x, const Grams& grams, int64_t distance) {
  if (!c.status().ok()) return x;
  const int64_t rows = x.type().shape[0];
  const int64_t positions = x.type().shape[1] - (grams.length - 1) * distance;
  Value found;
  for (int64_t k = 0; k < grams.length; ++k) {
    Ints column;
    for (int64_t g = 0; g < grams.count(); ++g) {
      column.push_back(
          grams.elements[static_cast<size_t>(g * grams.length + k)]);
    }
    const Value slice = c.Slice(x, /*axis=*/1, k * distance, positions);
    const Value equal =
        c.Binary(OpKind::kEqual, c.Reshape(slice, {rows, 1, positions}),
                 c.Ints64({grams.count(), 1}, column));
    found = k == 0 ? equal : c.Binary(OpKind::kBitwiseAnd, found, equal);
  }
  const Value counts = c.Sum(c.Cast(found, DType::Float32()), {2});
  return c.Reshape(counts, {rows, grams.count()});
}

// Returns the number of distances at which n-grams of `length` elements are
// counted in rows of n elements. N-grams of one element have no distance and
// are counted once.
int64_t NumDistances(const Vocabulary& v, int64_t length, int64_t n) {
  if (length < v.min_length || length > v.max_length || length > n) return 0;
  if (length == 1) return 1;
  const int64_t fitting = (n - 1) / (length - 1);
  return v.max_skip < fitting ? v.max_skip + 1 : fitting;
}

// Returns the counts of all n-grams in x [rows,n] and a column of zeros:
// float32 [rows,grams + 1].
Value CountAll(Compose& c, Value x, const Vocabulary& v) {
  const TensorType type = x.type();
  const auto zeros = [&](int64_t columns) {
    return c.Node(OpKind::kBroadcastTo,
                  graph::ReshapeAttrs{{type.shape[0], columns}},
                  {c.Scalar(DType::Float32(), 0)});
  };
  std::vector<Value> parts;
  for (const Grams& grams : v.pool) {
    if (grams.count() == 0) continue;
    const int64_t distances = NumDistances(v, grams.length, type.shape[1]);
    Value sum = distances == 0 ? zeros(grams.count()) : Value();
    for (int64_t distance = 1; distance <= distances; ++distance) {
      const Value counts = CountAt(c, x, grams, distance);
      sum = distance == 1 ? counts : c.Add(sum, counts);
    }
    parts.push_back(sum);
  }
  parts.push_back(zeros(1));
  return c.Concat(parts, /*axis=*/1);
}

// Returns the counts in the order of the columns of the result. `counts` has a
// column of zeros behind those of the n-grams.
Value Arranged(Compose& c, Value counts, const Vocabulary& v) {
  Ints from(static_cast<size_t>(v.width()),
            static_cast<int64_t>(v.columns.size()));
  for (size_t i = 0; i < v.columns.size(); ++i) {
    from[static_cast<size_t>(v.columns[i])] = static_cast<int64_t>(i);
  }
  return c.Node(OpKind::kGather, graph::GatherAttrs{1},
                {counts, c.Ints64({v.width()}, from)});
}

// Applies the mode: TF gives the counts, IDF the weights of the n-grams that
// occur, and TFIDF the counts times the weights.
Value Weighted(Compose& c, OpImport& op, Value counts, const Vocabulary& v) {
  if (v.mode == "TF") return counts;
  if (v.mode == "IDF") {
    counts = c.Binary(OpKind::kMinimum, counts, c.Scalar(DType::Float32(), 1));
  }
  if (v.weights.empty()) return counts;
  return c.Multiply(counts, op.AddConstant(NDArray::FromVector<float>(
                                {v.width()}, v.weights)));
}

// Returns an error if the nodes or the result are too many or too large.
absl::Status CheckSizes(const OpImport& op, const Vocabulary& v, int64_t rows,
                        int64_t n) {
  if (n >= 1 << 24) {
    return Unsupported("rows of ", n, " elements are not supported");
  }
  int64_t slices = 0;
  for (const Grams& grams : v.pool) {
    if (grams.count() == 0) continue;
    slices += grams.length * NumDistances(v, grams.length, n);
    ASSAY_RETURN_IF_ERROR(CheckUnrolled(slices, "elements of n-grams"));
  }
  // The result, and the indices of its columns.
  ASSAY_RETURN_IF_ERROR(
      CheckSize({DType::Int64(), {v.width()}}, op.max_bytes()));
  return CheckSize({DType::Float32(), {rows, v.width()}}, op.max_bytes());
}

absl::Status ImportTfIdfVectorizer(OpImport& op) {
  const TensorType type = op.InputType(0);
  const bool is_integer =
      type.dtype == DType::Int32() || type.dtype == DType::Int64();
  if (!is_integer || type.rank() < 1 || type.rank() > 2) {
    return Unsupported("input 0 is ", type.ToString(),
                       "; int32 or int64 of rank 1 or 2 is supported");
  }
  ASSAY_ASSIGN_OR_RETURN(const Vocabulary v, ReadVocabulary(op));
  const int64_t rows = type.rank() == 2 ? type.shape[0] : 1;
  const int64_t n = type.shape.back();
  ASSAY_RETURN_IF_ERROR(CheckSizes(op, v, rows, n));
  Compose c(op);
  const Value x = c.Cast(c.Reshape(op.Input(0), {rows, n}), DType::Int64());
  if (!c.status().ok()) return c.status();
  const Value counts = Arranged(c, CountAll(c, x, v), v);
  Shape shape = type.shape;
  shape.back() = v.width();
  return c.Finish({c.Reshape(Weighted(c, op, counts, v), shape)});
}

constexpr OperatorRow kOperators[] = {
    {"TfIdfVectorizer", 9, 9, 1, 1, 1, ImportTfIdfVectorizer},
};

}  // namespace

absl::Span<const OperatorRow> TextOperators() { return kOperators; }

}  // namespace assay::frontend

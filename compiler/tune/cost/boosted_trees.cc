#include "compiler/tune/cost/boosted_trees.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "xgboost/c_api.h"

namespace assay::tune {
namespace {

// CHECK-fails if a function of XGBoost has failed. It cannot fail for valid
// arguments.
void Succeed(int result) { CHECK(result == 0) << XGBGetLastError(); }

// The rows as a matrix of XGBoost.
class Matrix {
 public:
  Matrix(const FeatureRows& rows, absl::Span<const float> labels) {
    Succeed(XGDMatrixCreateFromMat(
        rows.values().data(), rows.size(), rows.columns(),
        std::numeric_limits<float>::quiet_NaN(), &handle_));
    Succeed(
        XGDMatrixSetFloatInfo(handle_, "label", labels.data(), labels.size()));
  }
  ~Matrix() { XGDMatrixFree(handle_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  DMatrixHandle handle() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

// The description of an array in NumPy's array interface.
std::string ArrayInterface(const FeatureRows& rows) {
  return absl::StrCat(R"({"version":3,"typestr":"<f4","data":[)",
                      reinterpret_cast<uintptr_t>(rows.values().data()),
                      R"(,true],"shape":[)", rows.size(), ",", rows.columns(),
                      "]}");
}

constexpr char kPrediction[] =
    R"({"type":0,"training":false,"iteration_begin":0,"iteration_end":0,)"
    R"("strict_shape":false,"missing":NaN,"cache_id":0})";

}  // namespace

BoostedTrees::BoostedTrees(const FeatureRows& rows,
                           absl::Span<const float> labels,
                           const TreeOptions& options)
    : columns_(rows.columns()) {
  CHECK(rows.size() > 0 && labels.size() == rows.size()) << labels.size();
  const Matrix matrix(rows, labels);
  const DMatrixHandle handle = matrix.handle();
  Succeed(XGBoosterCreate(&handle, 1, &booster_));
  const auto set = [&](const char* name, const std::string& value) {
    Succeed(XGBoosterSetParam(booster_, name, value.c_str()));
  };
  set("verbosity", "0");
  set("nthread", "1");
  set("objective", "reg:squarederror");
  set("tree_method", "approx");
  set("max_depth", absl::StrCat(options.depth));
  set("learning_rate", absl::StrCat(options.learning_rate));
  for (int i = 0; i < options.trees; ++i) {
    Succeed(XGBoosterUpdateOneIter(booster_, i, handle));
  }
}

BoostedTrees::~BoostedTrees() { XGBoosterFree(booster_); }

std::vector<float> BoostedTrees::Predict(const FeatureRows& rows) const {
  CHECK(rows.columns() == columns_) << rows.columns();
  if (rows.size() == 0) return {};
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* predicted = nullptr;  // belongs to the booster
  Succeed(XGBoosterPredictFromDense(booster_, ArrayInterface(rows).c_str(),
                                    kPrediction, /*m=*/nullptr, &shape,
                                    &dimensions, &predicted));
  CHECK(dimensions == 1 && shape[0] == rows.size());
  return {predicted, predicted + rows.size()};
}

}  // namespace assay::tune

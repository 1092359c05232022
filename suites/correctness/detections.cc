#include "suites/correctness/detections.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::suites {
namespace {

using Detection = std::tuple<int64_t, int64_t, int64_t>;  // image, class, box

bool IsDetections(const NDArray& array) {
  return array.dtype() == DType::Int64() && array.shape().size() == 2 &&
         array.shape()[1] == 3;
}

std::vector<Detection> Rows(const NDArray& array) {
  const auto values = array.data<int64_t>();
  std::vector<Detection> rows;
  for (size_t i = 0; i + 2 < values.size(); i += 3) {
    rows.emplace_back(values[i], values[i + 1], values[i + 2]);
  }
  return rows;
}

int64_t CountDifferent(std::vector<Detection> a, std::vector<Detection> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<Detection> either;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(either));
  return static_cast<int64_t>(either.size());
}

class Checker {
 public:
  Checker(const NDArray& boxes, const NDArray& scores,
          const SuppressionRule& rule, double tie)
      : boxes_(boxes), scores_(scores), rule_(rule), tie_(tie) {}

  std::string Check(const std::vector<Detection>& detections) {
    const Shape& shape = scores_.shape();
    std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> chosen;
    for (const auto& [image, cls, box] : detections) {
      if (image < 0 || image >= shape[0] || cls < 0 || cls >= shape[1] ||
          box < 0 || box >= shape[2]) {
        return absl::StrCat("image ", image, ", class ", cls, ", box ", box,
                            " does not exist");
      }
      chosen[{image, cls}].push_back(box);
    }
    for (int64_t image = 0; image < shape[0]; ++image) {
      for (int64_t cls = 0; cls < shape[1]; ++cls) {
        std::string problem = CheckClass(image, cls, chosen[{image, cls}]);
        if (!problem.empty()) {
          return absl::StrCat("image ", image, ", class ", cls, ": ", problem);
        }
      }
    }
    return "";
  }

 private:
  double Score(int64_t image, int64_t cls, int64_t box) const {
    const Shape& shape = scores_.shape();
    return scores_.data<float>()[(image * shape[1] + cls) * shape[2] + box];
  }

  double Overlap(int64_t image, int64_t a, int64_t b) const {
    double inside = 1;
    double area_a = 1;
    double area_b = 1;
    for (const int64_t axis : {0, 1}) {
      const auto [a_low, a_high] = Side(image, a, axis);
      const auto [b_low, b_high] = Side(image, b, axis);
      inside *=
          std::max(0.0, std::min(a_high, b_high) - std::max(a_low, b_low));
      area_a *= a_high - a_low;
      area_b *= b_high - b_low;
    }
    const double together = area_a + area_b - inside;
    return together > 0 ? inside / together : 0;
  }

  std::pair<double, double> Side(int64_t image, int64_t box,
                                 int64_t axis) const {
    const auto values = boxes_.data<float>();
    const int64_t at = (image * boxes_.shape()[1] + box) * 4 + axis;
    const double a = values[at];
    const double b = values[at + 2];
    return {std::min(a, b), std::max(a, b)};
  }

  std::string CheckClass(int64_t image, int64_t cls,
                         const std::vector<int64_t>& chosen) const {
    if (static_cast<int64_t>(chosen.size()) > rule_.boxes_per_class) {
      return absl::StrCat(chosen.size(), " boxes are more than there may be");
    }
    for (size_t i = 0; i < chosen.size(); ++i) {
      const double score = Score(image, cls, chosen[i]);
      if (score <= rule_.score - tie_) {
        return absl::StrCat("box ", chosen[i], " has a score of only ", score);
      }
      if (i > 0 && score > Score(image, cls, chosen[i - 1]) + tie_) {
        return absl::StrCat("box ", chosen[i], " comes too late");
      }
      for (size_t j = 0; j < i; ++j) {
        if (Overlap(image, chosen[i], chosen[j]) > rule_.overlap + tie_) {
          return absl::StrCat("boxes ", chosen[j], " and ", chosen[i],
                              " overlap");
        }
      }
    }
    return CheckLeftOut(image, cls, chosen);
  }

  std::string CheckLeftOut(int64_t image, int64_t cls,
                           const std::vector<int64_t>& chosen) const {
    const std::set<int64_t> in(chosen.begin(), chosen.end());
    if (in.size() != chosen.size()) return "a box was chosen twice";
    const bool full =
        static_cast<int64_t>(chosen.size()) == rule_.boxes_per_class;
    for (int64_t box = 0; box < scores_.shape()[2]; ++box) {
      const double score = Score(image, cls, box);
      if (score <= rule_.score + tie_ || in.count(box) > 0) continue;
      if (full && score <= Score(image, cls, chosen.back()) + tie_) continue;
      const bool suppressed =
          std::any_of(chosen.begin(), chosen.end(), [&](int64_t other) {
            return Score(image, cls, other) >= score - tie_ &&
                   Overlap(image, box, other) > rule_.overlap - tie_;
          });
      if (!suppressed) {
        return absl::StrCat("box ", box, " with a score of ", score,
                            " is missing");
      }
    }
    return "";
  }

  const NDArray& boxes_;
  const NDArray& scores_;
  const SuppressionRule& rule_;
  const double tie_;
};

}  // namespace

DetectionCheck CheckDetections(const NDArray& detections,
                               const NDArray& reference, const NDArray& boxes,
                               const NDArray& scores,
                               const SuppressionRule& rule, double tie) {
  if (!IsDetections(detections) || !IsDetections(reference)) {
    return {"detections are not int64 of three columns", 0};
  }
  if (BitwiseEqual(detections, reference)) return {};
  DetectionCheck check;
  check.problem = Checker(boxes, scores, rule, tie).Check(Rows(detections));
  check.different = CountDifferent(Rows(detections), Rows(reference));
  return check;
}

}  // namespace assay::suites

#include "tests/operators/tensor_text.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"

namespace assay {

NDArray TensorFromText(absl::string_view text) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  CHECK(!words.empty()) << "no type";
  const size_t bracket = words[0].find('[');
  CHECK(bracket != absl::string_view::npos && words[0].back() == ']') << text;
  const absl::StatusOr<DType> dtype = DType::Parse(words[0].substr(0, bracket));
  CHECK(dtype.ok()) << dtype.status();
  Shape shape;
  const absl::string_view extents =
      words[0].substr(bracket + 1, words[0].size() - bracket - 2);
  for (const absl::string_view extent :
       absl::StrSplit(extents, ',', absl::SkipEmpty())) {
    int64_t value = 0;
    CHECK(absl::SimpleAtoi(extent, &value)) << text;
    shape.push_back(value);
  }
  NDArray tensor(*dtype, shape);
  CHECK_EQ(tensor.num_elements(), static_cast<int64_t>(words.size()) - 1)
      << text;
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    const absl::string_view word = words[static_cast<size_t>(i) + 1];
    if (dtype->is_float()) {
      const std::string number(word);
      char* end = nullptr;
      StoreFloat(tensor, i, std::strtod(number.c_str(), &end));
      CHECK(*end == '\0') << word << " in " << text;
    } else if (dtype->is_uint()) {
      uint64_t value = 0;
      CHECK(absl::SimpleAtoi(word, &value)) << word << " in " << text;
      StoreInt(tensor, i, static_cast<int64_t>(value));
    } else {
      int64_t value = 0;
      CHECK(absl::SimpleAtoi(word, &value)) << word << " in " << text;
      StoreInt(tensor, i, value);
    }
  }
  return tensor;
}

std::string TensorText(const NDArray& tensor) {
  std::string text =
      absl::StrCat(tensor.dtype().ToString(), ShapeToString(tensor.shape()));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    if (tensor.dtype().is_float()) {
      const double value = LoadFloat(tensor, i);
      if (std::isnan(value)) {
        absl::StrAppend(&text, " nan");
      } else {
        // As many digits as tell all numbers of the type apart.
        const int digits = tensor.dtype().bits() == 64   ? 17
                           : tensor.dtype().bits() == 32 ? 9
                                                         : 5;
        absl::StrAppendFormat(&text, " %.*g", digits, value);
      }
    } else if (tensor.dtype().is_uint()) {
      absl::StrAppend(&text, " ", static_cast<uint64_t>(LoadInt(tensor, i)));
    } else {
      absl::StrAppend(&text, " ", LoadInt(tensor, i));
    }
  }
  return text;
}

}  // namespace assay

// Variant: how a program was compiled, apart from what all rows of a run have
// in common. Rows of a model that differ only in their variants are measured
// in alternation and compared with each other.
//
// The dimensions of a variant are the rows of a table, from which the columns
// of reports, baselines and stores, the members of results.json and the names
// of cells are made. To add a dimension, add a member of Variant, a row of
// kDimensions, a flag (suites/harness/flags/matrix_flags.h), and the code that
// passes the value to the compiler (suites/harness/compiler/driver_compiler.h).
// Files that were written before a dimension was added can still be read. Their
// rows get its default value.
#ifndef ASSAY_REPORTS_RESULT_VARIANT_H_
#define ASSAY_REPORTS_RESULT_VARIANT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/result/equal_fields.h"

namespace assay::reports {

// The type in which a program computes.
enum class Precision : uint8_t {
  kAsInModel,  // the types of the model
};

struct Variant {
  // True if operators were fused.
  bool fusion = true;
  // True if the log of the tuner (compiler/docs/tuning.md) determined how
  // kernels were compiled, false if the cost model did.
  bool tuned = false;
  Precision precision = Precision::kAsInModel;

  auto Fields() const { return std::tie(fusion, tuned, precision); }
};

inline bool operator<(const Variant& a, const Variant& b) {
  return a.Fields() < b.Fields();
}

struct Dimension {
  const char* name;  // of the flag, the column and the JSON member
  // The names of the values, by number.
  std::array<const char*, 2> values;
  size_t size;  // number of values
  int (*get)(const Variant&);
  void (*set)(Variant&, int);
  // The text before the value in the names of cells; may be empty.
  const char* prefix;
  // True if names of cells and benchmarks state the default value, too. It is
  // false for dimensions that were added later, so that the names of cells with
  // the default value are the same as in older files.
  bool states_default;

  absl::Span<const char* const> Names() const {
    return absl::MakeSpan(values).first(size);
  }
  const char* NameOf(const Variant& variant) const {
    return values[static_cast<size_t>(get(variant))];
  }
  bool IsDefault(const Variant& variant) const {
    return get(variant) == get(Variant());
  }
  bool IsStated(const Variant& variant) const {
    return states_default || !IsDefault(variant);
  }
  // Returns false, without effect, if there is no value of this name.
  bool Set(absl::string_view value_name, Variant* variant) const {
    for (size_t i = 0; i < size; ++i) {
      if (value_name != values[i]) continue;
      set(*variant, static_cast<int>(i));
      return true;
    }
    return false;
  }
  // Returns true if the values are `off` and `on`, which JSON has as booleans.
  bool IsSwitch() const { return absl::string_view(values[0]) == "off"; }
};

// All dimensions, in the order of the columns.
inline constexpr std::array<Dimension, 3> kDimensions = {{
    {"fusion",
     {"off", "on"},
     2,
     [](const Variant& v) { return static_cast<int>(v.fusion); },
     [](Variant& v, int value) { v.fusion = value != 0; },
     "fusion",
     true},
    {"tuning",
     {"none", "tuned"},
     2,
     [](const Variant& v) { return static_cast<int>(v.tuned); },
     [](Variant& v, int value) { v.tuned = value != 0; },
     "",
     false},
    {"precision",
     {"as_in_model"},
     1,
     [](const Variant& v) { return static_cast<int>(v.precision); },
     [](Variant& v, int value) { v.precision = static_cast<Precision>(value); },
     "precision",
     false},
}};

inline constexpr const Dimension& kPrecision = kDimensions[2];

// A dimension with a single value says nothing, so reports omit it.
constexpr bool IsReported(const Dimension& dimension) {
  return dimension.size > 1;
}

// Returns a part of a sentence: `fusion on`, or `fusion on, tuned`.
std::string VariantText(const Variant& variant);

// Returns a part of a name: `fusion_on`, or, for a tuned variant and the
// separator `/`, `fusion_on/tuned`.
std::string VariantName(const Variant& variant, char separator);

// Returns the name and the value of each dimension for which IsStated() is
// true, for example ` fusion=on tuning=tuned` if `before` is ` ` and `between`
// is `=`.
std::string VariantTags(const Variant& variant, absl::string_view before,
                        absl::string_view between);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_VARIANT_H_

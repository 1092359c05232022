#include "compiler/graph/op/attrs.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <type_traits>

#include "absl/hash/hash.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/attrs/field_text.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using graph::ReadValue;
using graph::ValueText;

template <typename T>
constexpr bool kHasFields =
    !std::is_same_v<T, ConstantAttrs> && !std::is_same_v<T, KernelAttrs>;

template <typename T, typename F>
void ForEachField(F&& f) {
  T::Fields()(f);
}

std::string ValueText(float v) { return FloatToString(v); }

// The words of the enumerations, in the order of their values.
constexpr const char* kReductions[] = {"none", "add", "multiply", "maximum",
                                       "minimum"};
constexpr const char* kCells[] = {"rnn", "gru", "lstm"};
constexpr const char* kActivations[] = {
    "sigmoid",         "tanh", "relu",         "softsign", "softplus",
    "leaky_relu",      "elu",  "hard_sigmoid", "affine",   "scaled_tanh",
    "thresholded_relu"};
std::string ValueText(ScatterReduction v) {
  return kReductions[static_cast<int>(v)];
}
std::string ValueText(RecurrentCell v) { return kCells[static_cast<int>(v)]; }
std::string ValueText(Activation v) {
  return kActivations[static_cast<int>(v)];
}
template <typename List>
std::string ListText(const List& v) {
  return absl::StrCat("[",
                      absl::StrJoin(v, ",",
                                    [](std::string* out, const auto& element) {
                                      absl::StrAppend(out, ValueText(element));
                                    }),
                      "]");
}
template <typename T>
std::string ValueText(const std::vector<T>& v) {
  return ListText(v);
}
template <size_t N>
std::string ValueText(const std::array<int64_t, N>& v) {
  return ListText(v);
}

bool ReadValue(absl::string_view text, float* out) {
  return absl::SimpleAtof(text, out);
}
template <typename Enum, size_t N>
bool ReadWord(absl::string_view text, const char* const (&words)[N],
              Enum* out) {
  const auto* const end = std::end(words);
  const auto* const found = std::find(std::begin(words), end, text);
  if (found == end) return false;
  *out = static_cast<Enum>(found - std::begin(words));
  return true;
}
bool ReadValue(absl::string_view text, ScatterReduction* out) {
  return ReadWord(text, kReductions, out);
}
bool ReadValue(absl::string_view text, RecurrentCell* out) {
  return ReadWord(text, kCells, out);
}
bool ReadValue(absl::string_view text, Activation* out) {
  return ReadWord(text, kActivations, out);
}
template <typename T>
bool ReadValue(absl::string_view text, std::vector<T>* out) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return false;
  }
  text = text.substr(1, text.size() - 2);
  out->clear();
  if (text.empty()) return true;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    T value{};
    if (!ReadValue(part, &value)) return false;
    out->push_back(value);
  }
  return true;
}
template <size_t N>
bool ReadValue(absl::string_view text, std::array<int64_t, N>* out) {
  std::vector<int64_t> values;
  if (!ReadValue(text, &values) || values.size() != N) return false;
  std::copy(values.begin(), values.end(), out->begin());
  return true;
}

// A value that Abseil can hash; equal for equal values.
template <typename T>
const T& Hashable(const T& value) {
  return value;
}
std::string Hashable(DType value) { return value.ToString(); }

template <typename T>
absl::StatusOr<Attrs> ParseStruct(OpKind kind,
                                  absl::Span<const FieldText> fields) {
  T result;
  std::vector<bool> used(fields.size(), false);
  absl::Status error;
  ForEachField<T>([&](const auto& field) {
    bool found = false;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].first != field.name || found) continue;
      found = true;
      used[i] = true;
      if (!ReadValue(fields[i].second, &(result.*field.member))) {
        error.Update(absl::InvalidArgumentError(
            absl::StrCat("`", fields[i].second, "` is not a value of `",
                         field.name, "` of ", OpName(kind))));
      }
    }
    if (!found && !field.optional) {
      error.Update(absl::InvalidArgumentError(absl::StrCat(
          OpName(kind), " lacks the attribute `", field.name, "`")));
    }
  });
  ASSAY_RETURN_IF_ERROR(error);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (used[i]) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(OpName(kind), " has an unknown or repeated attribute `",
                     fields[i].first, "`"));
  }
  return Attrs(std::move(result));
}

template <typename T>
struct TypeTag {
  using Type = T;
};

// Calls f(TypeTag<attribute struct of kind>()).
template <typename F>
auto DispatchOnStruct(OpKind kind, F&& f) {
  switch (kind) {
#define ASSAY_GRAPH_ATTRS_CASE(kind, name, pattern, attrs, rule) \
  case OpKind::kind:                                             \
    return f(TypeTag<attrs>());
    ASSAY_FOR_EACH_GRAPH_OP(ASSAY_GRAPH_ATTRS_CASE)
#undef ASSAY_GRAPH_ATTRS_CASE
  }
  CHECK(false) << "operator " << static_cast<int>(kind);
  return f(TypeTag<NoAttrs>());
}

}  // namespace

bool AttrsMatchOp(OpKind kind, const Attrs& attrs) {
  return DispatchOnStruct(kind, [&](auto tag) {
    return std::holds_alternative<typename decltype(tag)::Type>(attrs);
  });
}

bool AttrsEqual(const Attrs& a, const Attrs& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        const T& y = std::get<T>(b);
        if constexpr (std::is_same_v<T, ConstantAttrs>) {
          return x.digest == y.digest && BitwiseEqual(x.value, y.value);
        } else if constexpr (std::is_same_v<T, KernelAttrs>) {
          return x.body == y.body;
        } else {
          bool equal = true;
          ForEachField<T>([&](const auto& field) {
            equal = equal && x.*field.member == y.*field.member;
          });
          return equal;
        }
      },
      a);
}

uint64_t HashAttrs(const Attrs& attrs) {
  return std::visit(
      [&](const auto& x) -> uint64_t {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, ConstantAttrs>) {
          return x.digest;
        } else if constexpr (std::is_same_v<T, KernelAttrs>) {
          return absl::HashOf(x.body.get());
        } else {
          uint64_t hash = attrs.index();
          ForEachField<T>([&](const auto& field) {
            hash = absl::HashOf(hash, Hashable(x.*field.member));
          });
          return hash;
        }
      },
      attrs);
}

std::string AttrsToString(const Attrs& attrs) {
  return std::visit(
      [](const auto& x) -> std::string {
        using T = std::decay_t<decltype(x)>;
        std::vector<std::string> parts;
        if constexpr (kHasFields<T>) {
          const T defaults;
          ForEachField<T>([&](const auto& field) {
            const auto& value = x.*field.member;
            if (field.optional && value == defaults.*field.member) return;
            parts.push_back(absl::StrCat(field.name, "=", ValueText(value)));
          });
        } else {
          CHECK(false) << "this struct has no field list";
        }
        if (parts.empty()) return "";
        return absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
      },
      attrs);
}

absl::StatusOr<Attrs> ParseAttrs(OpKind kind,
                                 absl::Span<const FieldText> fields) {
  return DispatchOnStruct(kind, [&](auto tag) -> absl::StatusOr<Attrs> {
    using T = typename decltype(tag)::Type;
    if constexpr (kHasFields<T>) {
      return ParseStruct<T>(kind, fields);
    } else {
      CHECK(false) << kind << " has no field list";
      return Attrs();
    }
  });
}

std::string FloatToString(float value) {
  char text[32];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    float back = 0;
    if (absl::SimpleAtof(text, &back) && back == value) break;
  }
  return text;
}

}  // namespace assay::graph

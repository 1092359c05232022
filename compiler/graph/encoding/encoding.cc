#include "compiler/graph/encoding/encoding.h"

#include <type_traits>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/graph/attrs/field_text.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

template <typename T>
int64_t NumFields() {
  int64_t count = 0;
  T::Fields()([&](const auto&) { ++count; });
  return count;
}

// Sets the field of an encoding that `text`, NAME=VALUE or, for an only field,
// VALUE, sets. Returns false if there is none or the value does not fit.
template <typename T>
bool SetField(absl::string_view text, T* encoding) {
  bool set = false;
  T::Fields()([&](const auto& field) {
    absl::string_view value = text;
    const bool named = absl::ConsumePrefix(&value, field.name) &&
                       absl::ConsumePrefix(&value, "=");
    if (!named && NumFields<T>() > 1) return;
    set |= ReadValue(named ? value : text, &(encoding->*field.member));
  });
  return set;
}

// Sets `encoding` if it has this name and these fields.
template <typename T>
bool Read(absl::string_view name, const std::vector<absl::string_view>& fields,
          Encoding* encoding) {
  if (name != T::kName) return false;
  T result;
  for (const absl::string_view field : fields) {
    if (!SetField(field, &result)) return false;
  }
  *encoding = result;
  return true;
}

template <typename... Ts>
bool ReadOneOf(const std::variant<Ts...>&, absl::string_view name,
               const std::vector<absl::string_view>& fields,
               Encoding* encoding) {
  return (Read<Ts>(name, fields, encoding) || ...);
}

}  // namespace

bool operator==(const Encoding& a, const Encoding& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        const T& y = std::get<T>(b);
        bool equal = true;
        T::Fields()([&](const auto& field) {
          equal &= x.*field.member == y.*field.member;
        });
        return equal;
      },
      a);
}

uint64_t HashOf(const Encoding& encoding) {
  return absl::HashOf(encoding.index(), ToString(encoding));
}

std::string ToString(const Encoding& encoding) {
  return std::visit(
      [](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        const T defaults;
        std::vector<std::string> fields;
        T::Fields()([&](const auto& field) {
          const auto& value = x.*field.member;
          if (field.optional && value == defaults.*field.member) return;
          const std::string text = ValueText(value);
          fields.push_back(
              NumFields<T>() == 1 ? text : absl::StrCat(field.name, "=", text));
        });
        return absl::StrCat(T::kName, "(", absl::StrJoin(fields, ","), ")");
      },
      encoding);
}

absl::StatusOr<Encoding> ParseEncoding(absl::string_view text) {
  const size_t open = text.find('(');
  Encoding encoding;
  if (open != absl::string_view::npos && text.back() == ')') {
    const std::vector<absl::string_view> fields = absl::StrSplit(
        text.substr(open + 1, text.size() - open - 2), ',', absl::SkipEmpty());
    if (ReadOneOf(Encoding(), text.substr(0, open), fields, &encoding)) {
      return encoding;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", text, "` is not an encoding"));
}

absl::StatusOr<std::vector<EncodingStep>> StepsOf(const Encoding& encoding,
                                                  const ArrayType& plain) {
  return std::visit([&](const auto& x) { return x.Steps(plain); }, encoding);
}

absl::StatusOr<ArrayType> StoredType(const Encoding& encoding,
                                     const ArrayType& plain) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<EncodingStep> steps,
                         StepsOf(encoding, plain));
  ArrayType type = plain;
  for (const EncodingStep& step : steps) {
    type = TypeAfter(step, type);
    ASSAY_RETURN_IF_ERROR(CheckedNumElements(type.shape).status());
  }
  return type;
}

}  // namespace assay::graph

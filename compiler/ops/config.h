// Config: one point of a configuration space. It is the argument of a schedule
// template and the content of a tuning record.
//
// A Config is a list of named entries in the order of their definition. Its
// text form is:
//
//   tile_ow=[-1,7] unroll_kw=1
//
// Each entry has one of two kinds:
//
// - split: the extents of the parts of an axis, outermost first. The outermost
//   extent is written as -1; it follows from the extent of the axis.
// - knob: an integer.
//
// Tuning records use the JSON form: a list of [name, letters, value]. The
// letters are `sp` for a split, and `ot` for a knob:
//
//   [["tile_ow","sp",[-1,7]],["unroll_kw","ot",1]]
//
// Both forms can be parsed. A Config does not refer to a configuration space.
// ConfigSpace::IndexOf checks whether a Config is a point of a space.
#ifndef ASSAY_COMPILER_OPS_CONFIG_H_
#define ASSAY_COMPILER_OPS_CONFIG_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::ops {

struct SplitEntity {
  std::vector<int64_t> sizes;  // -1, then factors of at least 1
};

struct KnobEntity {
  int64_t value = 0;
};

using Entity = std::variant<SplitEntity, KnobEntity>;

bool operator==(const Entity& a, const Entity& b);
inline bool operator!=(const Entity& a, const Entity& b) { return !(a == b); }

// Returns the text form, such as `[-1,7]` or `1`.
std::string ToString(const Entity& entity);
// Returns the letters of the entity's kind: `sp` or `ot`.
absl::string_view KindLetters(const Entity& entity);

class Config {
 public:
  using Entry = std::pair<std::string, Entity>;

  // Parse() parses the text form, and FromJson() parses the JSON form. If the
  // input is invalid, they return InvalidArgument with a message that quotes
  // the invalid part. Names must match [A-Za-z_][A-Za-z0-9_]* and must be
  // unique.
  static absl::StatusOr<Config> Parse(absl::string_view text);
  static absl::StatusOr<Config> FromJson(absl::string_view json);

  std::string ToString() const;
  std::string ToJson() const;

  // Replaces the entry called `name`, or appends it if there is none. Returns
  // *this.
  Config& Set(absl::string_view name, Entity entity);
  Config& SetSplit(absl::string_view name, std::vector<int64_t> sizes);
  Config& SetKnob(absl::string_view name, int64_t value);

  // Returns the entry called `name`, or nullptr if there is none.
  const Entity* Find(absl::string_view name) const;
  const std::vector<Entry>& entries() const { return entries_; }

  // Return the value of the entry called `name`. CHECK-fail if there is no such
  // entry or if its kind is different. Only schedule templates should call
  // these functions, because the Config of a template is always a point of the
  // template's space.
  const std::vector<int64_t>& Split(absl::string_view name) const;
  int64_t Knob(absl::string_view name) const;

  // Returns true if both have equal entries in the same order.
  friend bool operator==(const Config& a, const Config& b) {
    return a.entries_ == b.entries_;
  }
  friend bool operator!=(const Config& a, const Config& b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& os, const Config& c) {
    return os << c.ToString();
  }

 private:
  const Entity& Get(absl::string_view name) const;

  std::vector<Entry> entries_;
};

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONFIG_H_

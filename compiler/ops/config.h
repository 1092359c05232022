// Config: one point of a configuration space: the argument of a schedule
// template and the content of a tuning record.
//
//   tile_ow=[-1,7] order=(0,2,1) inner=<unroll,none,vec> unroll_kw=1
//
// An entry is a split (the extents of the parts of an axis, outermost first;
// the outermost is always -1, which stands for the rest), a reorder (position p
// of the result holds axis order[p]), an annotate (the kind of each loop) or a
// knob (a number). Entries keep the order of their definition. Tuning records
// use the JSON form, one [name, letters, value] per entry, where the letters
// are `sp`, `re`, `an` or `ot`:
//
//   [["tile_ow","sp",[-1,7]],["unroll_kw","ot",1]]
//
// Both forms can be parsed. A Config is independent of a space; config_space.h
// checks that it is a point of one.
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

enum class Annotation : uint8_t { kNone, kUnroll, kVectorize };

struct SplitEntity {
  std::vector<int64_t> sizes;  // -1, then factors of at least 1
};

struct ReorderEntity {
  std::vector<int64_t> order;  // a permutation of 0 … n-1
};

struct AnnotateEntity {
  std::vector<Annotation> annotations;  // at most one kVectorize
};

struct KnobEntity {
  int64_t value = 0;
};

using Entity =
    std::variant<SplitEntity, ReorderEntity, AnnotateEntity, KnobEntity>;

bool operator==(const Entity& a, const Entity& b);
inline bool operator!=(const Entity& a, const Entity& b) { return !(a == b); }

// `[-1,7]`, `(0,2,1)`, `<unroll,none,vec>` or `1`.
std::string ToString(const Entity& entity);
// `sp`, `re`, `an` or `ot`.
absl::string_view KindLetters(const Entity& entity);

class Config {
 public:
  using Entry = std::pair<std::string, Entity>;

  // The error quotes the invalid entry. Names are [A-Za-z_][A-Za-z0-9_]*.
  static absl::StatusOr<Config> Parse(absl::string_view text);
  static absl::StatusOr<Config> FromJson(absl::string_view json);

  std::string ToString() const;
  std::string ToJson() const;

  // Adds the entry, or replaces the one with that name.
  Config& Set(absl::string_view name, Entity entity);
  Config& SetSplit(absl::string_view name, std::vector<int64_t> sizes);
  Config& SetKnob(absl::string_view name, int64_t value);

  // nullptr if there is none.
  const Entity* Find(absl::string_view name) const;
  const std::vector<Entry>& entries() const { return entries_; }

  // For templates. CHECK-fails unless the entry exists and has that kind: a
  // template is only called with a point of its own space.
  const std::vector<int64_t>& Split(absl::string_view name) const;
  const std::vector<int64_t>& Order(absl::string_view name) const;
  const std::vector<Annotation>& Annotations(absl::string_view name) const;
  int64_t Knob(absl::string_view name) const;

  // Same entries in the same order.
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

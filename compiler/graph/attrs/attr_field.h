// Field: one entry of the Fields() list of an attribute struct
// (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_ATTR_FIELD_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_ATTR_FIELD_H_

#include <array>
#include <cstdint>

namespace assay::graph {

template <typename Struct, typename T>
struct Field {
  const char* name;
  T Struct::* member;
  // If true, the field is printed only if its value is not the default value.
  bool optional;
};

template <typename Struct, typename T>
constexpr Field<Struct, T> Required(const char* name, T Struct::* member) {
  return {name, member, false};
}
template <typename Struct, typename T>
constexpr Field<Struct, T> Optional(const char* name, T Struct::* member) {
  return {name, member, true};
}

// Returns a function that applies its argument to all fields. It is compiled
// faster than a tuple, and hundreds of sources include the attributes.
template <typename... Fields>
constexpr auto FieldList(Fields... fields) {
  return [=](const auto& apply) { (apply(fields), ...); };
}

using Pair = std::array<int64_t, 2>;
// The numbers of padding elements at the top, left, bottom and right, in this
// order.
using Padding = std::array<int64_t, 4>;

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_ATTR_FIELD_H_

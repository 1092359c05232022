// Recipes for operands and attributes with which a node of an operator is
// likely to be valid. The importer decides whether it is; recipes only make
// fuzzing efficient.
#ifndef ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_
#define ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_

#include "absl/strings/string_view.h"

namespace assay::fuzz {

struct OperatorRecipe {
  const char* op_type;
  // One letter per operand; operands after `?` are optional. See Operand() in
  // generate_model.cc for the letters.
  const char* operands;
  // Space-separated `name:kind`; `name!:kind` is a required attribute. See
  // AddAttribute() in generate_model.cc for the kinds.
  const char* attributes;
};

// Returns the recipe of an operator. Operators without a row in the table take
// values of one type and have no attributes. Returns null for If, Loop and
// Scan, which have subgraphs.
const OperatorRecipe* FindRecipe(absl::string_view op_type, int min_inputs);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_

// Recipes for fuzzing: a recipe describes operands and attributes with which a
// node of an operator is likely to be valid. The importer decides whether the
// node is valid; recipes only make fuzzing efficient.
#ifndef ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_
#define ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_

#include "absl/strings/string_view.h"

namespace assay::fuzz {

struct OperatorRecipe {
  const char* op_type;
  // One letter per operand; operands after `?` are optional. The letters are
  // explained in Operand() in generate_model.cc.
  const char* operands;
  // The attributes, separated by spaces: `name:kind` for an optional attribute,
  // `name!:kind` for a required attribute. AddAttribute() in generate_model.cc
  // implements the kinds.
  const char* attributes;
};

// Returns the recipe of an operator. If the table has no row for the operator,
// returns a recipe without attributes and with `min_inputs` operands (at most
// three) of one type. Returns null for operators with subgraphs, sequences or
// optional values.
const OperatorRecipe* FindRecipe(absl::string_view op_type, int min_inputs);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_

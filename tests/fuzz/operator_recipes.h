// What operands and attributes an operator can be given so that a node of it
// has a fair chance to be valid. The importer is the judge of that; a recipe
// only keeps a fuzzer from guessing for too long.
#ifndef ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_
#define ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_

#include "absl/strings/string_view.h"

namespace assay::fuzz {

struct OperatorRecipe {
  const char* op_type;
  // A letter for each operand; operands after `?` may be left out. See
  // generate_model.cc for the letters.
  const char* operands;
  // `name:kind` with spaces between them; `name!:kind` is always given.
  const char* attributes;
};

// Operators without a row of their own take values of one type and have no
// attributes; null for If, Loop and Scan, which have bodies.
const OperatorRecipe* FindRecipe(absl::string_view op_type, int min_inputs);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_OPERATOR_RECIPES_H_

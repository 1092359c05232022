#include "compiler/tir/passes/pass_testing.h"

#include "compiler/tir/parser.h"
#include "compiler/tir/printer.h"
#include "gtest/gtest.h"

namespace assay::tir {

std::string RunPass(Stmt (*pass)(const Stmt&), absl::string_view before) {
  absl::StatusOr<Function> f = ParseFunction(before);
  if (!f.ok()) {
    ADD_FAILURE() << f.status();
    return "";
  }
  f->body = pass(f->body);
  return ToString(*f);
}

}  // namespace assay::tir

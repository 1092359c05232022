#include "compiler/codegen/llvm/fatal_error.h"

#include "llvm/Support/ErrorHandling.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

void OnFatalError(void* /*user_data*/, const char* reason,
                  bool /*gen_crash_diag*/) {
  CHECK(false) << "LLVM cannot generate code: " << reason;
}

bool InstallOnce() {
  llvm::install_fatal_error_handler(OnFatalError);
  return true;
}

}  // namespace

void HandleFatalErrors() {
  [[maybe_unused]] static const bool installed = InstallOnce();
}

}  // namespace assay::codegen

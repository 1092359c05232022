#include "compiler/codegen/llvm/fatal_error.h"

#include "absl/strings/str_cat.h"
#include "llvm/Support/ErrorHandling.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

// Description of the scope of this thread; empty if there is none.
thread_local std::string compiling;

void OnFatalError(void* /*user_data*/, const char* reason,
                  bool /*gen_crash_diag*/) {
  CHECK(false) << "LLVM cannot compile "
               << (compiling.empty() ? "code outside of kernels" : compiling)
               << ": " << reason;
}

bool InstallOnce() {
  llvm::install_fatal_error_handler(OnFatalError);
  return true;
}

}  // namespace

FatalErrorScope::FatalErrorScope(const std::string& kernel,
                                 const target::Target& target) {
  [[maybe_unused]] static const bool installed = InstallOnce();
  compiling =
      absl::StrCat("kernel `", kernel, "` for `", target.ToString(), "`");
}

FatalErrorScope::~FatalErrorScope() { compiling.clear(); }

}  // namespace assay::codegen

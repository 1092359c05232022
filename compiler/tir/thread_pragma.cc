#include "compiler/tir/thread_pragma.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace assay::tir {
namespace {

constexpr const char* kRoles[] = {"bind_", "env_", "store_"};

}  // namespace

std::string ThreadPragma(ThreadRole role, absl::string_view thread) {
  // Keys are identifiers.
  return absl::StrCat(kRoles[static_cast<int>(role)],
                      absl::StrReplaceAll(thread, {{".", "_"}}));
}

std::string ThreadOfPragma(absl::string_view key) {
  for (const char* role : kRoles) {
    if (absl::ConsumePrefix(&key, role)) {
      return absl::StrReplaceAll(key, {{"_", "."}});
    }
  }
  return "";
}

}  // namespace assay::tir

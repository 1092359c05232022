#include "runtime/base/check_context.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/exit_code.h"

namespace assay {
namespace {

using check_internal::ContextEntry;

thread_local const ContextEntry* innermost = nullptr;

// True if a check has failed in any thread.
std::atomic<bool> any_failed{false};
// True if the first check that failed is one of this thread.
thread_local bool is_first = false;

void Print(const std::string& line) {
  std::fputs(absl::StrCat(line, "\n").c_str(), stderr);
  std::fflush(stderr);
}

[[noreturn]] void EndProcess() {
#ifdef ASSAY_FUZZER  // .bazelrc
  std::abort();
#else
  _exit(static_cast<int>(ExitCode::kInfrastructure));
#endif
}

void PrintContext() {
  for (const ContextEntry* e = innermost; e != nullptr; e = e->outer) {
    if (e->what.empty()) continue;
    const std::string name =
        e->compute_name ? e->compute_name() : std::string(e->name);
    Print(absl::StrCat("  ", e->what, " `", name, "`"));
  }
}

void CallHooks(const std::string& failure) {
  for (const ContextEntry* e = innermost; e != nullptr; e = e->outer) {
    if (!e->hook) continue;
    const std::string text = e->hook(failure);
    if (text.empty()) continue;
    Print(absl::StrCat("  ", text));
    return;
  }
}

}  // namespace

namespace check_internal {

ScopedEntry::ScopedEntry(ContextEntry entry) : entry_(std::move(entry)) {
  entry_.outer = innermost;
  innermost = &entry_;
}

ScopedEntry::~ScopedEntry() { innermost = entry_.outer; }

void FailCheck(const std::string& failure) {
  Print(failure);
  if (is_first) EndProcess();
  if (any_failed.exchange(true)) {
    // Another thread is about to end the process.
    while (true) pause();
  }
  is_first = true;
  PrintContext();
  CallHooks(failure);
  EndProcess();
}

}  // namespace check_internal

ScopedCheckContext::ScopedCheckContext(absl::string_view what,
                                       absl::string_view name)
    : entry_(ContextEntry{what, name, nullptr, nullptr, nullptr}) {}

ScopedCheckContext::ScopedCheckContext(absl::string_view what,
                                       std::function<std::string()> name)
    : entry_(ContextEntry{what, "", std::move(name), nullptr, nullptr}) {}

OnCheckFailure::OnCheckFailure(
    std::function<std::string(absl::string_view failure)> hook)
    : entry_(ContextEntry{"", "", nullptr, std::move(hook), nullptr}) {}

CheckContext CheckContext::OfThisThread() { return CheckContext(innermost); }

InheritedCheckContext::InheritedCheckContext(const CheckContext& context)
    : replaced_(CheckContext::OfThisThread()) {
  innermost = context.innermost_;
}

InheritedCheckContext::~InheritedCheckContext() {
  innermost = replaced_.innermost_;
}

}  // namespace assay

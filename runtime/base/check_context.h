// The context of a thread: what a failing CHECK (check.h) reports about the
// work of its thread, and what it does before it ends the process.
//
//   const ScopedCheckContext kernel("while lowering kernel", name);
//   const ScopedCheckContext place("for target",
//                                  [&] { return target.ToString(); });
//   const OnCheckFailure hook(
//       [&](absl::string_view failure) { return Save(graph, failure); });
//
// A failing check
//   1. prints its own line;
//   2. prints a line such as "  while lowering kernel `k001_conv2d`" for each
//      ScopedCheckContext of its thread, the innermost first;
//   3. calls the functions of the OnCheckFailure objects of its thread, the
//      innermost first, until one of them returns a text, and prints this text;
//   4. ends the process with ExitCode::kInfrastructure (exit_code.h), without a
//      signal, exit handlers or destructors. Fuzzers (--config=fuzz) call
//      abort() instead, because libFuzzer does not notice _exit().
// Everything is printed to standard error.
//
// If several threads fail a check, only the first of them does more than step
// 1; the others wait for the end of the process. If another check fails in the
// first thread during step 2 or 3, it prints its line and ends the process.
//
// The objects are cheap: names are computed only when a check fails.
#ifndef ASSAY_RUNTIME_BASE_CHECK_CONTEXT_H_
#define ASSAY_RUNTIME_BASE_CHECK_CONTEXT_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {
namespace check_internal {

// An entry of the context of a thread. It has either a `what` or a `hook`.
struct ContextEntry {
  absl::string_view what;
  absl::string_view name;
  std::function<std::string()> compute_name;  // replaces `name` if it is set
  std::function<std::string(absl::string_view failure)> hook;
  const ContextEntry* outer = nullptr;
};

// Adds `entry` to the context of this thread while the object exists.
class ScopedEntry {
 public:
  explicit ScopedEntry(ContextEntry entry);
  ~ScopedEntry();
  ScopedEntry(const ScopedEntry&) = delete;
  ScopedEntry& operator=(const ScopedEntry&) = delete;

 private:
  ContextEntry entry_;
};

// Does what a failing check does. `failure` is the line of the check.
[[noreturn]] void FailCheck(const std::string& failure);

}  // namespace check_internal

// Adds a line to the message of a check that fails in this thread.
class ScopedCheckContext {
 public:
  // Both strings must outlive the object.
  ScopedCheckContext(absl::string_view what, absl::string_view name);
  // `name` is called when a check fails.
  ScopedCheckContext(absl::string_view what, std::function<std::string()> name);

 private:
  const check_internal::ScopedEntry entry_;
};

// Calls a function if a check fails in this thread, for example to write a
// reproducer. The argument is the line of the check. The function may return an
// empty string if it has nothing to say.
class OnCheckFailure {
 public:
  explicit OnCheckFailure(
      std::function<std::string(absl::string_view failure)> hook);

 private:
  const check_internal::ScopedEntry entry_;
};

// The context of a thread at one time, for threads that work on its behalf:
//
//   const CheckContext context = CheckContext::OfThisThread();
//   std::thread helper([&] {
//     const InheritedCheckContext inherited(context);
//     …
//   });
//
// The objects of the context must outlive the InheritedCheckContext. A function
// of OnCheckFailure may then be called on the other thread.
class CheckContext {
 public:
  static CheckContext OfThisThread();

 private:
  friend class InheritedCheckContext;
  explicit CheckContext(const check_internal::ContextEntry* innermost)
      : innermost_(innermost) {}

  const check_internal::ContextEntry* innermost_;
};

// Replaces the context of this thread while the object exists.
class InheritedCheckContext {
 public:
  explicit InheritedCheckContext(const CheckContext& context);
  ~InheritedCheckContext();
  InheritedCheckContext(const InheritedCheckContext&) = delete;
  InheritedCheckContext& operator=(const InheritedCheckContext&) = delete;

 private:
  const CheckContext replaced_;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_CHECK_CONTEXT_H_

// CHECK: asserts an invariant that only a bug in this program can violate.
//
//   CHECK(node->users().empty()) << node->name();
//   CHECK_EQ(a.size(), b.size());
//
// A failing check prints `file:line: check failed: expression message` and the
// context of its thread (check_context.h) to standard error, and ends the
// process with exit code 5 (exit_code.h). Checks are enabled in all build
// modes. Do not use CHECK for errors that a file, a flag, another process or a
// device can cause; return absl::Status instead.
#ifndef ASSAY_RUNTIME_BASE_CHECK_H_
#define ASSAY_RUNTIME_BASE_CHECK_H_

#include <sstream>

namespace assay::check_internal {

// Collects the message; the destructor prints it and ends the process.
class FatalMessage {
 public:
  FatalMessage(const char* file, int line, const char* condition);
  [[noreturn]] ~FatalMessage();
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

// Gives both branches of the conditional in CHECK the type void.
struct Voidify {
  void operator&(std::ostream&) const {}
};

}  // namespace assay::check_internal

#define CHECK(condition)                                              \
  (__builtin_expect(static_cast<bool>(condition), 1))                 \
      ? (void)0                                                       \
      : ::assay::check_internal::Voidify() &                          \
            ::assay::check_internal::FatalMessage(__FILE__, __LINE__, \
                                                  #condition)         \
                .stream()

#define ASSAY_CHECK_OP_(a, op, b) \
  CHECK((a)op(b)) << " (" << (a) << " against " << (b) << ") "

#define CHECK_EQ(a, b) ASSAY_CHECK_OP_(a, ==, b)
#define CHECK_NE(a, b) ASSAY_CHECK_OP_(a, !=, b)
#define CHECK_LT(a, b) ASSAY_CHECK_OP_(a, <, b)
#define CHECK_LE(a, b) ASSAY_CHECK_OP_(a, <=, b)
#define CHECK_GT(a, b) ASSAY_CHECK_OP_(a, >, b)
#define CHECK_GE(a, b) ASSAY_CHECK_OP_(a, >=, b)

#endif  // ASSAY_RUNTIME_BASE_CHECK_H_

#include "runtime/base/check.h"

#include "runtime/base/check_context.h"

namespace assay::check_internal {

FatalMessage::FatalMessage(const char* file, int line, const char* condition) {
  stream_ << file << ":" << line << ": check failed: " << condition << " ";
}

FatalMessage::~FatalMessage() { FailCheck(stream_.str()); }

}  // namespace assay::check_internal

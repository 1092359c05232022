#include "runtime/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace assay::check_internal {

FatalMessage::FatalMessage(const char* file, int line, const char* condition) {
  stream_ << file << ":" << line << ": check failed: " << condition << " ";
}

FatalMessage::~FatalMessage() {
  const std::string text = stream_.str() + "\n";
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace assay::check_internal

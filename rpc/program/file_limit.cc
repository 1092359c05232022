#include "rpc/program/file_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace assay::rpc {
namespace {

constexpr rlim_t kEnough = 65'536;
// The usual limit, if the system does not say what the limit is.
constexpr rlim_t kUsual = 1'024;

}  // namespace

int RaiseFileLimit() {
  rlimit limit = {kUsual, kUsual};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    rlimit raised = limit;
    raised.rlim_cur =
        std::max(limit.rlim_cur, std::min(limit.rlim_max, kEnough));
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return static_cast<int>(
      std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int>::max()));
}

}  // namespace assay::rpc

// Compiles long chains of all pairs of operators, each in a process of its own,
// and reports those whose time per operator grows with the length of the chain,
// and those that need much memory or stack, fail or crash.
//
//   ./bazelw run //compiler/driver/chains:chains_nightly
//
// The processor time of the process is measured, so that other programs disturb
// the result little. Each line has the time per operator of the short and of
// the long chain in milliseconds, their ratio, and the peak memory of the long
// one.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/testing/chains.h"
#include "runtime/base/check.h"

namespace assay::driver {
namespace {

using graph::ChainStep;
using graph::Graph;

constexpr int kShort = 100, kLong = 1000;
constexpr double kMaxRatio = 2;
constexpr int64_t kMaxBytes = int64_t{1} << 30;
// An eighth of the usual size: the depth of recursions is bounded.
constexpr rlim_t kStackBytes = 1 << 20;

using MakeChain = std::function<std::unique_ptr<Graph>(int operators)>;

struct Usage {
  double ms_per_operator = 0;
  int64_t bytes = 0;
  bool ok = false;
};

[[noreturn]] void CompileInChild(const MakeChain& make, int operators) {
  const auto target =
      ResolveTarget("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
  CHECK(target.ok()) << target.status();
  const auto artifact = Compile(*make(operators), *target);
  if (!artifact.ok()) {
    std::fprintf(stderr, "%s\n", artifact.status().ToString().c_str());
  }
  _exit(artifact.ok() ? 0 : 1);
}

Usage Measure(const MakeChain& make, int operators) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) CompileInChild(make, operators);
  int status = 0;
  rusage usage = {};
  CHECK(wait4(child, &status, 0, &usage) == child);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) +
           1e-6 * static_cast<double>(t.tv_usec);
  };
  return {1e3 * (seconds(usage.ru_utime) + seconds(usage.ru_stime)) / operators,
          int64_t{usage.ru_maxrss} * 1024,
          WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

// Prints a line and returns true if the chain is compiled as it should be.
bool Check(const std::string& name, const MakeChain& make) {
  const Usage few = Measure(make, kShort), many = Measure(make, kLong);
  const double ratio = many.ms_per_operator / few.ms_per_operator;
  const char* verdict = !few.ok || !many.ok      ? "FAILED"
                        : ratio > kMaxRatio      ? "SLOW"
                        : many.bytes > kMaxBytes ? "LARGE"
                                                 : "ok";
  std::printf("%-28s %8.2f %8.2f %6.2f %5lld MB  %s\n", name.c_str(),
              few.ms_per_operator, many.ms_per_operator, ratio,
              static_cast<long long>(many.bytes >> 20), verdict);
  std::fflush(stdout);
  return std::string(verdict) == "ok";
}

int Main(const std::string& only) {
  // Applies to this process only after it is executed again.
  rlimit stack = {};
  CHECK(getrlimit(RLIMIT_STACK, &stack) == 0);
  if (stack.rlim_cur > kStackBytes || stack.rlim_cur == RLIM_INFINITY) {
    stack.rlim_cur = kStackBytes;
    CHECK(setrlimit(RLIMIT_STACK, &stack) == 0);
    execl("/proc/self/exe", "chains_nightly", only.c_str(), nullptr);
    CHECK(false) << "cannot execute this program again";
  }
  int bad = 0, count = 0;
  const auto check = [&](const std::string& name, const MakeChain& make) {
    if (name.find(only) == std::string::npos) return;
    ++count;
    bad += Check(name, make) ? 0 : 1;
  };
  for (const ChainStep& a : graph::ChainSteps()) {
    for (const ChainStep& b : graph::ChainSteps()) {
      check(absl::StrCat(a.name, "+", b.name), [&](int operators) {
        return graph::AlternatingChain(a, b, operators);
      });
    }
  }
  for (const bool collect : {false, true}) {
    check(collect ? "gathers+concat" : "gathers", [&](int operators) {
      return graph::GatherChain(operators, collect);
    });
  }
  std::printf("%d of %d chains are not compiled as they should be\n", bad,
              count);
  return bad == 0 && count > 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::driver

// The argument selects the chains whose names contain it.
int main(int argc, char** argv) {
  return assay::driver::Main(argc > 1 ? argv[1] : "");
}

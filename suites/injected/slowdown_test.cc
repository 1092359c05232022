// Tests the table of slow-downs against the real networks: the flags are valid,
// and the machine code of the right kernels changes. Times are not measured.
#include "suites/injected/slowdown.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/driver/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "suites/harness/compiler/catalog_source.h"
#include "suites/harness/flags/options.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::KernelCall;
using ::testing::Contains;

std::vector<std::string> Words(const std::string& text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

// Compiles the network for an x86-64 processor with AVX-512, whatever this
// machine is, as the suite does with these flags.
absl::StatusOr<Artifact> CompileSuite(const std::string& suite,
                                      const std::string& flags, int threads) {
  std::vector<std::string> words = Words(suite + " " + flags);
  SuiteFlags suite_flags;
  suite_flags.name = words[0];
  suite_flags.variants = VariantsOf(words[0]);
  suite_flags.takes_size = true;
  words.erase(words.begin());
  const auto options = ParseOptions(suite_flags, words, "/");
  if (!options.ok()) return options.status();
  const std::vector<ModelSource> sources = ModelsOf(suite_flags.name, *options);
  EXPECT_EQ(sources.size(), 1u) << suite;
  const auto model = sources[0].load();
  if (!model.ok()) return model.status();
  const auto target = driver::ResolveTarget(
      absl::StrCat("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 "
                   "-num-cores=",
                   threads));
  if (!target.ok()) return target.status();
  return driver::Compile(*model->graph, *target, options->compile);
}

// The artifact without a slow-down, compiled once.
const Artifact& Base(const std::string& suite, int threads) {
  using Key = std::pair<std::string, int>;
  static auto* const bases = new std::map<Key, Artifact>;
  const Key key = {suite, threads};
  if (bases->count(key) == 0) {
    bases->emplace(key, CompileSuite(suite, "", threads).value());
  }
  return bases->at(key);
}

bool ComputesAnyOf(const std::vector<std::string>& nodes,
                   const KernelCall& call) {
  return absl::c_any_of(call.sources, [&nodes](const std::string& source) {
    return absl::c_linear_search(nodes, source);
  });
}

TEST(SlowdownTest, AllAreDifferentAndOfAKnownKind) {
  std::set<std::string> different;
  for (const Slowdown& slowdown : Slowdowns()) {
    EXPECT_THAT(SlowdownKinds(), Contains(slowdown.kind));
    different.insert(slowdown.suite + " " + slowdown.flags);
  }
  EXPECT_EQ(different.size(), Slowdowns().size());
}

TEST(SlowdownTest, ChangesTheCodeOfTheRightKernels) {
  for (const Slowdown& slowdown : Slowdowns()) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(
          absl::StrCat(slowdown.suite, " ", slowdown.flags, " on ", threads));
      const Artifact& base = Base(slowdown.suite, threads);
      const auto run = CompileSuite(slowdown.suite, slowdown.flags, threads);
      ASSERT_TRUE(run.ok()) << run.status();
      EXPECT_NE(runtime::Digest(*run), runtime::Digest(base));
      if (slowdown.nodes.empty()) continue;
      const std::vector<std::string> nodes = Words(slowdown.nodes);
      ASSERT_EQ(run->calls.size(), base.calls.size());
      size_t changed = 0;
      for (size_t i = 0; i < base.calls.size(); ++i) {
        const bool differs =
            run->calls[i].code_digest != base.calls[i].code_digest;
        EXPECT_EQ(differs, ComputesAnyOf(nodes, base.calls[i]))
            << base.calls[i].symbol;
        changed += differs ? 1 : 0;
      }
      EXPECT_EQ(changed, nodes.size());
    }
  }
}

}  // namespace
}  // namespace assay::suites

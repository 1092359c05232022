// InputDigests: tells which commits can change what is built.
//
// The inputs of a target at a commit are
//   - the rules that it depends on, with all their attributes, after macros and
//     patterns of file names were expanded;
//   - the files that these rules read, and the .bzl files that define them;
//   - the files that determine compilers and libraries (IsToolFile).
// If the inputs of two commits are equal, the build of one is that of the
// other. The reverse does not hold: a comment in a source file is a change,
// too.
//
// Bazel's query gives the rules and the names of the files, and git the content
// of the files. A query takes some seconds, so it is made only for a commit
// that changes a BUILD or .bzl file of the last query, a tool file, or the
// names of the files in a package of the last query.
//
// Alternatives of `select` all count as inputs, even those of other machines.
#ifndef ASSAY_CI_BISECT_COMMITS_BUILD_INPUTS_H_
#define ASSAY_CI_BISECT_COMMITS_BUILD_INPUTS_H_

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ci/bisect/commits/repository.h"

namespace assay::ci {

// The build of a commit, except for the content of files.
struct BuildGraph {
  // Paths of the files that rules read, and of the .bzl files.
  std::set<std::string> files;
  // Paths of the BUILD and .bzl files.
  std::set<std::string> definitions;
  // The rules as text, without line numbers.
  std::string rules;
};

// Parses what `bazel query --output=xml 'deps(T) + buildfiles(deps(T))'`
// prints. Labels of other repositories are ignored, because tool files
// determine these.
absl::StatusOr<BuildGraph> ParseQuery(absl::string_view xml);

// Returns true for a file that determines compilers, flags or external
// libraries.
bool IsToolFile(absl::string_view path);

// Digests in hexadecimal digits.
struct InputDigest {
  // The digest of all inputs.
  std::string all;
  // The digest of the files of the compiler and the runtime, and of the tool
  // files. If it stays the same, generated code most likely does, too.
  std::string code;
  // The same without the runtime. If it stays the same, kernels most likely do,
  // too.
  std::string kernels;
};

class InputDigests {
 public:
  // Makes the query at a commit.
  using Query =
      std::function<absl::StatusOr<BuildGraph>(const std::string& commit)>;

  InputDigests(const Repository& repository, Query query)
      : repository_(repository), query_(std::move(query)) {}

  // Returns the digests of the inputs at the commit. Calls
  // in the order of the commits need the fewest queries. If the query fails,
  // the commit is probably broken: the digest is then that of all its files.
  absl::StatusOr<InputDigest> DigestOf(const std::string& commit);

  int queries() const { return queries_; }

 private:
  bool IsValidFor(const Files& files) const;

  const Repository& repository_;
  const Query query_;
  int queries_ = 0;
  // The last query, and the files of its commit.
  std::optional<BuildGraph> graph_;
  Files files_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_COMMITS_BUILD_INPUTS_H_

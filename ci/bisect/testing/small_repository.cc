#include "ci/bisect/testing/small_repository.h"

#include <sys/stat.h>

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "runtime/base/check.h"
#include "runtime/process/subprocess.h"

namespace assay::ci {
namespace {

TempDir NewFolder() {
  auto folder = TempDir::Create("repository");
  CHECK(folder.ok()) << folder.status();
  return *std::move(folder);
}

}  // namespace

SmallRepository::SmallRepository() : folder_(NewFolder()) {
  Git({"init", "--quiet", "--initial-branch=main"});
}

std::string SmallRepository::Git(
    const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {
      "/usr/bin/env", "git",
      "-C",           folder(),
      "-c",           "user.name=Ada",
      "-c",           "user.email=ada@example.org",
      "-c",           "commit.gpgsign=false"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = runtime::RunProcess(command, runtime::ProcessOptions());
  CHECK(result.ok()) << result.status();
  CHECK(result->ok()) << result->err;
  return std::string(absl::StripAsciiWhitespace(result->out));
}

std::string SmallRepository::Commit(
    const std::map<std::string, std::string>& files,
    const std::string& subject) {
  for (const auto& [path, content] : files) {
    const std::string full = JoinPath(folder(), path);
    CHECK(MakeDirs(full.substr(0, full.rfind('/'))).ok());
    CHECK(WriteFileAtomic(full, content).ok());
    if (absl::StartsWith(content, "#!")) {
      CHECK_EQ(chmod(full.c_str(), 0755), 0) << full;
    }
  }
  Git({"add", "--all"});
  Git({"commit", "--quiet", "--allow-empty", "--message", subject});
  return Git({"rev-parse", "HEAD"});
}

std::string SmallRepository::Merge(
    const std::map<std::string, std::string>& files,
    const std::string& subject) {
  Git({"checkout", "--quiet", "-b", "side"});
  Commit(files, "on the branch");
  Git({"checkout", "--quiet", "main"});
  Git({"merge", "--quiet", "--no-ff", "--message", subject, "side"});
  Git({"branch", "--quiet", "--delete", "side"});
  return Git({"rev-parse", "HEAD"});
}

}  // namespace assay::ci

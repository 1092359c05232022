// SmallRepository: a git repository in a temporary folder, for tests.
#ifndef ASSAY_CI_BISECT_TESTING_SMALL_REPOSITORY_H_
#define ASSAY_CI_BISECT_TESTING_SMALL_REPOSITORY_H_

#include <map>
#include <string>
#include <vector>

#include "runtime/base/file.h"

namespace assay::ci {

class SmallRepository {
 public:
  // CHECK-fails if git does not work.
  SmallRepository();

  std::string folder() const { return folder_.path(); }

  // Writes the files, whose values are their contents, and commits them. Files
  // that start with `#!` can be executed. An empty map makes a commit without
  // changes. Returns the hash of the commit.
  std::string Commit(const std::map<std::string, std::string>& files,
                     const std::string& subject);
  // Merges a branch of one commit with these files into the current branch.
  std::string Merge(const std::map<std::string, std::string>& files,
                    const std::string& subject);

 private:
  std::string Git(const std::vector<std::string>& arguments) const;

  const TempDir folder_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_TESTING_SMALL_REPOSITORY_H_

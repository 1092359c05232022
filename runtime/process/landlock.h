// LandlockRuleset: limits the files that a process can use to a list of paths.
//
// The ruleset (landlock(7), Linux 5.13) needs no privilege. It applies to the
// process and its children from then on, survives exec(), and cannot be
// removed. Files that are already open are not affected.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       const LandlockRuleset ruleset,
//       LandlockRuleset::Create({{program, LandlockAccess::kExecute},
//                                {folder, LandlockAccess::kWrite}},
//                               /*network=*/false));
//   ... in the child: if (ruleset.Restrict() != 0) ...
//
// A path stands for the file or folder that it names now, and for all that is
// below the folder, whatever other names these have. A symbolic link in the
// folder is followed only if its target is permitted, too.
//
// A process with a ruleset can neither trace processes without it nor read
// their memory and environment in /proc. Later versions of Landlock restrict
// more: TCP since version 4, signals to other processes and abstract sockets
// since version 6. Files outside the list can still be inspected (stat), and
// their modes and times changed if the user may do that.
#ifndef ASSAY_RUNTIME_PROCESS_LANDLOCK_H_
#define ASSAY_RUNTIME_PROCESS_LANDLOCK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runtime {

enum class LandlockAccess {
  kRead,     // reads files and lists folders
  kExecute,  // the same, and executes files
  kWrite,    // reads, writes, creates and removes files and folders; executes
             // nothing
};

struct LandlockPath {
  std::string path;
  LandlockAccess access = LandlockAccess::kRead;
};

// Returns the kernel's version of Landlock, or 0 if it has none.
int LandlockVersion();

// The first version that refuses to truncate files that cannot be written.
constexpr int kLandlockTruncate = 3;

class LandlockRuleset {
 public:
  // Prepares a ruleset that permits the given paths. TCP, and signals to
  // processes without the ruleset, are refused where the kernel can. With
  // `network`, TCP and abstract sockets are permitted. Returns Unimplemented if
  // the kernel has no Landlock, and the error of the system, for example
  // NotFound, with the name of a path that cannot be opened.
  static absl::StatusOr<LandlockRuleset> Create(
      const std::vector<LandlockPath>& paths, bool network);
  LandlockRuleset(LandlockRuleset&& other) noexcept;
  LandlockRuleset& operator=(LandlockRuleset&& other) noexcept;
  ~LandlockRuleset();

  // Restricts the calling thread, which must have no new privileges
  // (PR_SET_NO_NEW_PRIVS). Returns 0 or the errno. Allocates no memory and
  // takes no locks: may be called between fork() and exec().
  int Restrict() const;

 private:
  explicit LandlockRuleset(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_LANDLOCK_H_

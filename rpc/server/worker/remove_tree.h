// RemoveTree: removes a folder that a hostile process has filled.
//
// std::filesystem::remove_all() fails for folders without permissions, and
// needs a descriptor or a part of the stack for each level. Here, folders get
// their permissions back, and those below the second level are moved up before
// they are removed, so that two descriptors suffice for any depth. Links are
// removed and not followed. The process must have ended.
#ifndef ASSAY_RPC_SERVER_WORKER_REMOVE_TREE_H_
#define ASSAY_RPC_SERVER_WORKER_REMOVE_TREE_H_

#include <string>

#include "absl/status/status.h"

namespace assay::rpc {

// Removes the file or folder with everything in it. A missing one is no error.
// Otherwise returns the first error, and has removed what could be removed.
absl::Status RemoveTree(const std::string& path);

// The same for what is in the folder.
absl::Status RemoveContents(const std::string& folder);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_WORKER_REMOVE_TREE_H_

// Names of devices, of their keys (kinds of devices), and of users.
//
// A name has 1 to kMaxName letters, digits and characters of `._-`, and is not
// `.` or `..`. Names become parts of paths, tables, logs and messages, so they
// are checked wherever they enter a program.
#ifndef ASSAY_RPC_NAMES_NAMES_H_
#define ASSAY_RPC_NAMES_NAMES_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay::rpc {

constexpr size_t kMaxName = 64;

// Returns true for letters, digits and the characters of `._-`.
bool IsNameCharacter(char c);

bool IsName(absl::string_view text);

// Returns InvalidArgument if the text is not a name. `what` says whose name it
// is, for the message, which quotes at most kMaxName bytes of the text.
absl::Status CheckName(absl::string_view what, absl::string_view text);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_NAMES_NAMES_H_

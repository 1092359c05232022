// SecretsEqual: compares secrets, for example tokens, in a time that does not
// depend on where they differ. A comparison with == ends at the first
// difference, so a client that measures its time can guess a secret one
// character after the other.
#ifndef ASSAY_RPC_SECURITY_CONSTANT_TIME_H_
#define ASSAY_RPC_SECURITY_CONSTANT_TIME_H_

#include "absl/strings/string_view.h"

namespace assay::rpc {

// Compares the SHA-256 of both texts, so their lengths may differ. The time
// depends on the lengths only.
bool SecretsEqual(absl::string_view a, absl::string_view b);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SECURITY_CONSTANT_TIME_H_

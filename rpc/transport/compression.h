// The programs of the farm neither send nor accept compressed messages.
//
// gRPC unpacks a message before it compares its size with the limit, and before
// anybody has looked at the token of the call: 300 kB would become 300 MB.
// A server refuses a call whose messages are compressed with UNIMPLEMENTED.
#ifndef ASSAY_RPC_TRANSPORT_COMPRESSION_H_
#define ASSAY_RPC_TRANSPORT_COMPRESSION_H_

#include <utility>
#include <vector>

namespace assay::rpc {

// Returns the arguments of gRPC for channels and servers.
std::vector<std::pair<const char*, int>> NoCompression();

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_COMPRESSION_H_

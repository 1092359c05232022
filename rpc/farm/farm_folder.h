// WriteFarmFolder: writes the files that a farm on one machine needs: TLS
// certificates, tokens and keys.
//
//   tls/server.pem, server.key, ca.pem  certificates (rpc/transport)
//   tokens                              the digests of all tokens
//   admin.token, user.token             tokens for the owner of the folder
//   devices/NAME/token                  the token of a device
//   client.key                          signs the artifacts of the owner
//   trusted_keys.pem                    the public key that verifies them
//   env.sh                              environment variables for clients
//
// All of them are new each time, so what an earlier farm gave away is worth
// nothing. The state of the tracker and of the devices, which other programs
// write to the same folder, is kept.
#ifndef ASSAY_RPC_FARM_FARM_FOLDER_H_
#define ASSAY_RPC_FARM_FARM_FOLDER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay::rpc {

// The folder is created, and readable for its owner only. `user` is the name of
// the user of both tokens. `devices` are the names of the devices. Errors name
// the file.
absl::Status WriteFarmFolder(const std::string& folder, const std::string& user,
                             const std::vector<std::string>& devices);

// Writes `env.sh`, which selects the tracker at `tracker`, a `HOST:PORT`, for
// the programs of a shell that reads the file.
absl::Status WriteFarmEnvironment(const std::string& folder,
                                  const std::string& tracker);

// Returns the folder in which a device has its token and its state.
std::string DeviceFolder(const std::string& folder, const std::string& device);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_FARM_FARM_FOLDER_H_

// AddClientFlags: the flags of all programs that call the tracker
// (rpc/transport/client_options.h).
//
//   ClientFlags flags;
//   AddClientFlags(app, &flags);
//   return RunCommand(app, argc, argv, [&]() -> absl::StatusOr<ExitCode> {
//     ASSAY_ASSIGN_OR_RETURN(const ClientOptions options,
//                            ReadClientOptions(flags));
//     …
//   });
#ifndef ASSAY_RPC_PROGRAM_CLIENT_FLAGS_H_
#define ASSAY_RPC_PROGRAM_CLIENT_FLAGS_H_

#include "rpc/transport/client_options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay::rpc {

// Adds `--tracker`, `--tls`, `--plain_text` and `--token_file`. `flags` must
// exist while `app` parses.
void AddClientFlags(CLI::App& app, ClientFlags* flags);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_CLIENT_FLAGS_H_

#include "rpc/program/client_flags.h"

#include <CLI/CLI.hpp>

namespace assay::rpc {

void AddClientFlags(CLI::App& app, ClientFlags* flags) {
  app.add_option("--tracker", flags->tracker,
                 "HOST:PORT of the tracker; without the flag, ASSAY_TRACKER");
  app.add_option("--tls", flags->tls,
                 "the folder with ca.pem, the certificate of the authority "
                 "that signed the tracker's; without the flag, ASSAY_TLS");
  app.add_flag("--plain_text", flags->plain_text,
               "no TLS; only for a tracker on this machine");
  app.add_option("--token_file", flags->token_file,
                 "a file with your token and nothing else, which only you may "
                 "read; without the flag, ASSAY_TOKEN_FILE");
}

}  // namespace assay::rpc

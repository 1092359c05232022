// Makes the certificates and tokens of a farm; see
// `bazel run //rpc:keys -- --help`.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "rpc/keys/key_folder.h"
#include "rpc/security/token_file.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr Role kRoles[] = {Role::kAdmin, Role::kDevice, Role::kUser};

struct Flags {
  std::string folder;
  std::vector<std::string> hosts;
  std::vector<std::string> names[3];  // of each of kRoles
  std::vector<std::string> retired;
  std::vector<std::string> revoked;
};

// Parses `ROLE:NAME`.
absl::StatusOr<std::pair<Role, std::string>> ParseOwner(
    const std::string& text) {
  for (const Role role : kRoles) {
    const std::string start = absl::StrCat(RoleName(role), ":");
    if (text.rfind(start, 0) == 0) {
      return std::make_pair(role, text.substr(start.size()));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "`", text, "` is not ROLE:NAME with the role admin, device or user"));
}

absl::StatusOr<ExitCode> MakeKeys(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const KeyFolder keys,
                         KeyFolder::Open(FromCallersFolder(flags.folder)));
  for (const std::string& host : flags.hosts) {
    ASSAY_ASSIGN_OR_RETURN(const std::string path,
                           keys.AddHost(absl::StrSplit(host, ',')));
    std::cout << "wrote " << path << "\n";
  }
  for (size_t i = 0; i < std::size(kRoles); ++i) {
    for (const std::string& name : flags.names[i]) {
      ASSAY_ASSIGN_OR_RETURN(const std::string path,
                             keys.AddToken(kRoles[i], name));
      std::cout << "wrote " << path << "\n";
    }
  }
  for (const std::string& owner : flags.retired) {
    ASSAY_ASSIGN_OR_RETURN(const auto parsed, ParseOwner(owner));
    ASSAY_RETURN_IF_ERROR(keys.RetireTokens(parsed.first, parsed.second));
    std::cout << "retired the old tokens of " << owner << "\n";
  }
  for (const std::string& owner : flags.revoked) {
    ASSAY_ASSIGN_OR_RETURN(const auto parsed, ParseOwner(owner));
    ASSAY_RETURN_IF_ERROR(keys.RevokeTokens(parsed.first, parsed.second));
    std::cout << "revoked the tokens of " << owner << "\n";
  }
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Makes the certificates and tokens of a farm with several machines, in a "
      "folder that its administrator keeps. rpc/docs/boards.md says what is "
      "copied to whom."};
  Flags flags;
  const auto repeated = [&](const char* name, std::vector<std::string>* values,
                            const char* help) {
    app.add_option(name, *values, help)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  app.add_option("--folder", flags.folder,
                 "the folder; if it does not exist, it is created with a new "
                 "certificate authority")
      ->required();
  repeated("--host", &flags.hosts,
           "`HOST[,NAME…]`: make a certificate for a machine, with all names "
           "and addresses by which it is called; may be repeated, as all of "
           "the following");
  repeated("--admin", &flags.names[0], "make a token for an administrator");
  repeated("--device", &flags.names[1], "make a token for a board");
  repeated("--user", &flags.names[2], "make a token for a user");
  repeated("--retire", &flags.retired,
           "ROLE:NAME whose tokens but the newest are no longer valid");
  repeated("--revoke", &flags.revoked,
           "ROLE:NAME whose tokens are no longer valid");
  app.footer(
      "Example:\n"
      "  keys --folder=farm --host=tracker.lab --admin=alice\n"
      "  keys --folder=farm --host=rack1-03.lab,192.168.1.13 "
      "--device=rack1-03");
  return RunCommand(app, argc, argv, [&] { return MakeKeys(flags); });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }

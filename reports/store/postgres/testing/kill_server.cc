// kill_server: writers push to a PostgreSQL store while its server is killed.
// Prints how many records are lost or there twice; exits with 1 if any is.
//
// Each writer is a process with its own folder. It appends a record, pushes its
// folder and so on, and takes no notice of errors of the server. At the end,
// when the server is up, it pushes once more.
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reports/store/postgres/shared_store.h"
#include "reports/store/postgres/testing/compare_stores.h"
#include "reports/store/postgres/testing/server.h"
#include "reports/store/record_log.h"
#include "reports/store/testing/rows.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

struct Flags {
  int writers = 50;
  int kills = 20;
  uint64_t seed = 1;
};

struct WriterCounts {
  int64_t records = 0;
  int64_t pushes = 0;
  int64_t failed_pushes = 0;
};

class Writer {
 public:
  Writer(int number, std::string address, const std::string& root)
      : number_(number),
        address_(std::move(address)),
        root_(root),
        folder_(JoinPath(root, absl::StrCat("writer", number))) {}

  // Writes until the file `stop` exists, and its counts to `<folder>.counts`.
  absl::Status Run() {
    ASSAY_ASSIGN_OR_RETURN(const auto log, LogWriter::Create(folder_));
    while (!FileExists(JoinPath(root_, "stop"))) {
      Record record{log->segment(), "job", absl::StrCat(counts_.records),
                    KillTestHeader(), counts_.records};
      record.result.rows.push_back(KillTestRow(number_));
      ASSAY_RETURN_IF_ERROR(log->Append(record));
      ++counts_.records;
      Push();
    }
    while (!Push()) absl::SleepFor(absl::Milliseconds(100));
    return WriteFileAtomic(
        folder_ + ".counts",
        absl::StrCat(counts_.pushes, " ", counts_.failed_pushes));
  }

 private:
  bool Push() {
    ++counts_.pushes;
    if (store_ == nullptr) {
      auto store = SharedStore::Open(address_);
      if (store.ok()) store_ = std::make_unique<SharedStore>(*std::move(store));
    }
    if (store_ != nullptr && store_->Push(folder_).ok()) return true;
    store_ = nullptr;
    ++counts_.failed_pushes;
    absl::SleepFor(absl::Milliseconds(20));
    return false;
  }

  const int number_;
  const std::string address_;
  const std::string root_;
  const std::string folder_;
  std::unique_ptr<SharedStore> store_;
  WriterCounts counts_;
};

absl::Status KillRepeatedly(const Flags& flags, PostgresServer* server) {
  Rng rng(flags.seed);
  for (int i = 0; i < flags.kills; ++i) {
    absl::SleepFor(absl::Milliseconds(rng.UniformInt(300, 1500)));
    server->Kill();
    absl::SleepFor(absl::Milliseconds(rng.UniformInt(0, 300)));
    ASSAY_RETURN_IF_ERROR(server->Resume());
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create());
  ASSAY_ASSIGN_OR_RETURN(const auto server, PostgresServer::Start());
  ASSAY_RETURN_IF_ERROR(SharedStore::Open(server->address()).status());
  std::vector<pid_t> writers;
  for (int i = 0; i < flags.writers; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const absl::Status status =
          Writer(i, server->address(), dir.path()).Run();
      if (!status.ok()) std::cerr << status << std::endl;
      _exit(status.ok() ? 0 : 1);
    }
    writers.push_back(child);
  }
  ASSAY_RETURN_IF_ERROR(KillRepeatedly(flags, server.get()));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(dir.path(), "stop"), ""));
  int64_t pushes = 0;
  int64_t failed_pushes = 0;
  std::vector<std::string> folders;
  for (int i = 0; i < flags.writers; ++i) {
    int status = 1;
    waitpid(writers[static_cast<size_t>(i)], &status, 0);
    if (status != 0) return absl::InternalError("a writer failed");
    folders.push_back(JoinPath(dir.path(), absl::StrCat("writer", i)));
    ASSAY_ASSIGN_OR_RETURN(const std::string counts,
                           ReadFile(folders.back() + ".counts"));
    const std::vector<std::string> parts = absl::StrSplit(counts, ' ');
    int64_t number = 0;
    if (absl::SimpleAtoi(parts[0], &number)) pushes += number;
    if (absl::SimpleAtoi(parts[1], &number)) failed_pushes += number;
  }
  ASSAY_ASSIGN_OR_RETURN(SharedStore store,
                         SharedStore::Open(server->address()));
  ASSAY_ASSIGN_OR_RETURN(const StoreDifference difference,
                         CompareStores(folders, &store));
  std::cout << flags.writers << " writers, " << flags.kills
            << " kills of the server, " << pushes << " pushes, of which "
            << failed_pushes << " failed\n"
            << Describe(difference);
  return difference.lost + difference.twice == 0 ? ExitCode::kPass
                                                 : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app("Kills a PostgreSQL server under writers.", "kill_server");
  Flags flags;
  app.add_option("--writers", flags.writers, "processes; default 50");
  app.add_option("--kills", flags.kills, "default 20");
  app.add_option("--seed", flags.seed, "of the times of the kills; default 1");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }

// PostgresServer: a PostgreSQL server for tests, made of the locked packages.
// It has an empty database in a temporary folder, and listens on a Unix socket
// in that folder and on no network.
//
//   ASSAY_ASSIGN_OR_RETURN(auto server, PostgresServer::Start());
//   Connection::Open(server->address());
//
// The server ends when it is destroyed, and also if the test dies.
//
// PostgreSQL refuses to run as root. A test that runs as root starts it
//   - in a user namespace, in which root is `nobody`: the files of root, such
//     as the runfiles, can still be read; or, where namespaces are forbidden,
//   - as the user `nobody`, from a copy of its files.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_TESTING_SERVER_H_
#define ASSAY_REPORTS_STORE_POSTGRES_TESTING_SERVER_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::reports {

class PostgresServer {
 public:
  // How the server runs. `kBest` is the first of the others that works.
  enum class User { kBest, kCaller, kNamespace, kNobody };

  // `settings` are further settings of the server, such as `fsync=on`, which
  // is off by default: a kill of the server loses nothing without it, only a
  // crash of the machine would. Returns Unavailable if this process cannot
  // become `user`.
  static absl::StatusOr<std::unique_ptr<PostgresServer>> Start(
      const std::vector<std::string>& settings = {}, User user = User::kBest);
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

  // `postgres:///assay?host=FOLDER&user=assay`.
  const std::string& address() const { return address_; }
  // The folder of the database, to see its size.
  std::string data() const { return folder_ + "/data"; }

  // Kills all processes of the server like kill -9. Its connections are lost,
  // and connecting fails until Resume() is called.
  void Kill();
  // Starts the server again on the same database, and waits until it answers.
  absl::Status Resume();

 private:
  PostgresServer(std::string folder, std::vector<std::string> settings,
                 User user)
      : folder_(std::move(folder)),
        settings_(std::move(settings)),
        user_(user) {}

  absl::Status Prepare();
  absl::Status CreateDatabase();
  pid_t Spawn(const std::string& program,
              const std::vector<std::string>& arguments) const;
  void Quit();

  const std::string folder_;
  const std::vector<std::string> settings_;
  const User user_;
  std::string address_;
  std::string root_;       // of the files of the package
  std::string libraries_;  // LD_LIBRARY_PATH
  pid_t pid_ = -1;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_TESTING_SERVER_H_

#include "reports/store/postgres/testing/server.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reports/store/postgres/connection.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"

namespace assay::reports {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr char kPrograms[] = "/usr/lib/postgresql/15/bin/";

bool WriteText(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t n = write(fd, text.data(), text.size());
  close(fd);
  return n == static_cast<ssize_t>(text.size());
}

// Makes the calling process `nobody` in a namespace of its own.
bool EnterNamespace() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  return unshare(CLONE_NEWUSER) == 0 &&
         WriteText("/proc/self/uid_map",
                   absl::StrCat(kNobody, " ", user, " 1")) &&
         WriteText("/proc/self/setgroups", "deny") &&
         WriteText("/proc/self/gid_map",
                   absl::StrCat(kNobody, " ", group, " 1"));
}

bool BecomeNobody() {
  return setgroups(0, nullptr) == 0 && setgid(kNobody) == 0 &&
         setuid(kNobody) == 0;
}

bool Become(PostgresServer::User user) {
  switch (user) {
    case PostgresServer::User::kNamespace:
      return EnterNamespace();
    case PostgresServer::User::kNobody:
      return BecomeNobody();
    default:
      return true;
  }
}

// Returns true if a child process can become this user.
bool Works(PostgresServer::User user) {
  const pid_t child = fork();
  if (child == 0) _exit(Become(user) ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

PostgresServer::User BestUser() {
  using User = PostgresServer::User;
  if (geteuid() != 0) return User::kCaller;
  return Works(User::kNamespace) ? User::kNamespace : User::kNobody;
}

// Returns the folder of a repository of the runfiles.
absl::StatusOr<std::string> FolderOf(const std::string& repository,
                                     const std::string& file) {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(self, absl::StrCat(repository, "/", file)));
  return path.substr(0, path.size() - file.size() - 1);
}

absl::Status Copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::create_directories(to, error);
  fs::copy(from, to,
           fs::copy_options::recursive | fs::copy_options::overwrite_existing,
           error);
  if (!error) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("cannot copy `", from, "`: ", error.message()));
}

std::string LibrariesOf(const std::string& root) {
  return absl::StrCat(root, "/usr/lib/x86_64-linux-gnu:", root,
                      "/lib/x86_64-linux-gnu");
}

absl::Status GiveToNobody(const std::string& path) {
  if (chown(path.c_str(), kNobody, kNobody) != 0) {
    return ErrnoError("change the owner of", path);
  }
  return absl::OkStatus();
}

// The end of the log of a server, for messages.
std::string EndOf(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return "no log";
  return text->size() < 600 ? *text : text->substr(text->size() - 600);
}

}  // namespace

absl::StatusOr<std::unique_ptr<PostgresServer>> PostgresServer::Start(
    const std::vector<std::string>& settings, User user) {
  // The path of a socket has at most 107 bytes, which TEST_TMPDIR exceeds.
  std::string folder = "/tmp/assay_postgres_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return ErrnoError("create", folder);
  if (user == User::kBest) user = BestUser();
  if (!Works(user)) {
    rmdir(folder.c_str());
    return absl::UnavailableError(
        "this process cannot become the user that PostgreSQL needs");
  }
  std::unique_ptr<PostgresServer> server(
      new PostgresServer(std::move(folder), settings, user));
  ASSAY_RETURN_IF_ERROR(server->Prepare());
  ASSAY_RETURN_IF_ERROR(server->CreateDatabase());
  return server;
}

absl::Status PostgresServer::Prepare() {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string server,
      FolderOf("debian_postgres_server", "usr/lib/postgresql/15/bin/postgres"));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string client,
      FolderOf("debian_libpq", "usr/lib/x86_64-linux-gnu/libpq.so.5"));
  root_ = server;
  libraries_ = absl::StrCat(LibrariesOf(server), ":", LibrariesOf(client));
  if (user_ != User::kNobody) return absl::OkStatus();
  root_ = JoinPath(folder_, "package");
  libraries_ = LibrariesOf(root_);
  ASSAY_RETURN_IF_ERROR(Copy(server, root_));
  for (const char* libraries :
       {"lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"}) {
    ASSAY_RETURN_IF_ERROR(
        Copy(JoinPath(client, libraries), JoinPath(root_, libraries)));
  }
  return GiveToNobody(folder_);
}

absl::Status PostgresServer::CreateDatabase() {
  const pid_t pid =
      Spawn("initdb", {"--pgdata=" + data(), "--username=assay", "--no-locale",
                       "--encoding=UTF8", "--auth=trust", "--no-sync"});
  int status = 1;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
    return absl::InternalError(
        absl::StrCat("initdb failed: ", EndOf(folder_ + "/log")));
  }
  address_ = absl::StrCat("postgres:///postgres?user=assay&host=", folder_);
  ASSAY_RETURN_IF_ERROR(Resume());
  ASSAY_ASSIGN_OR_RETURN(Connection connection, Connection::Open(address_));
  ASSAY_RETURN_IF_ERROR(connection.Run("CREATE DATABASE assay").status());
  address_ = absl::StrCat("postgres:///assay?user=assay&host=", folder_);
  return absl::OkStatus();
}

pid_t PostgresServer::Spawn(const std::string& program,
                            const std::vector<std::string>& arguments) const {
  const std::string path = absl::StrCat(root_, kPrograms, program);
  const std::string log = JoinPath(folder_, "log");
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  if (!Become(user_)) _exit(126);
  // A change of the user clears this. SIGQUIT makes the server quit at once.
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  setenv("LD_LIBRARY_PATH", libraries_.c_str(), 1);
  setenv("LC_ALL", "C", 1);
  setenv("TZ", "GMT", 1);
  if (chdir(folder_.c_str()) != 0) _exit(126);
  execv(path.c_str(), argv.data());
  _exit(127);
}

absl::Status PostgresServer::Resume() {
  std::vector<std::string> arguments = {
      "-D", data(), "-k", folder_, "-c", "listen_addresses=", "-c", "fsync=off",
      // Leaves nothing in /dev/shm.
      "-c", "dynamic_shared_memory_type=mmap", "-c", "jit=off", "-c",
      "max_connections=100"};
  for (const std::string& setting : settings_) {
    arguments.insert(arguments.end(), {"-c", setting});
  }
  const absl::Time deadline = absl::Now() + absl::Seconds(60);
  absl::Status last;
  while (absl::Now() < deadline) {
    if (pid_ < 0) pid_ = Spawn("postgres", arguments);
    const absl::StatusOr<Connection> connection = Connection::Open(address_);
    if (connection.ok()) return absl::OkStatus();
    last = connection.status();
    // It ends at once while processes of a killed server still run.
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) pid_ = -1;
    absl::SleepFor(absl::Milliseconds(50));
  }
  return absl::UnavailableError(
      absl::StrCat("the server does not answer: ", last.message(), "; ",
                   EndOf(folder_ + "/log")));
}

// The processes of connections would serve a last statement if only their
// parent were killed.
void PostgresServer::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGSTOP);
  const absl::StatusOr<std::string> children =
      ReadFile(absl::StrCat("/proc/", pid_, "/task/", pid_, "/children"));
  for (const absl::string_view child : absl::StrSplit(
           children.ok() ? *children : "", ' ', absl::SkipWhitespace())) {
    pid_t process = 0;
    if (absl::SimpleAtoi(child, &process)) kill(process, SIGKILL);
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

// Ends the server and releases its shared memory.
void PostgresServer::Quit() {
  if (pid_ < 0) return;
  kill(pid_, SIGQUIT);
  for (int i = 0; i < 100; ++i) {
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      return;
    }
    absl::SleepFor(absl::Milliseconds(50));
  }
  Kill();
}

PostgresServer::~PostgresServer() {
  Quit();
  std::error_code error;
  fs::remove_all(folder_, error);
}

}  // namespace assay::reports

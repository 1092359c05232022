#include "runtime/process/confine.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/process/landlock.h"
#include "runtime/process/line_protocol.h"
#include "runtime/process/spawn.h"
#include "runtime/process/subprocess.h"

namespace assay::runtime {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ASSAY_NEEDS_MUCH_ADDRESS_SPACE
#endif
#endif

#if defined(__x86_64__)
constexpr bool kMayBeEmulated = false;
#else
constexpr bool kMayBeEmulated = true;
#endif

constexpr char kProgram[] = "runtime/process/confined_program_this_machine";

// Permits `program` and the libraries of the system.
Confinement Permit(const std::string& program) {
  Confinement confinement;
  confinement.readable = SystemLibraries();
  confinement.readable.push_back(program);
  return confinement;
}

bool Lacks(const PreparedConfinement& confinement, const char* restriction) {
  const auto& missing = confinement.missing();
  return std::any_of(missing.begin(), missing.end(),
                     [&](const std::string& text) {
                       return absl::StartsWith(text, restriction);
                     });
}

absl::StatusOr<ProcessResult> RunConfined(
    const std::vector<std::string>& command,
    const PreparedConfinement* confinement) {
  ProcessOptions options;
  options.confinement = confinement;
  return RunProcess(command, options);
}

// Returns the number of processes whose environment contains `cookie`.
int CountProcessesWith(const std::string& cookie) {
  int count = 0;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return -1;
  while (const dirent* entry = readdir(folder)) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(entry->d_name, &pid)) continue;
    const auto environment = ReadFile(absl::StrCat("/proc/", pid, "/environ"));
    if (environment.ok() && absl::StrContains(*environment, cookie)) ++count;
  }
  closedir(folder);
  return count;
}

// Tests with programs of the system, which can also be started by a test that
// runs in an emulator.

TEST(ConfinementTest, MostRestrictionsWorkEverywhere) {
  Confinement confinement = Permit("/bin/cat");
  confinement.max_cpu_seconds = 7;
  confinement.max_file_bytes = 1 << 20;
  confinement.max_open_files = 99;
  confinement.max_user_threads = 100000;
  confinement.max_address_space = int64_t{1} << 30;
  confinement.max_data_bytes = int64_t{1} << 29;
  const auto prepared = PreparedConfinement::Prepare(confinement);
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  for (const char* name :
       {"no new privileges", "limit of CPU time", "limit of the size of files",
        "limit of open files", "limit of core files", "limit of threads"}) {
    EXPECT_FALSE(Lacks(**prepared, name)) << name;
  }
  if (!kMayBeEmulated) {
    EXPECT_FALSE(Lacks(**prepared, "limit of"));
    EXPECT_FALSE(Lacks(**prepared, "capabilities"));
    EXPECT_FALSE(Lacks(**prepared, "closing of descriptors"));
  }
  for (const std::string& text : (*prepared)->missing()) {
    EXPECT_THAT(text, HasSubstr(": "));
  }

  const auto limits =
      RunConfined({"/bin/cat", "/proc/self/limits"}, prepared->get());
  ASSERT_TRUE(limits.ok()) << limits.status();
  EXPECT_THAT(limits->out, AllOf(ContainsRegex("Max cpu time +7 +8 "),
                                 ContainsRegex("Max file size +1048576 +1048"),
                                 ContainsRegex("Max core file size +0 +0 "),
                                 ContainsRegex("Max open files +99 +99 ")));
  EXPECT_THAT(limits->out, ContainsRegex("Max processes +[0-9]+ "));
  if (!kMayBeEmulated) {
    EXPECT_THAT(limits->out,
                AllOf(ContainsRegex("Max address space +1073741824 "),
                      ContainsRegex("Max data size +536870912 ")));
  }
}

TEST(ConfinementTest, ProgramGetsNoPrivileges) {
  const auto prepared = PreparedConfinement::Prepare(Permit("/bin/cat"));
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  const auto status =
      RunConfined({"/bin/cat", "/proc/self/status"}, prepared->get());
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_THAT(status->out, HasSubstr("NoNewPrivs:\t1"));
  if (!Lacks(**prepared, "capabilities")) {
    EXPECT_THAT(status->out, AllOf(HasSubstr("CapPrm:\t0000000000000000"),
                                   HasSubstr("CapEff:\t0000000000000000")));
  }
  if (!Lacks(**prepared, "seccomp")) {
    EXPECT_THAT(status->out, HasSubstr("Seccomp:\t2"));
  }
}

// The environment of a server can contain secrets of the user who started it.
TEST(ConfinementTest, ProgramGetsOnlyTheListedEnvironment) {
  ASSERT_EQ(setenv("ASSAY_SECRET", "secret", 1), 0);
  Confinement confinement = Permit("/bin/cat");
  const std::vector<std::string> command = {"/bin/cat", "/proc/self/environ"};
  const auto nothing = PreparedConfinement::Prepare(confinement);
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(RunConfined(command, nothing->get())->out, "");
  confinement.environment = {"A=1", "B=two words"};
  const auto two = PreparedConfinement::Prepare(confinement);
  ASSERT_TRUE(two.ok()) << two.status();
  confinement.environment.clear();  // need not exist any more
  EXPECT_EQ(RunConfined(command, two->get())->out,
            std::string("A=1\0B=two words\0", 16));
  EXPECT_THAT(RunConfined(command, nullptr)->out,
              HasSubstr("ASSAY_SECRET=secret"));
  unsetenv("ASSAY_SECRET");
}

TEST(ConfinementTest, UnlimitedResourcesKeepTheirLimits) {
  const auto prepared = PreparedConfinement::Prepare(Permit("/bin/cat"));
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  const std::vector<std::string> command = {"/bin/cat", "/proc/self/limits"};
  const auto confined = RunConfined(command, prepared->get());
  const auto free = RunConfined(command, nullptr);
  ASSERT_TRUE(confined.ok()) << confined.status();
  ASSERT_TRUE(free.ok()) << free.status();
  const auto lines_after_core = [](const std::string& limits) {
    return limits.substr(limits.find("Max resident set"));
  };
  EXPECT_EQ(lines_after_core(confined->out), lines_after_core(free->out));
}

TEST(ConfinementTest, MissingProgramIsNotFound) {
  const auto prepared = PreparedConfinement::Prepare(Permit("/bin/cat"));
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  const absl::Status none =
      RunConfined({"/no/such/program"}, prepared->get()).status();
  EXPECT_TRUE(absl::IsNotFound(none)) << none;
  EXPECT_THAT(std::string(none.message()),
              HasSubstr("cannot start `/no/such/program`"));
}

TEST(ConfinementTest, ProgramThatIsNotListedIsPermissionDenied) {
  const auto prepared = PreparedConfinement::Prepare(Permit("/bin/sh"));
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  if (Lacks(**prepared, "landlock")) {
    GTEST_SKIP() << absl::StrJoin((*prepared)->missing(), "; ");
  }
  const absl::Status denied =
      RunConfined({"/bin/cat", "/dev/null"}, prepared->get()).status();
  EXPECT_TRUE(absl::IsPermissionDenied(denied)) << denied;
}

TEST(ConfinementTest, MissingPathIsNotFound) {
  if (LandlockVersion() == 0) GTEST_SKIP() << "the kernel has no Landlock";
  const absl::Status none =
      PreparedConfinement::Prepare(Permit("/no/such/program")).status();
  EXPECT_TRUE(absl::IsNotFound(none)) << none;
  EXPECT_THAT(std::string(none.message()), HasSubstr("/no/such/program"));
}

TEST(ConfinementTest, ProgramsWithLinesCanBeConfined) {
  const auto prepared = PreparedConfinement::Prepare(Permit("/bin/cat"));
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  SpawnOptions options;
  options.confinement = prepared->get();
  auto program = LineProtocol::Start({"/bin/cat"}, 20, options);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)->Request("hello").value(), "hello");
}

// Tests of what a program can do that means harm.
class MisbehaviourTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto result = RunConfined({kProgram}, nullptr);
    const bool runs = result.ok() && result->ok();
    if (kMayBeEmulated && !runs) {
      GTEST_SKIP() << "an emulator cannot start programs of its guest";
    }
    ASSERT_TRUE(runs) << result.status();
    ASSERT_TRUE(MakeDirs(Folder()).ok());
    ASSERT_TRUE(WriteFileAtomic(Secret(), "secret").ok());
    confinement_ = Permit(kProgram);
    confinement_.folder = Folder();
  }

  std::string Folder() const { return JoinPath(dir_.path(), "folder"); }
  std::string Secret() const { return JoinPath(dir_.path(), "secret"); }

  // Confines programs by `confinement_` from now on.
  void Prepare() {
    auto prepared = PreparedConfinement::Prepare(confinement_);
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    prepared_ = std::move(*prepared);
  }

  // Returns what the program writes that does these things.
  std::string Do(const std::vector<std::string>& actions) {
    const ProcessResult result = ResultOf(actions);
    EXPECT_EQ(result.exit_code, 0) << result.signal << " " << result.err;
    return result.out;
  }

  ProcessResult ResultOf(const std::vector<std::string>& actions) {
    if (prepared_ == nullptr) Prepare();
    if (prepared_ == nullptr) return {};
    std::vector<std::string> command = {kProgram};
    command.insert(command.end(), actions.begin(), actions.end());
    const auto result = RunConfined(command, prepared_.get());
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : ProcessResult();
  }

  const TempDir dir_ = TempDir::Create().value();
  Confinement confinement_;
  std::unique_ptr<PreparedConfinement> prepared_;
};

#define ASSAY_SKIP_WITHOUT(restriction)                        \
  ASSERT_NO_FATAL_FAILURE(Prepare());                          \
  if (Lacks(*prepared_, restriction)) {                        \
    GTEST_SKIP() << absl::StrJoin(prepared_->missing(), "; "); \
  }

TEST_F(MisbehaviourTest, WorkersCanDoTheirWork) {
  const std::string file = JoinPath(Folder(), "file");
  EXPECT_EQ(
      Do({"thread", "generated_code", "signal_itself", "read=/proc/self/status",
          "read=/proc/cpuinfo", "write=/dev/null", "read=/dev/urandom",
          "write=" + file, "read=" + file}),
      absl::StrCat("thread: ok\ngenerated_code: ok\nsignal_itself: ok\n"
                   "read=/proc/self/status: ok\nread=/proc/cpuinfo: ok\n"
                   "write=/dev/null: ok\nread=/dev/urandom: ok\n",
                   "write=", file, ": ok\nread=", file, ": ok\n"));
  EXPECT_EQ(Do({"exec_again"}), "thread: ok\nfixed_addresses: ok\n");
}

TEST_F(MisbehaviourTest, CannotUseFilesOutsideItsFolder) {
  ASSAY_SKIP_WITHOUT("landlock: not");
  const std::string other = JoinPath(dir_.path(), "other");
  EXPECT_EQ(Do({"read=" + Secret(), "write=" + Secret(), "write=" + other,
                "read=/etc/passwd",
                absl::StrCat("read=/proc/", getpid(), "/environ")}),
            absl::StrCat("read=", Secret(), ": Permission denied\n",
                         "write=", Secret(), ": Permission denied\n",
                         "write=", other, ": Permission denied\n",
                         "read=/etc/passwd: Permission denied\n", "read=/proc/",
                         getpid(), "/environ: Permission denied\n"));
  EXPECT_EQ(ReadFile(Secret()).value(), "secret");
  EXPECT_FALSE(FileExists(other));
}

TEST_F(MisbehaviourTest, CannotReachOtherProcessesOrTheNetwork) {
  ASSAY_SKIP_WITHOUT("seccomp");
  constexpr char kDenied[] = ": Operation not permitted\n";
  EXPECT_EQ(
      Do({"fork", "socket", "session", "group", "kill_parent", "limit_parent",
          "outlive_parent", "ptrace", "shared_memory", "chmod=" + Secret()}),
      absl::StrCat("fork", kDenied, "socket", kDenied, "session", kDenied,
                   "group", kDenied, "kill_parent", kDenied, "limit_parent",
                   kDenied, "outlive_parent", kDenied) +
          absl::StrCat("ptrace", kDenied, "shared_memory", kDenied,
                       "chmod=", Secret(), kDenied));
  EXPECT_EQ(Do({"clone3"}), "clone3: Function not implemented\n");
}

TEST_F(MisbehaviourTest, NetworkCanBePermitted) {
  confinement_.network = true;
  EXPECT_EQ(Do({"socket"}), "socket: ok\n");
}

TEST_F(MisbehaviourTest, DoesNotInheritDescriptors) {
  const int secret = open(Secret().c_str(), O_RDONLY);  // without O_CLOEXEC
  ASSERT_GT(secret, 2);
  const std::string action = absl::StrCat("descriptor=", secret);
  EXPECT_EQ(Do({action}), action + ": Bad file descriptor\n");
  close(secret);
}

TEST_F(MisbehaviourTest, CannotRaiseLimits) {
  ASSAY_SKIP_WITHOUT("capabilities");
  EXPECT_EQ(Do({"raise_limit"}), "raise_limit: Operation not permitted\n");
}

TEST_F(MisbehaviourTest, CannotOpenFilesWithoutEnd) {
  confinement_.max_open_files = 50;
  EXPECT_EQ(Do({"open_without_end"}),
            "open_without_end: Too many open files\n");
}

TEST_F(MisbehaviourTest, CannotWriteMoreThanTheLimit) {
  confinement_.max_file_bytes = 1 << 20;
  const std::string file = JoinPath(Folder(), "file");
  EXPECT_EQ(ResultOf({"write_much=" + file}).signal, SIGXFSZ);
  EXPECT_EQ(std::filesystem::file_size(file), 1u << 20);
}

TEST_F(MisbehaviourTest, CannotUseMoreTimeThanTheLimit) {
  confinement_.max_cpu_seconds = 1;
  EXPECT_EQ(ResultOf({"spin"}).signal, SIGXCPU);
}

TEST_F(MisbehaviourTest, CannotAllocateMoreThanTheLimit) {
#if defined(ASSAY_NEEDS_MUCH_ADDRESS_SPACE)
  GTEST_SKIP() << "sanitizers need terabytes of addresses";
#endif
  for (int64_t Confinement::* limit :
       {&Confinement::max_address_space, &Confinement::max_data_bytes}) {
    confinement_.max_address_space = confinement_.max_data_bytes = 0;
    confinement_.*limit = int64_t{256} << 20;
    ASSAY_SKIP_WITHOUT("limit of");
    EXPECT_EQ(Do({"allocate=67108864", "allocate=536870912"}),
              "allocate=67108864: ok\n"
              "allocate=536870912: Cannot allocate memory\n");
  }
}

TEST_F(MisbehaviourTest, LeavesNothingBehindWhenItIsKilled) {
  ASSAY_SKIP_WITHOUT("seccomp");
  const std::string cookie = absl::StrCat("ASSAY_COOKIE=", getpid());
  confinement_.environment = {cookie};
  ASSERT_NO_FATAL_FAILURE(Prepare());
  Pipe out;
  ASSERT_TRUE(out.Open());
  SpawnOptions options;
  options.confinement = prepared_.get();
  const auto pid = Spawn({kProgram, "session", "group", "fork", "wait"},
                         {-1, out.write_end(), -1}, options);
  ASSERT_TRUE(pid.ok()) << pid.status();
  out.CloseWrite();
  std::string text;
  char byte;
  while (!absl::StrContains(text, "fork: ") &&
         read(out.read_end(), &byte, 1) == 1) {
    text += byte;
  }
  EXPECT_THAT(text, HasSubstr("fork: "));
  EXPECT_EQ(CountProcessesWith(cookie), 1);
  EXPECT_EQ(kill(-*pid, 0), 0);
  KillSpawned(*pid);
  EXPECT_EQ(CountProcessesWith(cookie), 0);
  EXPECT_NE(kill(-*pid, 0), 0);
}

// Without a confinement.
TEST_F(MisbehaviourTest, ProgramThatLeavesItsGroupIsKilled) {
  Pipe out;
  ASSERT_TRUE(out.Open());
  const auto pid =
      Spawn({kProgram, "group", "wait"}, {-1, out.write_end(), -1});
  ASSERT_TRUE(pid.ok()) << pid.status();
  out.CloseWrite();
  char byte;
  ASSERT_EQ(read(out.read_end(), &byte, 1), 1);
  EXPECT_EQ(getpgid(*pid), getpgid(0));
  KillSpawned(*pid);
  EXPECT_NE(kill(*pid, 0), 0);
}

// An emulator is confined like any other program.
class EmulatedMisbehaviourTest : public testing::TestWithParam<const char*> {
 protected:
  // Returns the real path of the emulator's C library: a rule for the folder of
  // links that Bazel makes would not permit their targets.
  static std::string Sysroot(const std::string& machine) {
    const std::string name = "sysroot_" + machine;
    const std::string linker =
        machine == "armhf" ? "ld-linux-armhf.so.3" : "ld-linux-aarch64.so.1";
    std::error_code error;
    const std::string path =
        std::filesystem::canonical(absl::StrCat("../", name, "/lib/", linker),
                                   error)
            .string();
    const size_t position = path.rfind("/" + name + "/");
    return position == std::string::npos
               ? ""
               : path.substr(0, position + 1 + name.size());
  }
};

TEST_P(EmulatedMisbehaviourTest, EmulatorIsConfined) {
  if (kMayBeEmulated) GTEST_SKIP() << "the emulator is for x86-64";
  const std::string machine = GetParam();
  const std::string qemu =
      absl::StrCat("../debian_qemu/usr/bin/qemu-",
                   machine == "armhf" ? "arm" : "aarch64", "-static");
  const std::string program =
      absl::StrCat("runtime/process/confined_program_", machine);
  const std::string sysroot = Sysroot(machine);
  ASSERT_NE(sysroot, "") << machine;
  const TempDir dir = TempDir::Create().value();
  const std::string secret = JoinPath(dir.path(), "secret");
  const std::string folder = JoinPath(dir.path(), "folder");
  ASSERT_TRUE(MakeDirs(folder).ok());
  ASSERT_TRUE(WriteFileAtomic(secret, "secret").ok());
  Confinement confinement;
  confinement.readable = {qemu, program, sysroot};
  confinement.folder = folder;
  confinement.max_data_bytes = int64_t{2} << 30;
  confinement.max_file_bytes = int64_t{1} << 20;
  confinement.max_open_files = 64;
  const auto prepared = PreparedConfinement::Prepare(confinement);
  ASSERT_TRUE(prepared.ok()) << prepared.status();

  const std::string file = JoinPath(folder, "file");
  std::vector<std::string> command = {qemu,
                                      "-L",
                                      sysroot,
                                      program,
                                      "thread",
                                      "generated_code",
                                      "signal_itself",
                                      "read=/proc/self/status",
                                      "write=" + file};
  std::string expected = absl::StrCat(
      "thread: ok\ngenerated_code: ok\nsignal_itself: ok\n"
      "read=/proc/self/status: ok\nwrite=",
      file, ": ok\n");
  if (!Lacks(**prepared, "seccomp")) {
    command.insert(command.end(), {"fork", "socket"});
    absl::StrAppend(&expected,
                    "fork: Operation not permitted\n"
                    "socket: Operation not permitted\n");
  }
  if (!Lacks(**prepared, "landlock: not")) {
    command.push_back("read=" + secret);
    absl::StrAppend(&expected, "read=", secret, ": Permission denied\n");
  }
  const auto result = RunConfined(command, prepared->get());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->exit_code, 0) << result->signal << " " << result->err;
  EXPECT_EQ(result->out, expected);
}

INSTANTIATE_TEST_SUITE_P(Machines, EmulatedMisbehaviourTest,
                         testing::Values("aarch64", "armhf"));

}  // namespace
}  // namespace assay::runtime

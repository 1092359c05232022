// Kills a program that appends to a store 200 times with SIGKILL, at random
// times, and restarts it: no acknowledged row is lost, no row is duplicated,
// and in the end all rows are present.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/store/history.h"
#include "reports/store/record_log.h"
#include "reports/store/testing/rows.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"

namespace assay::reports {
namespace {

constexpr char kProgram[] = "reports/store/testing/append_rows";
constexpr int kRows = 30;
constexpr int kKills = 200;
constexpr uint64_t kSeed = 1;

// A running append_rows and its standard output.
class Process {
 public:
  explicit Process(const std::string& folder) {
    int pipe_fds[2];
    EXPECT_EQ(pipe(pipe_fds), 0);
    const std::string rows = std::to_string(kRows);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(pipe_fds[1], STDOUT_FILENO);
      close(pipe_fds[0]);
      close(pipe_fds[1]);
      execl(kProgram, kProgram, folder.c_str(), rows.c_str(), nullptr);
      _exit(127);
    }
    close(pipe_fds[1]);
    out_ = fdopen(pipe_fds[0], "r");
  }
  ~Process() { fclose(out_); }

  // Waits for the acknowledgement of one row. Returns false at the end of the
  // output.
  bool ReadOne() {
    int number = 0;
    if (fscanf(out_, "%d", &number) != 1) return false;
    ++acknowledged_;
    return true;
  }

  // Waits for the process to end. Returns true if it was killed.
  bool Wait(bool kill_it) {
    if (kill_it) kill(pid_, SIGKILL);
    while (ReadOne()) {
    }
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    if (WIFSIGNALED(status)) return true;
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return false;
  }

  // Number of rows that the process reported to be on disk.
  int acknowledged() const { return acknowledged_; }

 private:
  pid_t pid_ = 0;
  FILE* out_ = nullptr;
  int acknowledged_ = 0;
};

// Returns true if the log ends with the final record of the run.
bool IsFinished(const std::string& folder) {
  const auto log = ReadLog(folder);
  return log.ok() && !log->entries.empty() &&
         log->entries.back().record.cell.empty();
}

// Returns the number of rows n, and checks that they are the rows 0 to n - 1.
int RowsIn(const std::string& folder) {
  if (!FileExists(folder)) return 0;  // killed before it was created
  const auto history = ReadHistory(folder);
  EXPECT_TRUE(history.ok()) << history.status();
  if (history->runs.empty()) return 0;
  EXPECT_EQ(history->runs.size(), 1u);
  const std::vector<Row>& rows = history->runs[0].rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(rows[i] == KillTestRow(static_cast<int>(i))) << i;
  }
  return static_cast<int>(rows.size());
}

TEST(KillTest, KilledRunsLoseNoRowsAndCanBeResumed) {
  Rng rng(kSeed);
  std::printf("seed %d\n", static_cast<int>(kSeed));
  int kills = 0;
  int torn = 0;
  int stores = 0;
  while (kills < kKills) {
    ++stores;
    const auto dir = TempDir::Create();
    const std::string folder = JoinPath(dir->path(), "store");
    int rows = 0;
    bool finished = false;
    while (!finished) {
      Process process(folder);
      const bool kill_it = kills < kKills;
      if (kill_it) {
        for (int64_t n = rng.UniformInt(0, 4); n > 0; --n) {
          if (!process.ReadOne()) break;
        }
        const timespec moment = {0, rng.UniformInt(0, 3'000'000)};
        nanosleep(&moment, nullptr);
      }
      if (process.Wait(kill_it)) ++kills;
      // It may have been killed after its final record.
      finished = IsFinished(folder);
      const int now = RowsIn(folder);
      // All acknowledged rows are present, and at most one that was written but
      // not yet acknowledged.
      ASSERT_GE(now, rows + process.acknowledged());
      ASSERT_LE(now, rows + process.acknowledged() + 1);
      rows = now;
    }
    EXPECT_EQ(rows, kRows);
    torn += static_cast<int>(ReadLog(folder)->corrupt_records.size());
    ASSERT_FALSE(HasFailure());
  }
  std::printf("%d kills, %d stores, %d torn writes\n", kills, stores, torn);
}

}  // namespace
}  // namespace assay::reports

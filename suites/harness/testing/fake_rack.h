// FakeRack: boards that a farm lends to several slots at the same time, for
// tests of --parallel. Each board takes a different time, so samples of two
// boards in one unit are noticed.
//
//   FakeRack rack({"rack-1", "rack-2"});
//   source_ = &rack;
//
// Thread-safe.
#ifndef ASSAY_SUITES_HARNESS_TESTING_FAKE_RACK_H_
#define ASSAY_SUITES_HARNESS_TESTING_FAKE_RACK_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/measure/session.h"
#include "suites/devices/device_source.h"

namespace assay::suites {

class FakeRack : public DeviceSource {
 public:
  struct Board {
    // Facts of the board; `board` is its name.
    runtime::DeviceFacts facts;
    double ms = 10;      // of a run
    int lost_after = 0;  // blocks after which it is lost for good, unless 0
    float output = 1;    // of all programs
  };

  explicit FakeRack(const std::vector<std::string>& names);

  // Changes a board before the run.
  Board& board(const std::string& name) { return boards_.at(name); }
  // Blocks wait, for at most ten seconds, until so many boards have begun one.
  void WaitFor(int boards) { wait_for_ = boards; }
  // Boards that are not lost wait, for at most ten seconds, until the slot of
  // one that is lost has ended.
  void WaitForAnEndedSlot() { wait_for_end_ = true; }
  // Sets the relative amplitude of a variation of all times.
  void SetScatter(double scatter) { scatter_ = scatter; }
  // A slot that has lost its board gets no other.
  void LendNoneAgain() { lend_again_ = false; }

  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& device, BlockLog* blocks) override;
  void StopWaiting() override;

  // The boards that were lent, in this order.
  std::vector<std::string> lent() const;
  // Highest number of boards that were lent at the same time.
  int most_at_once() const;
  bool all_returned() const;

 private:
  class Session;
  class Runner;

  absl::StatusOr<std::string> Acquire(bool wait);
  // `board` is empty if the slot has lost its board.
  void EndSlot(const std::string& board);
  bool IsLost(const std::string& board) const;
  // Counts a block. Returns Aborted if the board is lost.
  absl::Status NoteBlock(const std::string& board);

  std::map<std::string, Board> boards_;
  int wait_for_ = 0;
  bool lend_again_ = true;
  bool wait_for_end_ = false;
  double scatter_ = 0;
  // The variation continues from session to session, as that of a machine does.
  std::atomic<int64_t> taken_ = 0;

  mutable absl::Mutex mutex_;
  std::vector<std::string> free_;
  std::set<std::string> used_;
  std::set<std::string> begun_;  // the boards that have begun a block
  std::set<std::string> lost_;
  std::map<std::string, int> board_blocks_;
  std::vector<std::string> lent_;
  size_t most_at_once_ = 0;
  bool slot_ended_ = false;
  bool stopped_ = false;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_TESTING_FAKE_RACK_H_

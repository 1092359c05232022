// WallClock: the wall clock of programs that are started with a preloaded
// library (wall_clock_preload.cc). The clock of the machine is left alone.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto clock,
//                          WallClock::Create(file, preload));
//   … start programs …               // inherit LD_PRELOAD and the file
//   clock->Jump(-3600.0);            // all of them at once
#ifndef ASSAY_TESTS_FARM_CHAOS_TOOLS_WALL_CLOCK_H_
#define ASSAY_TESTS_FARM_CHAOS_TOOLS_WALL_CLOCK_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace assay {

class WallClock {
 public:
  // Creates `file`, which programs read, and sets the environment of programs
  // that this process starts later.
  static absl::StatusOr<std::unique_ptr<WallClock>> Create(
      const std::string& file, const std::string& preload);
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;
  ~WallClock();  // the environment is as before

  // Sets the clock forwards or backwards.
  void Jump(double seconds);
  // By how much the clock is ahead of that of the machine.
  double ahead_s() const;
  // How often programs have asked for the time of day.
  int64_t readings() const;
  // How often programs have waited until a time of day.
  int64_t waits() const;

 private:
  struct Shared {
    std::atomic<int64_t> ahead_nanos;
    std::atomic<int64_t> readings;
    std::atomic<int64_t> waits;
  };

  explicit WallClock(Shared* shared) : shared_(shared) {}

  Shared* const shared_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOOLS_WALL_CLOCK_H_

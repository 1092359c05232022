// Change: what is different between two nights of a cell, and therefore what
// can have changed its time.
//
// The time of a program can only change because of
//   code     the machine code of a kernel, or the model;
//   layout   another artifact of kernels with the same machine code: addresses,
//            the memory plan, constants, or the order of calls;
//   machine  the machine, or its state (kernel, governor, microcode, ...);
//   method   the runtime that runs the program, or how the time is taken.
// A row records all of these (reports/result/build_facts.h). If nothing is
// different, both nights measured the same thing (A/A), and every difference of
// the times is noise or a change of the machine that nobody recorded.
//
// A fact that one of the nights did not record is not a difference: results of
// earlier versions lack the runtime and the timing policy. Only the code is
// assumed to be different if another artifact does not say what it consists of.
#ifndef ASSAY_REPORTS_HISTORY_CHANGE_H_
#define ASSAY_REPORTS_HISTORY_CHANGE_H_

#include <cstdint>
#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

enum class Cause : uint8_t { kCode, kLayout, kMachine, kMethod };

// A set of causes.
class Causes {
 public:
  void Add(Cause cause) { bits_ |= Bit(cause); }
  void Remove(Cause cause) { bits_ &= ~Bit(cause); }
  bool Has(Cause cause) const { return (bits_ & Bit(cause)) != 0; }
  // True if both nights measured the same thing.
  bool none() const { return bits_ == 0; }
  // True if both nights ran the same artifact. The times of such nights differ
  // by what all programs of the machine have in common, and by noise.
  bool same_program() const {
    return !Has(Cause::kCode) && !Has(Cause::kLayout);
  }
  bool operator==(const Causes& other) const { return bits_ == other.bits_; }

 private:
  static uint32_t Bit(Cause cause) {
    return uint32_t{1} << static_cast<uint32_t>(cause);
  }
  uint32_t bits_ = 0;
};

// Returns the names of the causes: `none`, `code`, or `code and machine`.
std::string CausesText(const Causes& causes);

struct Change {
  Causes causes;
  // True if the cell was measured on another machine; false if only the state
  // of the machine changed.
  bool other_machine = false;
  // Descriptions of the differences of the program and the method, and of those
  // of the machine: `kernel: 6.1.0, before 6.0.9; ...`. Either may be empty.
  std::string program;
  std::string machine;
};

// A row and its run.
struct Measured {
  const RunResult& run;
  const Row& row;
};

// Returns the change of the cell from `before` to `after`, two rows of it.
Change ChangeOfCell(const Measured& before, const Measured& after);

// Returns the change of one kernel call of the cell, given the digests of its
// machine code in both nights. The code of other kernels is part of the layout.
Change ChangeOfKernel(const Measured& before, const std::string& digest_before,
                      const Measured& after, const std::string& digest_after);

// Returns the change of the reference runtime that was timed with the cell. Our
// program is not a part of it.
Change ChangeOfReference(const Measured& before, const Measured& after);

// Returns a name of the machine of a row: the fingerprint and, in a farm, the
// board.
std::string MachineOf(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_HISTORY_CHANGE_H_

// RegionCounts: the instructions and memory accesses of one region of a
// program, and the line of text in which the plug-in (plugin.cc) reports them:
//
//   region INSTRUCTIONS... LOADS STORES LOADED_BYTES STORED_BYTES LINES
//
// INSTRUCTIONS are kInstructionClasses numbers. region_report.h describes the
// whole text.
//
// The plug-in is linked with this file, and as a shared library it cannot use
// absl::Status.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_REGION_COUNTS_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_REGION_COUNTS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/tools/count/instruction_class.h"

namespace assay::runtime {

struct RegionCounts {
  // By InstructionClass.
  std::array<int64_t, kInstructionClasses> instructions = {};
  // Instructions that read memory, and that write memory, of whatever class. An
  // instruction that does both is in both numbers.
  int64_t loads = 0;
  int64_t stores = 0;
  int64_t loaded_bytes = 0;
  int64_t stored_bytes = 0;
  // Number of different cache lines of 64 bytes that are read or written.
  int64_t lines = 0;

  int64_t Of(InstructionClass which) const {
    return instructions[static_cast<size_t>(which)];
  }
  // Returns the number of instructions of all classes.
  int64_t Total() const;
  // Returns the number of multiply-adds, of vectors and of scalars.
  int64_t MultiplyAdds() const {
    return Of(InstructionClass::kVectorMultiplyAdd) +
           Of(InstructionClass::kScalarMultiplyAdd);
  }
  // Returns the number of vector instructions that are not moves from or to
  // memory, multiply-adds included.
  int64_t Vectors() const {
    return Of(InstructionClass::kVectorMultiplyAdd) +
           Of(InstructionClass::kVector);
  }
  int64_t Bytes() const { return loaded_bytes + stored_bytes; }
};

bool operator==(const RegionCounts& a, const RegionCounts& b);

// `+=` also adds the lines, which gives an upper bound for both regions, since
// they may access the same lines. For the same reason, `-=` leaves the lines as
// they are.
RegionCounts& operator+=(RegionCounts& a, const RegionCounts& b);
RegionCounts& operator-=(RegionCounts& a, const RegionCounts& b);

// Returns the line of a region, with a line break.
std::string RegionLine(const RegionCounts& counts);
// Returns the region of a line without its line break, or nothing if it is not
// such a line.
std::optional<RegionCounts> ParseRegionLine(absl::string_view line);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_REGION_COUNTS_H_

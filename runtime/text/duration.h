// FormatDuration: formats a measured time for tables and progress lines.
// HumanSeconds: formats an estimate.
//
//   FormatDuration(8.1234e-4)  ->  "812.3 µs"
//   FormatDuration(1.5)        ->  "1.500 s"
//   HumanSeconds(240)          ->  "4 min"
//
// The unit of a measured time is `ns`, `µs`, `ms` or `s`, so that the number is
// at least 1 and less than 1000 if there is such a unit. Numbers have four
// significant digits.
#ifndef ASSAY_RUNTIME_TEXT_DURATION_H_
#define ASSAY_RUNTIME_TEXT_DURATION_H_

#include <string>

namespace assay::runtime {

// CHECK-fails if `seconds` is negative or not finite.
std::string FormatDuration(double seconds);

// Returns whole seconds below two minutes, such as `12 s`, whole minutes below
// two hours, such as `3 min`, and otherwise hours, such as `2.5 h`.
std::string HumanSeconds(double seconds);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TEXT_DURATION_H_

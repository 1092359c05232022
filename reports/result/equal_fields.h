// Defines operator== for the structures in this folder. Each of these
// structures has a member function Fields() that returns a std::tie of all its
// data members.
#ifndef ASSAY_REPORTS_RESULT_EQUAL_FIELDS_H_
#define ASSAY_REPORTS_RESULT_EQUAL_FIELDS_H_

#include <tuple>
#include <utility>

namespace assay::reports {

template <typename T, typename = decltype(std::declval<const T&>().Fields())>
bool operator==(const T& a, const T& b) {
  return a.Fields() == b.Fields();
}

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_EQUAL_FIELDS_H_

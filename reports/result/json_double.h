// FromDouble: a double in results.json. Infinity and NaN, which JSON does not
// have, are the strings "inf", "-inf" and "nan".
#ifndef ASSAY_REPORTS_RESULT_JSON_DOUBLE_H_
#define ASSAY_REPORTS_RESULT_JSON_DOUBLE_H_

#include "reports/result/json_reader.h"

namespace assay::reports {

Json FromDouble(double value);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_JSON_DOUBLE_H_

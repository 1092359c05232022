// SiteFixture: a synthetic store and its site, for tests.
#ifndef ASSAY_REPORTS_SITE_TESTING_SITE_FIXTURE_H_
#define ASSAY_REPORTS_SITE_TESTING_SITE_FIXTURE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "reports/site/bisections.h"
#include "reports/site/site_writer.h"
#include "reports/site/testing/fake_store.h"
#include "runtime/base/file.h"

namespace assay::reports {

// A time after all nights of the store.
inline absl::Time FixtureNow() { return absl::FromUnixSeconds(1'900'000'000); }

// Writes the site of the store in `folder` to `out`.
absl::StatusOr<SiteSummary> WriteFixtureSite(
    const std::string& folder, const std::string& out,
    const SiteEventOptions& events = {});

// Returns the contents of all files below `folder`, by path.
std::map<std::string, std::string> FilesOf(const std::string& folder);

// Returns the argument of the data file. It is null if the file does not have
// the form of one.
nlohmann::ordered_json DataOf(const std::string& path);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_TESTING_SITE_FIXTURE_H_

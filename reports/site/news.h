// News: what people are told about: the feed of the site, and the summary for a
// pull request.
#ifndef ASSAY_REPORTS_SITE_NEWS_H_
#define ASSAY_REPORTS_SITE_NEWS_H_

#include <cstddef>
#include <string>

#include "reports/site/site_model.h"

namespace assay::reports {

// The number of entries of the feed.
constexpr size_t kFeedEntries = 100;

// Returns feed.xml, an Atom feed (RFC 4287). A run has at most one entry for
// what became slower and one for what became faster, and each bisection has
// one. The id of an entry does not change when it is written again.
std::string FeedXml(const SiteModel& model);

// Returns summary.md. Its first line is kSummaryMarker, by which a program that
// posts the summary finds the text that it posted before.
constexpr char kSummaryMarker[] = "<!-- assay-summary -->";
std::string SummaryMarkdown(const SiteModel& model);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_NEWS_H_

#include "reports/page/elements.h"

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(ElementsTest, FactsAreEscaped) {
  EXPECT_EQ(FactHtml("Median", "1 ms", ""),
            "<div><dt>Median</dt><dd>1 ms</dd></div>\n");
  EXPECT_EQ(FactHtml("a<b", "c&d", "\"e\""),
            "<div><dt>a&lt;b</dt><dd>c&amp;d <small>&quot;e&quot;</small>"
            "</dd></div>\n");
}

TEST(ElementsTest, CommandsBreakBetweenWords) {
  EXPECT_EQ(CommandHtml("run --out=<x>"),
            "<pre><code><span>run</span> <span>--out=&lt;x&gt;</span>"
            "</code></pre>");
}

}  // namespace
}  // namespace assay::reports

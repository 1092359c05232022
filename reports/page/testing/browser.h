// Browser: headless Chromium for tests of pages.
//
//   ASSIGN_OR_RETURN(Browser browser, Browser::Start(folder));
//   browser.Open("file:///tmp/page.html", {360, 800, /*dark=*/true});
//   browser.Evaluate("document.title")  ->  "Assay: nightly runs"
//
// It is controlled by the Chrome DevTools Protocol over a pipe, which needs
// neither a port nor a driver. `folder` is the root of the unpacked Debian
// packages with the program, its libraries and its fonts.
#ifndef ASSAY_REPORTS_PAGE_TESTING_BROWSER_H_
#define ASSAY_REPORTS_PAGE_TESTING_BROWSER_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "runtime/base/file.h"

namespace assay::reports {

struct Screen {
  int width = 1280;
  int height = 900;
  bool dark = false;
};

class Browser {
 public:
  static absl::StatusOr<std::unique_ptr<Browser>> Start(
      const std::string& folder);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens a page and waits for its load event.
  absl::Status Open(const std::string& url, const Screen& screen);
  // Evaluates an expression and awaits it if it is a promise. Returns an error
  // if it throws.
  absl::StatusOr<nlohmann::json> Evaluate(const std::string& expression);
  // Presses and releases a key: `Tab`, `Enter`, `ArrowLeft`, ` `.
  absl::Status Press(const std::string& key);
  // Returns a PNG of the whole page.
  absl::StatusOr<std::string> Screenshot();

  // Calls a method of the protocol for the current page.
  absl::StatusOr<nlohmann::json> Call(const std::string& method,
                                      const nlohmann::json& parameters);

 private:
  Browser(pid_t pid, int to, int from, TempDir home);

  absl::StatusOr<std::string> ReadMessage();

  pid_t pid_;
  int to_;
  int from_;
  TempDir home_;
  int last_id_ = 0;
  std::string session_;
  std::string buffer_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_TESTING_BROWSER_H_

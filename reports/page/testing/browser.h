// Browser: controls a headless Chromium in tests of pages.
//
//   ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Browser> browser,
//                          Browser::Start(folder));
//   browser->Open("file:///tmp/page.html", {360, 800, /*dark=*/true});
//   browser->Evaluate("document.title")  ->  "Assay: nightly runs"
//
// The browser is controlled with the Chrome DevTools Protocol over a pipe. The
// pipe requires neither a TCP port nor a driver program.
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
  // Starts the browser. `folder` is the root of the unpacked Debian packages
  // that contain the browser, its libraries and its fonts. Returns NotFound if
  // `folder` does not contain a browser.
  static absl::StatusOr<std::unique_ptr<Browser>> Start(
      const std::string& folder);
  // Ends the browser.
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens a page with the given screen and waits for the load event.
  absl::Status Open(const std::string& url, const Screen& screen);
  // Evaluates a JavaScript expression and returns its value. If the value is a
  // promise, waits until the promise settles and returns its result. Returns an
  // error if the expression throws or the promise is rejected.
  absl::StatusOr<nlohmann::json> Evaluate(const std::string& expression);
  // Presses and releases a key. The supported keys are `Tab`, `Enter`,
  // `Escape`, `End`, `Home`, `ArrowLeft`, `ArrowUp`, `ArrowRight`, `ArrowDown`,
  // and printable ASCII characters. Returns InvalidArgument for other keys.
  absl::Status Press(const std::string& key);
  // Returns an image in PNG format, of the whole page or of the part that the
  // screen shows.
  absl::StatusOr<std::string> Screenshot(bool whole_page = true);

  // Calls a method of the DevTools protocol for the current page and returns
  // the result.
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

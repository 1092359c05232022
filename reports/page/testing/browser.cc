#include "reports/page/testing/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using nlohmann::json;

constexpr int kTimeoutMs = 60'000;

// Executes the browser in the child process. The protocol uses the descriptors
// 3 for commands and 4 for replies.
[[noreturn]] void Exec(const std::string& folder, const std::string& home,
                       int from_parent, int to_parent) {
  // The pipe itself may use the descriptors 3 and 4; move it out of the way.
  const int in = fcntl(from_parent, F_DUPFD, 10);
  const int out = fcntl(to_parent, F_DUPFD, 10);
  dup2(in, 3);
  dup2(out, 4);
  const std::string libraries = absl::StrCat(
      folder, "/usr/lib/x86_64-linux-gnu:", folder,
      "/lib/x86_64-linux-gnu:", folder, "/usr/lib/x86_64-linux-gnu/pulseaudio");
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  setenv("FONTCONFIG_FILE", absl::StrCat(home, "/fonts.conf").c_str(), 1);
  setenv("HOME", home.c_str(), 1);
  const std::string program =
      absl::StrCat(folder, "/usr/lib/chromium/chromium-headless-shell");
  const std::string profile = absl::StrCat("--user-data-dir=", home);
  // The sandbox needs privileges that a test may not have.
  execl(program.c_str(), program.c_str(), "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--hide-scrollbars",
        "--remote-debugging-pipe", "--log-level=3", profile.c_str(),
        "about:blank", static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

Browser::Browser(pid_t pid, int to, int from, TempDir home)
    : pid_(pid), to_(to), from_(from), home_(std::move(home)) {}

absl::StatusOr<std::unique_ptr<Browser>> Browser::Start(
    const std::string& folder) {
  const std::string program =
      absl::StrCat(folder, "/usr/lib/chromium/chromium-headless-shell");
  if (!FileExists(program)) {
    return absl::NotFoundError(
        absl::StrCat("there is no browser: `", program, "` does not exist"));
  }
  ASSAY_ASSIGN_OR_RETURN(TempDir home, TempDir::Create("browser"));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
      JoinPath(home.path(), "fonts.conf"),
      absl::StrCat("<?xml version=\"1.0\"?>\n<fontconfig><dir>", folder,
                   "/usr/share/fonts</dir><cachedir>", home.path(),
                   "/fonts</cachedir></fontconfig>\n")));
  int commands[2];
  int answers[2];
  if (pipe(commands) != 0 || pipe(answers) != 0) {
    return absl::InternalError("cannot create pipes for the browser");
  }
  const std::string where = home.path();
  const pid_t pid = fork();
  if (pid == 0) Exec(folder, where, commands[0], answers[1]);
  close(commands[0]);
  close(answers[1]);
  if (pid < 0) return absl::InternalError("cannot start the browser");
  signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<Browser> browser(
      new Browser(pid, commands[1], answers[0], std::move(home)));
  ASSAY_ASSIGN_OR_RETURN(
      const json target,
      browser->Call("Target.createTarget", {{"url", "about:blank"}}));
  ASSAY_ASSIGN_OR_RETURN(
      const json session,
      browser->Call("Target.attachToTarget",
                    {{"targetId", target["targetId"]}, {"flatten", true}}));
  browser->session_ = session["sessionId"];
  ASSAY_RETURN_IF_ERROR(browser->Call("Page.enable", json::object()).status());
  return browser;
}

Browser::~Browser() {
  close(to_);
  close(from_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

absl::StatusOr<std::string> Browser::ReadMessage() {
  for (;;) {
    const size_t end = buffer_.find('\0');
    if (end != std::string::npos) {
      std::string message = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return message;
    }
    pollfd ready = {from_, POLLIN, 0};
    if (poll(&ready, 1, kTimeoutMs) <= 0) {
      return absl::DeadlineExceededError("the browser does not respond");
    }
    char bytes[65536];
    const ssize_t count = read(from_, bytes, sizeof bytes);
    if (count <= 0) return absl::UnavailableError("the browser has ended");
    buffer_.append(bytes, static_cast<size_t>(count));
  }
}

absl::StatusOr<json> Browser::Call(const std::string& method,
                                   const json& parameters) {
  json command = {
      {"id", ++last_id_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) command["sessionId"] = session_;
  std::string text = command.dump();
  text += '\0';
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(to_, text.data() + sent, text.size() - sent);
    if (count <= 0) return absl::UnavailableError("the browser has ended");
    sent += static_cast<size_t>(count);
  }
  for (;;) {
    ASSAY_ASSIGN_OR_RETURN(const std::string message, ReadMessage());
    const json answer = json::parse(message, nullptr, false);
    // Skip events.
    if (answer.value("id", 0) != last_id_) continue;
    if (answer.contains("error")) {
      return absl::InternalError(
          absl::StrCat(method, ": ", answer["error"].dump()));
    }
    return answer["result"];
  }
}

absl::Status Browser::Open(const std::string& url, const Screen& screen) {
  ASSAY_RETURN_IF_ERROR(Call("Emulation.setDeviceMetricsOverride",
                             {{"width", screen.width},
                              {"height", screen.height},
                              {"deviceScaleFactor", 1},
                              {"mobile", screen.width < 600}})
                            .status());
  ASSAY_RETURN_IF_ERROR(Call("Emulation.setEmulatedMedia",
                             {{"features",
                               {{{"name", "prefers-color-scheme"},
                                 {"value", screen.dark ? "dark" : "light"}}}}})
                            .status());
  // A URL that differs only in its fragment would not be loaded again.
  for (const std::string& address : {std::string("about:blank"), url}) {
    ASSAY_ASSIGN_OR_RETURN(const json navigated,
                           Call("Page.navigate", {{"url", address}}));
    if (navigated.contains("errorText")) {
      return absl::NotFoundError(absl::StrCat(
          "`", address, "`: ", navigated["errorText"].get<std::string>()));
    }
  }
  return Evaluate(
             "new Promise(done => document.readyState === 'complete' ? done(1) "
             ": addEventListener('load', () => done(1)))")
      .status();
}

absl::StatusOr<json> Browser::Evaluate(const std::string& expression) {
  ASSAY_ASSIGN_OR_RETURN(const json answer,
                         Call("Runtime.evaluate", {{"expression", expression},
                                                   {"awaitPromise", true},
                                                   {"returnByValue", true}}));
  if (answer.contains("exceptionDetails")) {
    return absl::InternalError(answer["exceptionDetails"].dump());
  }
  return answer["result"].value("value", json());
}

absl::Status Browser::Press(const std::string& key) {
  static const std::map<std::string, int>& codes =
      *new std::map<std::string, int>{
          {"Tab", 9},      {"Enter", 13},      {"Escape", 27},
          {"End", 35},     {"Home", 36},       {"ArrowLeft", 37},
          {"ArrowUp", 38}, {"ArrowRight", 39}, {"ArrowDown", 40}};
  json event = {
      {"type", "keyDown"}, {"key", key}, {"code", key == " " ? "Space" : key}};
  if (key.size() == 1 && absl::ascii_isprint(key[0])) {
    event["text"] = key;
    event["windowsVirtualKeyCode"] = absl::ascii_toupper(key[0]);
  } else if (codes.count(key) > 0) {
    event["windowsVirtualKeyCode"] = codes.at(key);
  } else {
    return absl::InvalidArgumentError(absl::StrCat("no key `", key, "`"));
  }
  if (key == "Enter") event["text"] = "\r";
  ASSAY_RETURN_IF_ERROR(Call("Input.dispatchKeyEvent", event).status());
  event["type"] = "keyUp";
  event.erase("text");
  return Call("Input.dispatchKeyEvent", event).status();
}

absl::StatusOr<std::string> Browser::Screenshot(bool whole_page) {
  ASSAY_ASSIGN_OR_RETURN(
      const json answer,
      Call("Page.captureScreenshot", {{"captureBeyondViewport", whole_page}}));
  std::string png;
  if (!absl::Base64Unescape(answer["data"].get<std::string>(), &png)) {
    return absl::InternalError("the screenshot is not valid base64");
  }
  return png;
}

}  // namespace assay::reports

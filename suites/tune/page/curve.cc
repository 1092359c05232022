#include "suites/tune/page/curve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "reports/render/markup.h"
#include "suites/tune/page/format.h"

namespace assay::suites {
namespace {

using reports::EscapeMarkup;

// The height of the coordinate system of the dots.
constexpr int kHeight = 1000;

// Returns the largest of 1, 2 and 5 times a power of ten such that at least
// `parts` steps of it reach `top`.
double TickStep(double top, int parts) {
  const double most = top / parts;
  const double power = std::pow(10, std::floor(std::log10(most)));
  for (const int factor : {5, 2}) {
    if (factor * power <= most) return factor * power;
  }
  return power;
}

class Chart {
 public:
  explicit Chart(const PageTask& task)
      : task_(task), count_(static_cast<int64_t>(task.trials.size())) {
    if (task.best_nanos().has_value()) top_ = 1.08 * RateOf(*task.best_nanos());
  }

  // Grid lines with labels of both axes.
  std::string Axes() const {
    std::string svg = absl::StrCat("<text class=\"unit\" x=\"-40\" y=\"-12\">",
                                   task_.RateUnit(), "</text>");
    const double step = TickStep(top_, 3);
    for (int i = 0; i * step <= top_; ++i) {
      const std::string y = Percent(1 - i * step / top_);
      absl::StrAppend(&svg, "<line class=\"level\" x1=\"0\" x2=\"100%\" y1=\"",
                      y, "\" y2=\"", y, "\"></line><text class=\"y\" x=\"-8\" ",
                      "y=\"", y, "\" dy=\"4\">",
                      absl::StrFormat("%g", i * step), "</text>");
    }
    svg += "<text class=\"y\" x=\"-8\" y=\"100%\" dy=\"26\">trial</text>";
    const auto trials = static_cast<int64_t>(
        std::max(1.0, TickStep(static_cast<double>(count_), 2)));
    for (int64_t trial = trials; trial <= count_; trial += trials) {
      absl::StrAppend(&svg, "<text class=\"x\" x=\"", X(trial - 1),
                      "\" y=\"100%\" dy=\"26\">", trial, "</text>");
    }
    return svg;
  }

  // The dots, the step line, and the ticks of failed trials. All have trial
  // numbers as horizontal coordinates.
  std::string Trials(const ImplementationClasses& classes) const {
    std::map<std::string, std::string> dots;  // paths, by class
    std::string best, failed;
    for (size_t i = 0; i < task_.trials.size(); ++i) {
      const PageTrial& trial = task_.trials[i];
      if (!trial.nanos.has_value()) {
        absl::StrAppend(&failed, "M", i, " 4v6");
        continue;
      }
      absl::StrAppend(&dots[classes.at(trial.record->implementation)], "M", i,
                      " ", Y(*trial.nanos), "h0");
    }
    // The step line goes right to each improvement, then up.
    for (const size_t i : task_.improvements) {
      const int64_t y = Y(*task_.trials[i].nanos);
      const bool first = best.empty();
      absl::StrAppend(&best, first ? "M" : "H", i, first ? " " : "V", y);
    }
    if (!best.empty()) absl::StrAppend(&best, "H", count_ - 1);
    std::string svg = Frame(kHeight, "100%", "0");
    for (const auto& [name, path] : dots) {
      absl::StrAppend(&svg, Path(absl::StrCat("dots ", name), path));
    }
    absl::StrAppend(&svg, Path("best", best), "</svg>");
    if (failed.empty()) return svg;
    return absl::StrCat(svg, Frame(10, "10", "100%"), Path("failed", failed),
                        "</svg>");
  }

  // The level of the default point, the starts of runs, and the accepted point.
  std::string Marks() const {
    std::string svg;
    if (task_.default_nanos.has_value()) {
      const std::string y = Percent(Y(*task_.default_nanos) * 1.0 / kHeight);
      absl::StrAppend(&svg, "<line class=\"default\" x1=\"0\" x2=\"100%\" ",
                      "y1=\"", y, "\" y2=\"", y, "\"></line><text ",
                      "class=\"note\" x=\"100%\" y=\"", y,
                      "\" dy=\"14\">default</text>");
    }
    for (const PageRun& run : task_.runs) {
      if (task_.runs.size() < 2) break;
      const std::string x = Percent(static_cast<double>(run.first_trial) /
                                    static_cast<double>(count_));
      absl::StrAppend(&svg, "<line class=\"run\" x1=\"", x, "\" x2=\"", x,
                      "\" y1=\"0\" y2=\"100%\"></line><text class=\"tuner\" ",
                      "x=\"", x, "\" y=\"0\" dx=\"4\" dy=\"10\">",
                      EscapeCut(run.tuner), "</text>");
    }
    if (task_.accepted_trial.has_value()) {
      absl::StrAppend(&svg, "<circle class=\"accepted\" cx=\"",
                      X(static_cast<int64_t>(*task_.accepted_trial)),
                      "\" cy=\"",
                      Percent(Y(*task_.trials[*task_.accepted_trial].nanos) *
                              1.0 / kHeight),
                      "\" r=\"6\"></circle>");
    }
    return svg;
  }

  // A sentence for those who cannot see the chart.
  std::string Label() const {
    std::string text = absl::StrCat(
        "Best ", task_.RateUnit(), " by trial of ", task_.name, ": ",
        task_.best_nanos().has_value() ? Rounded(*task_.best_nanos()) : "none",
        " after ", count_, " trials");
    if (task_.default_nanos.has_value()) {
      absl::StrAppend(&text, ", default ", Rounded(*task_.default_nanos));
    }
    return text;
  }

 private:
  double RateOf(double nanos) const { return task_.Rate(nanos); }
  std::string Rounded(double nanos) const {
    return absl::StrFormat("%.3g", RateOf(nanos));
  }

  static std::string Percent(double part) {
    return absl::StrFormat("%.4g%%", 100 * part);
  }
  std::string X(int64_t trial) const {
    return Percent((static_cast<double>(trial) + 0.5) /
                   static_cast<double>(count_));
  }
  int64_t Y(double nanos) const {
    return std::lround(kHeight * (1 - RateOf(nanos) / top_));
  }

  // An inner coordinate system with a unit per trial, stretched to the width of
  // the chart.
  std::string Frame(int units, absl::string_view height,
                    absl::string_view y) const {
    return absl::StrCat("<svg class=\"frame\" width=\"100%\" height=\"", height,
                        "\" y=\"", y, "\" preserveAspectRatio=\"none\" ",
                        "viewBox=\"-0.5 0 ", count_, " ", units, "\">");
  }
  static std::string Path(absl::string_view name, absl::string_view path) {
    return absl::StrCat("<path class=\"", name, "\" d=\"", path, "\"></path>");
  }

  const PageTask& task_;
  const int64_t count_;  // of trials
  double top_ = 1;       // rate at the upper edge
};

std::string LegendHtml(const PageTask& task,
                       const ImplementationClasses& classes) {
  struct Counts {
    int64_t trials = 0;
    double best_nanos = 0;
  };
  std::map<std::string, Counts> implementations;
  int64_t failed = 0;
  for (const PageTrial& trial : task.trials) {
    if (!trial.nanos.has_value()) {
      ++failed;
      continue;
    }
    Counts& counts = implementations[trial.record->implementation];
    counts.best_nanos = counts.trials++ == 0
                            ? *trial.nanos
                            : std::min(counts.best_nanos, *trial.nanos);
  }
  const auto item = [](absl::string_view drawing, absl::string_view text) {
    return absl::StrCat("<li><svg class=\"swatch\" aria-hidden=\"true\" ",
                        "width=\"12\" height=\"12\">", drawing, "</svg> ", text,
                        "</li>\n");
  };
  std::string html = "<ul class=\"key\">\n";
  for (const auto& [name, counts] : implementations) {
    html += item(absl::StrCat("<path class=\"dots ", classes.at(name),
                              "\" d=\"M6 6h0\"></path>"),
                 absl::StrFormat("%s: %d, best %.3g", EscapeCut(name),
                                 counts.trials, task.Rate(counts.best_nanos)));
  }
  if (failed > 0) {
    html += item("<path class=\"failed\" d=\"M6 2v8\"></path>",
                 absl::StrCat("failed: ", failed));
  }
  if (task.accepted_trial.has_value()) {
    html +=
        item("<circle class=\"accepted\" cx=\"6\" cy=\"6\" r=\"5\"></circle>",
             absl::StrCat("accepted: trial ", *task.accepted_trial + 1));
  }
  return html + "</ul>\n";
}

}  // namespace

ImplementationClasses ClassifyImplementations(
    const std::vector<std::string>& names) {
  ImplementationClasses classes;
  std::map<std::string, int> counts;  // by prefix
  for (const std::string& name : names) {
    if (classes.count(name) > 0) continue;
    int& count = counts[name.substr(0, name.find('.'))];
    classes[name] = absl::StrCat("c", count++ % kImplementationClasses);
  }
  return classes;
}

std::string CurveHtml(const PageTask& task,
                      const ImplementationClasses& classes) {
  if (task.trials.empty()) return "";
  const Chart chart(task);
  return absl::StrCat("<figure>\n<svg class=\"curve\" role=\"img\" ",
                      "aria-label=\"", EscapeMarkup(chart.Label()), "\">",
                      chart.Axes(), chart.Trials(classes), chart.Marks(),
                      "</svg>\n<figcaption>\n", LegendHtml(task, classes),
                      "</figcaption>\n</figure>\n");
}

}  // namespace assay::suites

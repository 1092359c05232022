// TextTable: aligns text in columns for a terminal.
//
//   TextTable table({{"device"}, {"ms", TextTable::kRight}});
//   table.AddRow({"rpi3b", "12.5"});
//   table.ToString()  ->  "device    ms\n"
//                         "rpi3b   12.5\n"
//
// Two spaces are between columns, and no spaces are at the end of a line. The
// width of UTF-8 text is the number of its code points.
#ifndef ASSAY_RUNTIME_TEXT_TEXT_TABLE_H_
#define ASSAY_RUNTIME_TEXT_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace assay::runtime {

class TextTable {
 public:
  enum Side { kLeft, kRight };
  struct Column {
    std::string title;
    Side side = kLeft;
    // The column is at least as wide as this text, so that tables of single
    // rows are aligned with each other.
    std::string widest = {};
  };

  explicit TextTable(std::vector<Column> columns);

  // CHECK-fails unless there is a cell for each column.
  void AddRow(std::vector<std::string> cells);

  // Returns the titles and the rows, each with a line break.
  std::string ToString() const;

 private:
  const std::vector<Column> columns_;
  std::vector<std::vector<std::string>> lines_;  // the first has the titles
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TEXT_TEXT_TABLE_H_

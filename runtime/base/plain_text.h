// PlainText and PlainLines: make text from outside, such as the names in a
// model, safe for a terminal, a table and a file.
//
// A name can have any bytes: a control sequence that moves the cursor of a
// terminal, a line break that looks like a new row of a table, a character that
// reverses the direction of the text after it, or bytes that are not UTF-8,
// which JSON cannot contain. Both functions replace such bytes by escape
// sequences of C such as `\x1b` and `\n`, so the result shows what the name
// contains. They do not change other text, so escaping the result again does
// not change it.
//
// The result is for people. Do not use it to find a file or a node. Characters
// that have a meaning in the target format, such as quotes in CSV, must be
// escaped as well (csv_field.h, markup.h).
#ifndef ASSAY_RUNTIME_BASE_PLAIN_TEXT_H_
#define ASSAY_RUNTIME_BASE_PLAIN_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// Returns `text` as one line of UTF-8 without control characters.
std::string PlainText(absl::string_view text);

// As PlainText(), but keeps line breaks: for text of several lines.
std::string PlainLines(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_PLAIN_TEXT_H_

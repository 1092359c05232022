#!/bin/sh
# Usage: summary.sh RESULTS FOLDER COMMIT BEGAN
#
# Prints a table of a night, and writes it as FOLDER/summary.md and, for other
# programs, FOLDER/junit.xml. RESULTS has a line for each step with tabs between
# its name, its result, its seconds, what it checks, and a note; FOLDER has the
# logs; BEGAN is in seconds since 1970. Logs are not trusted: all of them is
# escaped, and only their last lines are shown.
#
# Exit codes: 0 all that ran passed; 1 a step failed; 2 none has run; 5 the
# machine failed, or the night was interrupted.
set -eu

results=$1
folder=$2
commit=$3
began=$(date -d "@$4" '+%F %H:%M')

# Escape FILE: its last lines, for HTML and XML.
Escape() {
  tail -n 30 "$1" | cut -c 1-500 | LC_ALL=C tr -d '\000-\010\013-\037\177' |
    iconv -c -f UTF-8 -t UTF-8 |
    sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -F '\t' '$2 == "failed" || $2 == "machine" { print $1 }' "$results" |
  while read -r step; do
    [ ! -f "$folder/$step.log" ] || Escape "$folder/$step.log" > "$work/$step"
  done

sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g' \
  "$results" > "$work/results"
status=0
awk -F '\t' -v folder="$folder" -v commit="$commit" -v began="$began" \
  -v work="$work" '
  function Time(seconds) {
    if (seconds >= 3600)
      return sprintf("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                     seconds % 60)
    return sprintf("%d:%02d", seconds / 60, seconds % 60)
  }
  function Plain(text) {
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&amp;/, "\\&", text)
    return text
  }
  function CopyLog(step, to,  line) {
    while ((getline line < (work "/" step)) > 0) print line > to
    close(work "/" step)
  }
  {
    name[NR] = $1; result[NR] = $2; time[NR] = $3; checks[NR] = $4; note[NR] = $5
    number[$2]++
    all += $3
    label[NR] = $2 ($5 == "" ? "" : " (" $5 ")")
    if (length(label[NR]) > width) width = length(label[NR])
  }
  END {
    title = "Nightly run: " number["passed"] + 0 " of " NR " steps passed"
    if (number["failed"]) title = title ", " number["failed"] " failed"
    if (number["machine"]) title = title ", " number["machine"] \
      " not finished because of the machine"
    if (number["interrupted"]) title = title ", interrupted"
    if (number["not run"]) title = title ", " number["not run"] " not run"

    format = "%-18s %-" width "s %8s  %s\n"
    printf format, "step", "result", "time", "log"
    for (i = 1; i <= NR; i++) {
      ran = result[i] ~ /^(passed|failed|interrupted)$/ || time[i] > 0
      log_file = ran ? folder "/" name[i] ".log" : "-"
      printf format, name[i], Plain(label[i]), ran ? Time(time[i]) : "-", log_file
    }
    print "\n" title

    md = folder "/summary.md.new"
    print "<!-- assay-nightly -->\n## " title "\n" > md
    print "Commit " commit ", begun " began ", " Time(all) " of steps.\n" > md
    print "| Step | Result | Time | Checks |\n|---|---|---:|---|" > md
    for (i = 1; i <= NR; i++) {
      gsub(/[|]/, "\\&#124;", label[i])
      bold = result[i] == "failed" || result[i] == "machine" ? "**" : ""
      print "| " name[i] " | " bold label[i] bold " | " \
        (time[i] > 0 ? Time(time[i]) : "") " | " checks[i] " |" > md
    }
    for (i = 1; i <= NR; i++) {
      if (result[i] != "failed" && result[i] != "machine") continue
      print "\n<details><summary>" name[i] ": last lines of the log</summary>\n" \
        "\n<pre>" > md
      CopyLog(name[i], md)
      print "</pre>\n</details>" > md
    }
    close(md)

    xml = folder "/junit.xml.new"
    print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" > xml
    printf "<testsuite name=\"nightly\" tests=\"%d\" failures=\"%d\" " \
      "errors=\"%d\" skipped=\"%d\" time=\"%d\">\n", NR, number["failed"],
      number["machine"], number["not run"] + number["interrupted"], all > xml
    for (i = 1; i <= NR; i++) {
      printf "  <testcase classname=\"nightly\" name=\"%s\" time=\"%d\">", name[i],
        time[i] > xml
      tag = result[i] == "failed" ? "failure" : result[i] == "machine" ? "error" : \
        result[i] == "passed" ? "" : "skipped"
      if (tag == "skipped") {
        printf "<skipped message=\"%s\"/>", result[i] == "interrupted" ? \
          result[i] : note[i] > xml
      } else if (tag != "") {
        printf "<%s message=\"%s\">", tag, note[i] > xml
        CopyLog(name[i], xml)
        printf "</%s>", tag > xml
      }
      print "</testcase>" > xml
    }
    print "</testsuite>" > xml
    close(xml)

    if (number["failed"]) exit 1
    if (number["machine"] || number["interrupted"]) exit 5
    if (!number["passed"]) exit 2
  }' "$work/results" || status=$?
mv "$folder/summary.md.new" "$folder/summary.md"
mv "$folder/junit.xml.new" "$folder/junit.xml"
echo "summary: $folder/summary.md"
exit "$status"

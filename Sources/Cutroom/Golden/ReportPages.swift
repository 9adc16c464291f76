import Foundation

/// Text that stands in XML or HTML.
enum Markup {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      // XML has no way to write these.
      case _ where scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value):
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Reports in the form that build servers read.
enum JUnit {
  static func document(_ reports: [ComparisonReport]) -> String {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
    for report in reports { lines += suite(report) }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func suite(_ report: ComparisonReport) -> [String] {
    let failures = report.tiers.filter { $0.result == .differs }.count
    let skipped = report.tiers.filter { $0.result == .skipped }.count
    let name = Markup.escaped(report.name)
    // A suite that compared nothing must not look like one that passed.
    let isBroken = !report.isEqual && failures == 0
    var lines = [
      "  <testsuite name=\"\(name)\" tests=\"\(report.tiers.count + (isBroken ? 1 : 0))\" "
        + "failures=\"\(failures)\" errors=\"\(isBroken ? 1 : 0)\" skipped=\"\(skipped)\">"
    ]
    if isBroken {
      let message = Markup.escaped(report.failure?.description ?? "nothing was compared")
      lines.append(
        "    <testcase classname=\"\(name)\" name=\"compare\"><error message=\"\(message)\"/>"
          + "</testcase>")
    }
    for tier in report.tiers {
      let detail = Markup.escaped(tier.detail)
      let inside =
        switch tier.result {
        case .equal: ""
        case .within: "<system-out>\(detail)</system-out>"
        case .differs: "<failure message=\"\(detail)\"/>"
        case .skipped: "<skipped message=\"\(detail)\"/>"
        }
      lines.append(
        "    <testcase classname=\"\(name)\" name=\"\(tier.tier.rawValue)\">\(inside)</testcase>")
    }
    return lines + ["  </testsuite>"]
  }
}

/// Reports as a page that needs no other file.
enum HTMLPage {
  static func document(title: String, _ reports: [ComparisonReport]) -> String {
    let title = Markup.escaped(title)
    let isEqual = !reports.isEmpty && reports.allSatisfy(\.isEqual)
    let head = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>\(title)</title><style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em }
      table { border-collapse: collapse; width: 100% }
      td, th { text-align: left; padding: .3em .8em; border-bottom: 1px solid #ccc; vertical-align: top }
      .equal { color: #17703a } .within { color: #8a6100 } .differs { color: #b3261e }
      .skipped { color: #777 }
      figure { display: inline-block; margin: .5em 1em .5em 0 } figure img { display: block }
      figcaption { font-size: 13px; color: #555 }
      @media (prefers-color-scheme: dark) { body { background: #181a1b; color: #ddd }
      .equal { color: #5fcf8b } .within { color: #e0b050 } .differs { color: #ff8a80 } }
      </style></head><body>
      <h1>\(title)</h1>
      <p class="\(isEqual ? "equal" : "differs")">\
      \(isEqual ? "As recorded." : "Not as recorded.")</p>
      """
    return head + "\n" + reports.map(section).joined() + "</body></html>\n"
  }

  private static func section(_ report: ComparisonReport) -> String {
    let mark = report.isEqual ? "equal" : "differs"
    var html =
      "<h2 class=\"\(mark)\">\(Markup.escaped(report.name))</h2>\n<p>\(Markup.escaped(report.output))</p>\n"
    if let failure = report.failure {
      html += "<p class=\"differs\">\(Markup.escaped(failure.description))</p>\n"
    }
    html += "<table><tr><th>tier</th><th>result</th><th>detail</th></tr>\n"
    for tier in report.tiers {
      let result = tier.result.rawValue
      html +=
        "<tr><td>\(tier.tier.rawValue)</td><td class=\"\(result)\">\(result)</td>"
        + "<td>\(Markup.escaped(tier.detail))</td></tr>\n"
    }
    html += "</table>\n"
    for pair in report.frames {
      html += "<h3>\(Markup.escaped(pair.caption))</h3>\n"
      html += figure(pair.reference, "golden, small") + figure(pair.small, "output, small")
      html += figure(pair.full, "output")
    }
    return html
  }

  private static func figure(_ png: [UInt8], _ caption: String) -> String {
    guard !png.isEmpty else { return "" }
    let data = Data(png).base64EncodedString()
    return "<figure><img alt=\"\(caption)\" src=\"data:image/png;base64,\(data)\">"
      + "<figcaption>\(caption)</figcaption></figure>\n"
  }
}

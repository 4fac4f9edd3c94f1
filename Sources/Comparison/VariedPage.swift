package import Core
internal import Pages

/// HTML page that `--html` writes for creatives under several conditions: a table for each creative and its pictures.
package struct VariedPage {
  /// One creative.
  package struct Section {
    let name: String
    /// Rows of a table, with the column heads first.
    let table: [[String]]
    let notes: [String]
    /// Caption and path of the last picture under each condition.
    let pictures: [(caption: String, path: String)]

    package init(name: String, table: [[String]], notes: [String], pictures: [(caption: String, path: String)]) {
      (self.name, self.table, self.notes, self.pictures) = (name, table, notes, pictures)
    }
  }

  private let title: String
  private let sections: [Section]
  /// Maximum number of picture bytes in the page, before base64; pictures beyond it are only named.
  private let limit: Int

  package init(title: String, sections: [Section], limit: Int = 64 << 20) {
    (self.title, self.sections, self.limit) = (title, sections, limit)
  }

  package func write(to sink: DiffPage.Sink) throws(Fault) {
    var pictures = EmbeddedImages(limit: limit)
    try sink(head.text)
    for section in sections { try sink(html(of: section, &pictures).text) }
    try sink("</main>\n\(document.foot)\n</body>\n</html>\n")
  }

  private var document: PageDocument {
    PageDocument(title: "\(DiffPage.text(title))", parts: [PageLook.comparison])
  }

  private var head: Markup {
    """
    <!doctype html>
    <html lang="en">
    <head>\(document.head)</head>
    <body class="compared">
    <a class="skip" href="#main">Skip to the content</a>
    <header><h1>\(DiffPage.text(title))</h1><p>Galley \(Galley.version)</p></header>
    <main id="main" tabindex="-1">

    """
  }

  private func html(of section: Section, _ pictures: inout EmbeddedImages) -> Markup {
    var parts: [Markup] = ["<section class=\"result\"><h2>\(DiffPage.text(section.name))</h2>"]
    if let heads = section.table.first, section.table.count > 1 {
      let head = Markup(joining: heads.map { "<th scope=\"col\">\(DiffPage.text($0))</th>" })
      let rows = section.table.dropFirst().map { row -> Markup in
        "<tr>\(Markup(joining: row.map { "<td>\(DiffPage.text($0))</td>" }))</tr>\n"
      }
      parts.append("<table><thead><tr>\(head)</tr></thead><tbody>\n\(Markup(joining: rows))</tbody></table>")
    }
    if !section.notes.isEmpty {
      parts.append("<ul>\(Markup(joining: section.notes.map { "<li>\(DiffPage.text($0))</li>\n" }))</ul>")
    }
    let figures = section.pictures.map { caption, path -> Markup in
      let label = DiffPage.text(caption)
      guard let address = pictures.address(of: path) else {
        return "<p class=\"faint\">\(label): \(DiffPage.text(path)) isn't shown: unreadable or too large</p>\n"
      }
      let image: Markup = "<img alt=\"\(DiffPage.text(section.name)), \(label)\" src=\"\(Markup(raw: address))\">"
      return "<figure><figcaption>\(label)</figcaption>\(image)</figure>\n"
    }
    if !figures.isEmpty { parts.append("<div class=\"varied\">\(Markup(joining: figures))</div>") }
    return Markup(joining: parts + ["</section>\n"], separator: "\n")
  }
}

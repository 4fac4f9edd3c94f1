/// Things a page names at its top, such as what is new.
package struct PageList: Sendable {
  private let title: String
  private let items: [String]

  package init(_ title: String, _ items: [String]) {
    (self.title, self.items) = (title, items)
  }

  /// Nothing when there is nothing to name.
  var html: String {
    guard !items.isEmpty else { return "" }
    let lines = items.map { "<li>\(HTMLText.escape($0))</li>" }.joined(separator: "\n")
    return "<section class=\"list\"><h2>\(HTMLText.escape(title)): \(items.count)</h2><ul>\n\(lines)</ul></section>\n"
  }
}

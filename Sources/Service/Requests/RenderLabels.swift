internal import Core

/// What its sender says a render belongs to, like a project, a branch and a commit; lists group and filter by it.
package enum RenderLabels {
  /// The most labels of one render, and characters of a name and a value.
  package static let most = 16
  static let longestName = 40
  static let longestValue = 200

  /// Labels of an object, or of `name=value` with commas or line ends between; what is wrong is noted.
  static func read(_ name: String, _ reader: inout FieldReader) -> [String: String]? {
    guard let value = reader.value(name) else { return nil }
    var labels: [String: String] = [:]
    if let members = value.object {
      for (label, text) in members {
        guard let text = text.string else { return reader.fail(name, "'\(label.printable)' must be a string") }
        labels[label] = text
      }
    } else if let text = value.string {
      for part in text.split(whereSeparator: { $0 == "," || $0.isNewline }) where !part.trimmingSpaces.isEmpty {
        guard let (label, value) = pair(String(part.trimmingSpaces)) else {
          return reader.fail(name, "must be like project=shop, branch=main")
        }
        labels[label] = value
      }
    } else {
      return reader.fail(name, "must be an object of strings")
    }
    if let problem = problem(with: labels) { return reader.fail(name, problem) }
    return labels.isEmpty ? nil : labels
  }

  /// Name and value of `branch=main`; nil for anything else.
  static func pair(_ text: String) -> (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1).map { String($0.trimmingSpaces) }
    guard parts.count == 2, problem(with: [parts[0]: parts[1]]) == nil else { return nil }
    return (parts[0], parts[1])
  }

  /// Why labels aren't kept as they are; nil when they are.
  private static func problem(with labels: [String: String]) -> String? {
    guard labels.count <= most else { return "has \(labels.count) labels; the most is \(most)" }
    for (name, value) in labels {
      let isName =
        (1...longestName).contains(name.count) && name.first != "."
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
      guard isName else {
        return "'\(name.printable(limit: 60))' is no name of a label: 1 to \(longestName) letters, digits and -._"
      }
      guard (1...longestValue).contains(value.count), value.printable(limit: longestValue) == value else {
        return "\(name) must have 1 to \(longestValue) visible characters"
      }
    }
    return nil
  }
}

internal import Core

/// Labels that the sender attaches to a render, such as project, branch and commit; lists group and filter by them.
package enum RenderLabels {
  /// Maximum number of labels of one render, and of characters of a name and a value.
  package static let most = 16
  static let longestName = 40
  static let longestValue = 200

  /// Reads labels from an object, or from `name=value` pairs separated by commas or line ends; faults are recorded.
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

  /// Description of the first invalid label; nil if all are valid.
  private static func problem(with labels: [String: String]) -> String? {
    guard labels.count <= most else { return "has \(labels.count) labels; the maximum is \(most)" }
    for (name, value) in labels {
      let isName =
        (1...longestName).contains(name.count) && name.first != "."
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
      guard isName else {
        return
          "'\(name.printable(limit: 60))' is an invalid label name: use 1 to \(longestName) letters, digits and -._"
      }
      guard (1...longestValue).contains(value.count), value.printable(limit: longestValue) == value else {
        return "\(name) must have 1 to \(longestValue) visible characters"
      }
    }
    return nil
  }
}

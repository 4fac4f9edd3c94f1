/// Words of commands that are shown to users for copying.
package enum ShellWord {
  /// A word as shells parse it, in single quotes if it needs them.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./@".contains($0)) }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

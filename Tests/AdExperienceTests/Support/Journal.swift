/// What everybody was told, in one order.
final class Journal {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }

  /// What was noted while `action` ran.
  func during(_ action: () -> Void) -> [String] {
    let start = lines.count
    action()
    return Array(lines[start...])
  }

  /// How often exactly this was noted.
  func count(_ line: String) -> Int { lines.count { $0 == line } }
}

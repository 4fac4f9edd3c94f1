internal import Core
internal import Jobs

extension Fingerprint {
  /// The most fonts named in a line.
  private static let most = 4

  /// What is other in the one that draws now, a line each; none when pictures may be compared.
  package func differences(_ now: Fingerprint) -> [String] {
    var lines: [String] = []
    func compare(_ what: String, _ before: String, _ after: String) {
      if before != after { lines.append("\(what) \(before) → \(after)") }
    }
    compare("Galley", galley, now.galley)
    compare("WebKit", webkit, now.webkit)
    compare("GL", gl ?? "none", now.gl ?? "none")
    compare("device", Self.text(device), Self.text(now.device))
    if lines.last?.hasPrefix("device") != true, device != now.device {
      lines.append("device \(device.name) is described otherwise: safe areas, user agent or abilities")
    }
    compare("clock", clock.rawValue, now.clock.rawValue)
    if let line = fontLine(now) { lines.append(line) }
    if fontSettings != now.fontSettings { lines.append("the settings by which fonts are chosen and smoothed") }
    return lines
  }

  private static func text(_ device: Screen) -> String {
    "\(device.name) \(device.width.plain)x\(device.height.plain)@\(device.scale.plain)"
  }

  /// `fonts: Arimo.ttf is another version, Tinos.ttf is gone, 3 more are new`
  private func fontLine(_ now: Fingerprint) -> String? {
    let (before, after) = (Set(fonts), Set(now.fonts))
    guard before != after else { return nil }
    let (gone, come) = (Set(before.subtracting(after).map(\.file)), Set(after.subtracting(before).map(\.file)))
    let parts = [
      (gone.intersection(come), "another version"), (gone.subtracting(come), "gone"), (come.subtracting(gone), "new"),
    ]
    let words = parts.filter { !$0.0.isEmpty }.map { names, what in
      let shown = names.sorted().prefix(Self.most).joined(separator: ", ")
      return "\(what): \(shown)" + (names.count > Self.most ? " and \(names.count - Self.most) more" : "")
    }
    return "fonts " + words.joined(separator: "; ")
  }
}

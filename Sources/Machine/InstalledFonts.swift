internal import CFontconfig

/// The fonts that pages on this machine are drawn with, as fontconfig tells every program.
package struct InstalledFonts: Hashable, Sendable {
  /// Absolute paths of the font files, sorted, each once.
  package let files: [String]
  /// Absolute paths of what says how fonts are chosen and smoothed, in the order in which it was read.
  package let settings: [String]

  /// Asks fontconfig; nothing at all when it can't load its configuration.
  package init() {
    guard let configuration = FcInitLoadConfigAndFonts() else {
      (files, settings) = ([], [])
      return
    }
    defer { FcConfigDestroy(configuration) }
    files = Self.files(of: configuration)
    settings = Self.strings(FcConfigGetConfigFiles(configuration))
  }

  private static func files(of configuration: OpaquePointer) -> [String] {
    var found: Set<String> = []
    for kind in [FcSetSystem, FcSetApplication] {
      guard let set = FcConfigGetFonts(configuration, kind)?.pointee, let fonts = set.fonts else { continue }
      for index in 0..<Int(set.nfont) {
        var file: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(fonts[index], FC_FILE, 0, &file) == FcResultMatch, let file else { continue }
        found.insert(String(cString: file))
      }
    }
    return found.sorted()
  }

  private static func strings(_ list: OpaquePointer?) -> [String] {
    guard let list else { return [] }
    defer { FcStrListDone(list) }
    var found: [String] = []
    while let text = FcStrListNext(list) { found.append(String(cString: text)) }
    return found
  }
}

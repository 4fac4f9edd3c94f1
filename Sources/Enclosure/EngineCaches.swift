internal import Glibc

/// What the engine's processes keep from one run to the next: compiled shaders, and lists of plug-ins and fonts.
///
/// Its sandbox lets them have a folder only where there is one. Without, each compiles and looks at everything anew:
/// a page with depth then takes seconds.
enum EngineCaches {
  private static let names = ["gstreamer-1.0", "fontconfig", "mesa_shader_cache", "mesa_shader_cache_db"]

  /// Makes those that aren't there yet; where that can't be, everything works and takes longer.
  static func make() {
    let home = VisibleFiles.home
    guard home.hasPrefix("/"), access(home, X_OK) == 0 else { return }
    for path in paths(below: home) { Place.makeFolder(path, mode: 0o700) }
  }

  /// Where they are for a user with this home.
  static func paths(below home: String) -> [String] {
    let given = VisibleFiles.variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return names.map { "\(given ?? "\(home)/.cache")/\($0)" }
  }
}

internal import FoundationEssentials

/// Builds the environment of workers, and so of the processes that run creatives' code; it isn't simply inherited.
///
/// A server's environment may hold keys to the systems around it. A caller's language, date and library settings would
/// show in screenshots and verdicts.
package enum WorkerEnvironment {
  /// Values that are the same everywhere. Renders have a language and a time zone of their own.
  private static let fixed = ["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"]
  /// Inherited variables: places of programs, temporary files and certificates, the proxies, and a few settings.
  ///
  /// The settings are a caller's own font configuration, and the choice to fork web processes.
  private static let names: Set<String> = [
    "PATH", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "GALLEY_FORK_SERVER",
  ]
  /// Name of the variable that lists further variables to inherit, separated by commas.
  ///
  /// Tools that look for faults in the engine need some, and so do systems that keep libraries in other places.
  private static let variable = "GALLEY_WORKER_ENVIRONMENT"
  /// Prefixes of further variables in bug reports: those that the command itself reads, and those of libraries.
  private static let telling = [
    "LC_", "LD_", "XDG_", "FONTCONFIG_", "FC_", "WEBKIT_", "JSC_", "GST_", "GIO_", "GDK_", "GTK_", "LIBGL_", "MESA_",
    "LP_", "MALLOC_", "GALLEY_",
  ]
  private static let told: Set<String> = [
    "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TZDIR", "G_DEBUG", "G_MESSAGES_DEBUG", "SWIFT_BACKTRACE",
    "GALLIUM_DRIVER",
  ]

  /// The needed part of `inherited`, with the fixed values over it and `own` on top.
  static func make(
    of inherited: [String: String] = ProcessInfo.processInfo.environment, with own: [String: String]
  ) -> [String: String] {
    let further = Set((inherited[variable] ?? "").split(separator: ",").map(String.init))
    return inherited.filter { names.contains($0.key) }
      .merging(fixed) { $1 }
      .merging(inherited.filter { further.contains($0.key) }) { $1 }
      .merging(own) { $1 }
  }

  /// Indicates if a bug report should include the variable with this name.
  package static func matters(_ name: String) -> Bool {
    names.contains(name) || told.contains(name) || telling.contains { name.hasPrefix($0) }
  }
}

internal import Foundation

/// What of this process's environment workers get, and with them the processes that run creatives' code.
///
/// A server's environment may hold keys to whatever stands around it, and a worker's is in every web process.
enum WorkerEnvironment {
  /// Where programs, homes, temporary files and certificates are; whose words and day it is; the way to the network.
  private static let names: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LANGUAGE", "TZ", "TZDIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "G_DEBUG", "G_MESSAGES_DEBUG", "SWIFT_BACKTRACE", "GALLIUM_DRIVER",
  ]
  /// What libraries below the engine go by, and what looks for faults in them.
  private static let prefixes = [
    "LC_", "LD_", "XDG_", "FONTCONFIG_", "FC_", "WEBKIT_", "JSC_", "GST_", "GIO_", "GDK_", "GTK_", "LIBGL_", "MESA_",
    "LP_", "MALLOC_",
  ]

  /// What is needed of `inherited`, with `own` on top.
  static func make(
    of inherited: [String: String] = ProcessInfo.processInfo.environment, with own: [String: String]
  ) -> [String: String] {
    inherited.filter { name, _ in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
      .merging(own) { $1 }
  }
}

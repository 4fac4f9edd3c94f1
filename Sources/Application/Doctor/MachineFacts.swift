internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// Facts about the machine, as the system reports them.
enum MachineFacts {
  /// Name and version of the system, such as `Debian GNU/Linux 12 (bookworm)`.
  static var system: String {
    let lines = text("/etc/os-release")?.split(separator: "\n") ?? []
    let name = lines.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
    return name.map { $0.filter { $0 != "\"" } } ?? "unknown"
  }

  /// Name and version of the kernel, such as `Linux 6.1.0 x86_64`.
  static var kernel: String {
    var facts = utsname()
    guard uname(&facts) == 0 else { return "unknown" }
    return [text(&facts.sysname), text(&facts.release), text(&facts.machine)].joined(separator: " ")
  }

  /// Returns the bytes that this user may still write at `folder`; nil if it doesn't exist.
  static func freeSpace(in folder: String) -> Int? {
    var facts = statvfs()
    guard statvfs(folder, &facts) == 0 else { return nil }
    return Bounded.product(Int(clamping: facts.f_bavail), Int(clamping: facts.f_frsize))
  }

  /// Available memory in bytes; nil if unknown.
  static var freeMemory: Int? {
    let line = text("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { Bounded.product($0, 1024) }
  }

  /// Limits of the kernel and container for a process, as readable text.
  static var limits: String {
    var parts = [
      "cores: \(ProcessInfo.processInfo.activeProcessorCount)",
      "memory available: \(freeMemory.map(MachineFacts.megabytes) ?? "unknown")",
    ]
    for path in limitFiles {
      if let text = text(path) { parts.append("\(path):\n\(text.prefix(4_000))") }
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Returns a number of bytes as text, such as `1234 MB`.
  static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }

  private static let limitFiles = [
    "/proc/self/limits", "/proc/self/cgroup", "/proc/self/status", "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/pids.max", "/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
  ]

  /// Reads a small text file of the system; nil if it doesn't exist or is empty.
  private static func text(_ path: String) -> String? {
    let text = FileReading.kernelText(path)
    return text.isEmpty ? nil : text
  }

  private static func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

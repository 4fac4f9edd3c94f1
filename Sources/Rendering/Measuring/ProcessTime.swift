internal import Core
internal import Foundation

/// What processes have used of the processor, as the kernel counts it.
enum ProcessTime {
  /// Seconds of user and system time so far; nil for a process that is gone.
  static func seconds(of process: Int32) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), let ticks = ticks(text)
    else {
      return nil
    }
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// User and system time in a line of `/proc/PID/stat`; the program's name may hold anything, brackets included.
  static func ticks(_ line: String) -> Int? {
    guard let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
    return user + system
  }
}

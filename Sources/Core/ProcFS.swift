internal import Files
internal import Glibc

/// Facts about processes, read from `/proc`. A process that ends during the reading counts as missing.
package enum ProcFS {
  /// Maximum size of a file to read, in bytes: the system permits no larger environment of a process.
  private static let longest = 16 << 20

  /// The ids of all processes.
  package static var ids: [Int32] { numbers(in: "/proc") }

  /// Indicates if the process belongs to the current user.
  package static func isOwn(_ id: Int32) -> Bool {
    var facts = stat()
    return stat("/proc/\(id)", &facts) == 0 && facts.st_uid == geteuid()
  }

  /// The program's name, cut by the system after fifteen characters, and a line feed.
  package static func name(of id: Int32) -> String { text("/proc/\(id)/comm") }

  /// Environment entries, each followed by a zero byte; empty while the process changes from one program to another.
  ///
  /// Nil for a process without memory: a kernel thread, a zombie, or a process about to become one, such as the first
  /// process of a namespace that waits for the others to be reaped.
  package static func environment(of id: Int32) -> [UInt8]? {
    do {
      return try FileReading.regular("/proc/\(id)/environ", most: longest)
    } catch .system(let error) where [ESRCH, ENOENT].contains(error.number) {
      return nil
    } catch {
      return []
    }
  }

  /// The live child processes started by any of its threads.
  package static func children(of id: Int32) -> [Int32] {
    numbers(in: "/proc/\(id)/task").flatMap { thread in
      text("/proc/\(id)/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// All processes below `root` with their names; processes below one for which `isLeaf` is true are left out.
  package static func descendants(
    of root: Int32, endingAt isLeaf: (_ name: String) -> Bool = { _ in false }
  ) -> [(id: Int32, name: String)] {
    var (found, waiting) = ([(id: Int32, name: String)](), [root])
    while let process = waiting.popLast() {
      for child in children(of: process) {
        let name = name(of: child)
        found.append((child, name))
        if !isLeaf(name) { waiting.append(child) }
      }
    }
    return found
  }

  /// Resident memory of a process in bytes, mapped files included; nil if the process is gone.
  package static func residentBytes(of id: Int32) -> Int? {
    // Size, then what is resident, in pages.
    let pages = text("/proc/\(id)/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(getpagesize()) }
  }

  /// The same in whole mebibytes.
  package static func mebibytes(of id: Int32) -> Int? { residentBytes(of: id).map { $0 >> 20 } }

  /// Seconds of user and system time so far; nil for a process that is gone.
  package static func processorSeconds(of id: Int32) -> Double? {
    ticks(text("/proc/\(id)/stat")).map { Double($0) / Double(sysconf(Int32(_SC_CLK_TCK))) }
  }

  /// Indicates if a process without an environment may be between two programs.
  ///
  /// That is so if it began in the last five seconds, and is neither a zombie nor a kernel thread.
  package static func mayBeBetweenPrograms(_ id: Int32) -> Bool {
    var uptime = timespec()
    clock_gettime(CLOCK_BOOTTIME, &uptime)
    let now = Double(uptime.tv_sec) + Double(uptime.tv_nsec) / 1e9
    return beganLately(text("/proc/\(id)/stat"), now: now, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// The same for a line of `/proc/PID/stat`; `now` is in seconds since the machine's start.
  package static func beganLately(_ line: String, now: Double, ticksPerSecond: Double) -> Bool {
    guard let end = line.lastIndex(of: ")") else { return false }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 19, !["Z", "X"].contains(fields[0]), fields[1] != "2", let began = Double(fields[19]) else {
      return false
    }
    return now - began / ticksPerSecond < 5
  }

  /// Sum of user and system time in a line of `/proc/PID/stat`, in clock ticks; nil if the line is malformed.
  ///
  /// The program's name in the line may contain any characters, brackets included.
  package static func ticks(_ line: String) -> Int? {
    guard let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
    return user + system
  }

  /// Number of files, pipes and sockets that a process has open.
  package static func openFiles(of id: Int32) -> Int { numbers(in: "/proc/\(id)/fd").count }

  private static func numbers(in folder: String) -> [Int32] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var numbers: [Int32] = []
    while let entry = readdir(listing) {
      let number = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        Int32(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
      }
      if let number { numbers.append(number) }
    }
    return numbers
  }

  private static func text(_ path: String) -> String { FileReading.kernelText(path) }
}

internal import Files
internal import Glibc

/// What `/proc` says of processes. One that vanishes while it is looked at isn't there.
package enum ProcFS {
  /// Bytes of the longest file that is read: a process's environment, of which the system takes no more.
  private static let longest = 16 << 20

  /// Every process that is there.
  package static var ids: [Int32] { numbers(in: "/proc") }

  /// Whether a process is this user's.
  package static func isOwn(_ id: Int32) -> Bool {
    var facts = stat()
    return stat("/proc/\(id)", &facts) == 0 && facts.st_uid == geteuid()
  }

  /// The program's name, cut by the system after fifteen characters, and a line feed.
  package static func name(of id: Int32) -> String { text("/proc/\(id)/comm") }

  /// Entries with a zero after each; none between two programs. Nil for what has no memory: the kernel's own, zombies,
  /// and whoever is on the way to be one, as the first of a namespace that waits for others to be taken note of.
  package static func environment(of id: Int32) -> [UInt8]? {
    do {
      return try FileReading.regular("/proc/\(id)/environ", most: longest)
    } catch .system(let error) where [ESRCH, ENOENT].contains(error.number) {
      return nil
    } catch {
      return []
    }
  }

  /// The processes that its threads have started and that are there still.
  package static func children(of id: Int32) -> [Int32] {
    numbers(in: "/proc/\(id)/task").flatMap { thread in
      text("/proc/\(id)/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Every process below one with its name; below those that `isLeaf` says nothing is looked for.
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

  /// What a process has in memory, files it maps included; nil when it is gone.
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

  /// Whether it may be between two programs, when it has no environment: it began in the last seconds, and is neither a
  /// zombie nor the kernel's own.
  package static func mayBeBetweenPrograms(_ id: Int32) -> Bool {
    var uptime = timespec()
    clock_gettime(CLOCK_BOOTTIME, &uptime)
    let now = Double(uptime.tv_sec) + Double(uptime.tv_nsec) / 1e9
    return beganLately(text("/proc/\(id)/stat"), now: now, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// The same of a line of `/proc/PID/stat`; `now` is in seconds since the machine's start.
  package static func beganLately(_ line: String, now: Double, ticksPerSecond: Double) -> Bool {
    guard let end = line.lastIndex(of: ")") else { return false }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 19, !["Z", "X"].contains(fields[0]), fields[1] != "2", let began = Double(fields[19]) else {
      return false
    }
    return now - began / ticksPerSecond < 5
  }

  /// User and system time in a line of `/proc/PID/stat`; the program's name may hold anything, brackets included.
  package static func ticks(_ line: String) -> Int? {
    guard let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
    return user + system
  }

  /// How many files, pipes and sockets a process has open.
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

package import Core
internal import Creatives
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Workers

/// Zip with the files for a bug report: the findings, the limits of the machine, and optionally a creative.
package struct ReportBundle: Sendable {
  private var files: [(name: String, bytes: [UInt8])] = []
  private var bytes = 0

  /// Maximum number of files, and maximum total size in bytes.
  private static let (mostFiles, mostBytes) = (2_000, 200_000_000)
  /// Maximum depth of folders that are packed.
  private static let depth = 16

  /// Makes a bundle with the files of every report.
  ///
  /// `environment` is that of this program; secrets are left out.
  package init(
    _ report: MachineReport, trial: borrowing MachineExamination,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Fault) {
    try add(bytes: Self.json(report), as: "doctor.json")
    try add(bytes: Array(MachineFacts.limits.utf8), as: "limits.txt")
    try add(bytes: Array(EnvironmentText.of(environment).utf8), as: "environment.txt")
    try add(folder: trial.trial, as: "trial")
  }

  /// Packs a file, or all files in a folder except hidden ones and links.
  package mutating func add(_ path: String, as name: String) throws(Fault) {
    if AbsolutePath.isFolder(path) { return try add(folder: path, as: name) }
    try addFile(path, as: "\(name)/\(AbsolutePath.split(path).name)")
  }

  /// Writes the zip.
  package func write(to path: String) throws(Fault) {
    var writer = try ZipWriter()
    for file in files { try writer.add(file.name, file.bytes, isPacked: Self.isPacked(file.name)) }
    let zip = try writer.finish()
    do throws(SystemError) {
      let file = try OutputFile(path)
      try file.write(zip)
      try file.finish()
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }

  private mutating func add(folder: String, as name: String, depth: Int = ReportBundle.depth) throws(Fault) {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for entry in entries.sorted() where !entry.hasPrefix(".") && depth > 0 {
      let path = "\(folder)/\(entry)"
      var facts = stat()
      guard lstat(path, &facts) == 0 else { continue }
      switch facts.st_mode & S_IFMT {
      case S_IFDIR: try add(folder: path, as: "\(name)/\(entry)", depth: depth - 1)
      case S_IFREG: try addFile(path, as: "\(name)/\(entry)")
      default: break
      }
    }
  }

  private mutating func addFile(_ path: String, as name: String) throws(Fault) {
    let contents: [UInt8]
    do throws(FileReadingError) {
      contents = try FileReading.regular(path, most: Self.mostBytes)
    } catch {
      throw .request("file-unreadable", "can't pack \(path): \(error)")
    }
    try add(bytes: contents, as: name)
  }

  private static func json(_ report: MachineReport) throws(Fault) -> [UInt8] {
    do {
      return try JSONText.bytes(report)
    } catch {
      throw .engine("output-failed", "can't encode the findings as JSON: \(error)")
    }
  }

  private mutating func add(bytes added: [UInt8], as name: String) throws(Fault) {
    bytes += added.count
    guard files.count < Self.mostFiles, bytes <= Self.mostBytes else {
      let limit = "\(Self.mostFiles) files or \(Self.mostBytes / 1_000_000) MB"
      throw .request("bundle-too-large", "a bundle has at most \(limit): leave out --creative or --result")
    }
    files.append((name, added))
  }

  /// Returns true if the file's format is compressed already.
  private static func isPacked(_ name: String) -> Bool {
    ["png", "jpg", "jpeg", "gif", "webp", "mp4", "webm", "zip", "woff2"].contains(AbsolutePath.stem(name).fileExtension)
  }
}

/// Environment variables in a form that can be published.
enum EnvironmentText {
  /// Returns one line for each variable that affects rendering, with its name and value.
  static func of(_ environment: [String: String]) -> String {
    let home = environment["HOME"].flatMap { $0.count > 1 ? $0 : nil }
    let lines = environment.filter { WorkerEnvironment.matters($0.key) }.sorted { $0.key < $1.key }.map { name, value in
      guard !isSecret(name, value) else { return "\(name) is set; its value is left out" }
      return "\(name)=\(home.map { value.replacing($0, with: "~") } ?? value)".printable
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Parts of names whose values are left out: keys, passwords and names of the user.
  private static let secretNames = [
    "KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL", "COOKIE", "PROXY", "USER", "LOGNAME", "SESSION",
  ]

  private static func isSecret(_ name: String, _ value: String) -> Bool {
    name == "HOME" || secretNames.contains { name.uppercased().contains($0) } || value.contains("://")
  }
}

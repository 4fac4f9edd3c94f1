import Foundation

/// The processes of one run: those with its marker in their environment, and its guard.
struct RunProcesses {
  /// What a process of a run is.
  enum Kind: String, CaseIterable {
    case worker = "galley-worker"
    // The kernel cuts names after 15 characters.
    case webProcess = "WebKitWebProces"
    case networkProcess = "WebKitNetworkPr"
    case display = "Xvfb"
    case guardian = "galley"
  }

  /// The run's identifier.
  let run: String

  /// The run of a command that has a worker, nil while it has none.
  init?(of command: Int32) {
    let workers = Self.all().filter { Self.text($0, "comm") == Kind.worker.rawValue && Self.parent(of: $0) == command }
    let markers = workers.flatMap { Self.strings($0, "environ") }.filter { $0.hasPrefix("GALLEY_RUN=") }
    guard let marker = markers.first else { return nil }
    run = String(marker.dropFirst("GALLEY_RUN=".count))
  }

  /// Every live process of the run.
  var ids: [Int32] {
    Self.all().filter {
      Self.strings($0, "environ").contains("GALLEY_RUN=\(run)") || Self.strings($0, "cmdline").contains(run)
    }
  }

  func ids(_ kind: Kind) -> [Int32] { ids.filter { Self.text($0, "comm") == kind.rawValue } }

  /// What the processes of a kind were given as their environment, as `NAME=value`.
  func variables(_ kind: Kind) -> [String] { ids(kind).flatMap { Self.strings($0, "environ") } }

  /// Kills the processes of a kind and says whether there were any.
  @discardableResult func kill(_ kind: Kind) -> Bool {
    let found = ids(kind)
    for id in found { Foundation.kill(id, SIGKILL) }
    return !found.isEmpty
  }

  /// Names of those still alive after at most so many seconds; the end of somebody else's child can only be looked for.
  func leftovers(after seconds: Double) async -> [String] {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, !ids.isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
    return ids.map { Self.text($0, "comm") }
  }

  private static func all() -> [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
  }

  private static func parent(of id: Int32) -> Int32? {
    // The name before it is in brackets and may hold anything.
    text(id, "stat").split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
  }

  private static func text(_ id: Int32, _ file: String) -> String {
    strings(id, file).first.map { String($0.drop { $0 == "\n" }.prefix { $0 != "\n" }) } ?? ""
  }

  /// The NUL-separated strings of a file; none for a process that is gone, and no environment for a zombie.
  private static func strings(_ id: Int32, _ file: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: "/proc/\(id)/\(file)") else { return [] }
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}

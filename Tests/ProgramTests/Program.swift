internal import Core
import Foundation
import RenderModel
import Synchronization
import Testing

/// Tests of the built command, run one after the other, since each starts enough browsers for a whole machine.
@Suite(.serialized) enum ProgramTier {}

/// Tests of the commands that check, explore and play, beside the others: one chain of all commands would last longer
/// than any other chain.
@Suite(.serialized) enum CheckTier {}

/// Tests of servers, recordings and whole batches, run one after the other beside the others, since they mostly wait.
@Suite(.serialized) enum ServerTier {}

/// Built command with its real worker, in a folder of its own.
final class Program: Sendable {
  /// Result of a run.
  struct Outcome {
    /// Exit code; 128 plus the signal's number if a signal ended it.
    let code: Int32
    let output: String
    let errors: String

    /// Reads the document that `--json` printed.
    func document() throws -> BatchDocument {
      try JSONDecoder().decode(BatchDocument.self, from: Data(output.utf8))
    }
  }

  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "galley-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Path of the command: in the folder `GALLEY_TEST_PROGRAMS`, or else beside the test bundle, as built with the
  /// tests.
  ///
  /// Its worker and extension are in the same folder.
  static let path: String = {
    if let folder = ProcessInfo.processInfo.environment["GALLEY_TEST_PROGRAMS"] { return folder + "/galley" }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return tests[..<(tests.lastIndex(of: "/") ?? tests.endIndex)] + "/galley"
  }()

  /// Writes a file below the folder.
  func file(_ name: String, _ text: String = "<p>ad</p>") throws { try file(name, Data(text.utf8)) }

  func file(_ name: String, _ bytes: Data) throws {
    let file = URL(filePath: folder).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + path) }

  /// Runs `galley render` with results in `out`.
  func render(_ arguments: String) async throws -> Outcome {
    try await shell("exec \"$GALLEY\" render --out out \(arguments)")
  }

  /// Plays a scenario with the creative in `ad`.
  func play(
    _ steps: String, clock: String = "virtual", _ options: String = "--timeout 25"
  ) async throws -> Outcome {
    try file("steps.yaml", steps)
    return try await render("ad --scenario steps.yaml --clock \(clock) --jobs 1 --json \(options)")
  }

  /// Runs a shell script in the folder with `$GALLEY` as the command.
  func shell(_ script: String) async throws -> Outcome { try await start(script).outcome() }

  /// Starts a shell script; a command that it becomes by `exec` has the process's id.
  func start(_ script: String, sandbox: Bool = true) throws -> RunningProgram {
    var environment = ProcessInfo.processInfo.environment
    environment["GALLEY"] = Self.path
    // Tests of the engine in this process leave what their processes take up; a command's would take part in their time.
    for name in ["FONTCONFIG_FILE", "LD_PRELOAD", "JSC_useConcurrentGC", "GALLEY_CLOCK_NETWORK"] {
      environment[name] = nil
    }
    if !sandbox { environment["PATH"] = try folderWithoutBubblewrap() + ":" + environment["PATH", default: ""] }
    return try RunningProgram(script, in: folder, environment: environment)
  }

  /// Creates a folder with the built programs and the files beside them, some of which a test may replace.
  func installed() throws -> String {
    let target = folder + "/installed"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    let built = Self.path[..<(Self.path.lastIndex(of: "/") ?? Self.path.endIndex)]
    for name in try FileManager.default.contentsOfDirectory(atPath: String(built))
    where name != "galley-worker" && !name.contains(".product")
      && (name.hasPrefix("galley") || name.hasPrefix("libGalley") || name.hasSuffix(".resources"))
    {
      // Not by a symbolic link: a program looks for the others where it lies itself. A copy can't be run as long as a
      // process that another test starts meanwhile has it open for writing.
      let (from, to) = ("\(built)/\(name)", "\(target)/\(name)")
      if link(from, to) != 0 { try FileManager.default.copyItem(atPath: from, toPath: to) }
    }
    return target
  }

  /// Creates a folder whose `bwrap` fails as on a machine that forbids namespaces.
  private func folderWithoutBubblewrap() throws -> String {
    try file("no-sandbox/bwrap", "#!/bin/sh\nexit 1\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/no-sandbox/bwrap")
    return folder + "/no-sandbox"
  }
}

/// Output of `galley render --json`, as far as tests read it.
struct BatchDocument: Decodable {
  struct Summary: Decodable {
    let total: Int
    let exitCode: Int32
  }
  let results: [RenderRecord]
  let summary: Summary

  /// Ending of each creative: its code, or the outcome if there is none.
  var endings: [String: String] {
    Dictionary(results.map { ($0.creative.path, $0.code ?? $0.outcome.rawValue) }, uniquingKeysWith: { $1 })
  }
}

/// Started program with the lines that it prints and its exit code.
///
/// It is started by posix_spawn and read on its own thread: Foundation's Process and FileHandle sometimes miss the end
/// of a program or of its output on a busy machine, and the test then waits for ever. The output is a named pipe that
/// the program opens itself, so that no process started meanwhile by another test can hold it open.
final class RunningProgram: Sendable {
  let id: Int32
  /// Lines of standard output as they arrive.
  let lines: AsyncStream<String>
  private let output = Mutex<[UInt8]>([])
  private let errors: String
  private let ended: AsyncStream<Int32>
  private let isOver = Mutex(false)

  struct StartError: Error {
    let number: Int32
  }

  init(_ script: String, in folder: String, environment: [String: String]) throws {
    errors = folder + "/errors-\(UUID().uuidString)"
    let pipe = folder + "/output-\(UUID().uuidString)"
    guard mkfifo(pipe, 0o600) == 0 else { throw StartError(number: errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    let words = ["sh", "-c", "cd '\(folder)'; exec > '\(pipe)'\n\(script)"]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { name, value in strdup("\(name)=\(value)") }
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, "/bin/sh", &actions, nil, arguments + [nil], variables + [nil])
    guard status == 0 else { throw StartError(number: status) }
    id = process
    let (lines, line) = AsyncStream<String>.makeStream()
    let (ended, end) = AsyncStream<Int32>.makeStream()
    self.lines = lines
    self.ended = ended
    Thread.detachNewThread { [self] in
      read(open(pipe, O_RDONLY | O_CLOEXEC), line)
      line.finish()
      let status = Self.wait(for: id)
      isOver.withLock { $0 = true }
      end.yield(status)
      end.finish()
    }
  }

  /// Returns the first line that it prints.
  func firstLine() async throws -> String {
    var lines = lines.makeAsyncIterator()
    let line = await lines.next()
    return try #require(line, "it printed nothing; \(complaint)")
  }

  /// Error output so far.
  private var complaint: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Returns the address at the end of its first line.
  func address() async throws -> String {
    let words: [Substring] = try await firstLine().split(separator: " ")
    return String(try #require(words.last))
  }

  /// Sends a signal to the program itself.
  func signal(_ number: Int32) { kill(id, number) }

  /// Kills the program unless it has ended, since another process may have its id by then.
  func stop() {
    isOver.withLock { if !$0 { kill(id, SIGKILL) } }
  }

  /// Waits until the program and its output have ended.
  func outcome() async -> Program.Outcome {
    for await _ in lines {}
    var code: Int32 = -1
    for await status in ended { code = status }
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    return Program.Outcome(code: code, output: text, errors: complaint)
  }

  /// Forwards the output line by line until no process can write to it any more.
  private func read(_ file: Int32, _ line: AsyncStream<String>.Continuation) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var rest: [UInt8] = []
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      output.withLock { $0 += buffer[..<count] }
      rest += buffer[..<count]
      while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line.yield(String(decoding: rest[..<newline], as: UTF8.self))
        rest.removeSubrange(...newline)
      }
    }
    close(file)
  }

  /// Waits for a process and returns its exit code; 128 plus the signal's number if a signal ended it.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// Processes of one run: those with its marker in their environment, and its guard.
struct RunProcesses {
  /// Kind of a process of a run.
  enum Kind: String, CaseIterable {
    case worker = "galley-worker"
    case carrier = "galley-carrier"
    // The kernel cuts names after 15 characters.
    case webProcess = "WebKitWebProces"
    case networkProcess = "WebKitNetworkPr"
    case forkServer = "galley-forks"
    case display = "Xvfb"
    case guardian = "galley"
  }

  /// Identifier of the run.
  let run: String

  /// Finds the run of a command that has a worker; nil while it has none.
  init?(of command: Int32) {
    let workers = Self.all().filter { Self.text($0, "comm") == Kind.worker.rawValue && Self.parent(of: $0) == command }
    let markers = workers.flatMap { Self.strings($0, "environ") }.filter { $0.hasPrefix("GALLEY_RUN=") }
    guard let marker = markers.first else { return nil }
    run = String(marker.dropFirst("GALLEY_RUN=".count))
  }

  /// Waits for the run of a command until it has a process of this kind, even one that has only just started.
  static func beginning(with kind: Kind, of command: Int32) async -> RunProcesses? {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      let begun = all().filter { text($0, "comm") == kind.rawValue && parent(of: $0).flatMap(parent) == command }
      let markers = begun.flatMap { strings($0, "environ") }.filter { $0.hasPrefix("GALLEY_RUN=") }
      if let marker = markers.first { return RunProcesses(run: String(marker.dropFirst("GALLEY_RUN=".count))) }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }

  private init(run: String) { self.run = run }

  /// Ids of all live processes of the run.
  var ids: [Int32] {
    Self.all().filter {
      Self.strings($0, "environ").contains("GALLEY_RUN=\(run)") || Self.strings($0, "cmdline").contains(run)
    }
  }

  func ids(_ kind: Kind) -> [Int32] { ids.filter { Self.text($0, "comm") == kind.rawValue } }

  /// Returns the environment of the processes of a kind, as `NAME=value`.
  func variables(_ kind: Kind) -> [String] { ids(kind).flatMap { Self.strings($0, "environ") } }

  /// Kills the processes of a kind; returns true if there were any.
  @discardableResult func kill(_ kind: Kind) -> Bool {
    let found = ids(kind)
    for id in found { Foundation.kill(id, SIGKILL) }
    return !found.isEmpty
  }

  /// Returns the names of processes still alive after at most `seconds`; polls, since they aren't this process's
  /// children.
  func leftovers(after seconds: Double) async -> [String] {
    let end = ContinuousClock.now + Bounded.seconds(seconds)
    while ContinuousClock.now < end, !ids.isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
    return ids.map { Self.text($0, "comm") }
  }

  /// Returns the names of processes with an environment entry that are still alive after at most `seconds`.
  static func leftovers(with entry: String, after seconds: Double) async -> [String] {
    let end = ContinuousClock.now + Bounded.seconds(seconds)
    var left: [Int32] { all().filter { strings($0, "environ").contains(entry) } }
    while ContinuousClock.now < end, !left.isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
    return left.map { text($0, "comm") }
  }

  private static func all() -> [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
  }

  static func parent(of id: Int32) -> Int32? {
    // The name before it is in brackets and may hold anything.
    text(id, "stat").split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
  }

  private static func text(_ id: Int32, _ file: String) -> String {
    strings(id, file).first.map { String($0.drop { $0 == "\n" }.prefix { $0 != "\n" }) } ?? ""
  }

  /// Returns the NUL-separated strings of a file in `/proc`; none for a dead process, and no environment for a zombie.
  private static func strings(_ id: Int32, _ file: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: "/proc/\(id)/\(file)") else { return [] }
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}

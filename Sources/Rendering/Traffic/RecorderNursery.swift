internal import CNursery
internal import Core
internal import Engine
internal import Files
internal import Glibc

/// Process of the recorder's program, which a worker starts once and forks for each render; it ends with the worker.
///
/// To start the program anew takes longer than all network traffic of a small render.
@EngineActor final class RecorderNursery {
  private static var current: RecorderNursery?

  private let process: pid_t
  private let socket: OpenSocket

  private init(process: pid_t, socket: OpenSocket) {
    self.process = process
    self.socket = socket
  }

  /// Starts a copy with these sockets: one for messages, one at which pages reach it.
  static func order(_ program: String, words: Int32, listener: Int32) throws(Fault) {
    // One that has ended is left for a new one.
    for isLast in [false, true] {
      let nursery: RecorderNursery
      if let current { nursery = current } else { nursery = try start(program) }
      current = nursery
      let problem = nursery_order(nursery.socket.descriptor, [words, listener])
      guard problem != 0 else { return }
      nursery.end()
      current = nil
      if isLast { throw .engine("recorder-failed", "can't start \(program): \(SystemError(problem))") }
    }
  }

  private func end() {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  private static func start(_ program: String) throws(Fault) -> RecorderNursery {
    var ends: [Int32] = [-1, -1]
    // No program that starts at the same moment inherits them.
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .engine("recorder-failed", "no socket to \(program): \(SystemError(errno))")
    }
    defer { close(ends[1]) }
    let socket = OpenSocket(ends[0])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    // Nothing of the engine's: its libraries aren't for this program.
    let kept = ["PATH", "LANG", "LC_ALL", "TMPDIR", "SSL_CERT_FILE"]
    let environment = kept.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    var arguments = [strdup(program), nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, program, &actions, nil, &arguments, &variables)
    guard problem == 0 else { throw .engine("recorder-failed", "can't start \(program): \(SystemError(problem))") }
    return RecorderNursery(process: process, socket: socket)
  }
}

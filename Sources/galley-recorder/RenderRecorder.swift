internal import Core
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Recordings

/// The recorder of one render, in its own process: carries out its worker's requests, line by line.
enum RenderRecorder {
  /// Runs the recorder until the socket for requests is closed; never returns.
  static func run(words: Int32, listener: Int32) -> Never {
    // In the order in which none of them takes another's place.
    let files = [fcntl(words, F_DUPFD_CLOEXEC, 16), fcntl(listener, F_DUPFD_CLOEXEC, 16)]
    for file in [words, listener] { close(file) }
    for (file, place) in [(files[0], STDIN_FILENO), (files[0], STDOUT_FILENO), (files[1], RecorderSetup.listener)] {
      dup2(file, place)
    }
    for file in files { close(file) }
    signal(SIGCHLD, SIG_DFL)
    do {
      try serve()
    } catch let fault as Fault {
      RecorderOutput.say(.failed(fault))
      exit(1)
    } catch {
      RecorderOutput.say(.failed(.engine("recorder-failed", "can't start the recorder: \(error)")))
      exit(1)
    }
    // Whoever wanted it is gone, and so is who would want the rest.
    exit(0)
  }

  static func decoded<Value: Decodable>(_ type: Value.Type, _ line: String) -> Value? {
    try? JSONDecoder().decode(type, from: Data(line.utf8))
  }

  private static func serve() throws {
    guard let first = readLine(), let setup = decoded(RecorderSetup.self, first) else {
      throw Fault.engine("recorder-failed", "the recorder received no valid request")
    }
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    let desk = try RecorderServer.open(setup, on: loop)
    while let line = readLine() {
      guard let request = RecorderRequest(line: line.utf8) else { continue }
      // What a round of the loop takes in may have a further one read on: a connection, then its first bytes.
      if case .sync = request {
        for _ in 0..<2 { try loop.submit {}.wait() }
      }
      loop.execute { desk.value.take(request) }
    }
  }
}

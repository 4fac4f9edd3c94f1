internal import Core
internal import Files
internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import Recordings

// Stands between a render's pages and the network: a worker starts it with a pipe to its standard input and one from its
// standard output, says what to do in the first line, and ends it by closing the pipe.
signal(SIGPIPE, SIG_IGN)

private func decoded<Value: Decodable>(_ type: Value.Type, _ line: String) -> Value? {
  try? JSONDecoder().decode(type, from: Data(line.utf8))
}

guard let first = readLine(), let setup = decoded(RecorderSetup.self, first) else {
  RecorderOutput.say(.failed(.engine("recorder-failed", "the recorder was told nothing that it understands")))
  exit(1)
}

private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
private let loop = group.next()
do {
  let desk = try await RecorderDesk.open(setup, on: loop)
  while let line = readLine() {
    guard let request = decoded(RecorderRequest.self, line) else { continue }
    // What a round of the loop takes in may have a further one read on: a connection, then its first bytes.
    if case .sync = request {
      for _ in 0..<2 { try await loop.submit {}.get() }
    }
    loop.execute { desk.value.take(request) }
  }
} catch let fault as Fault {
  RecorderOutput.say(.failed(fault))
  exit(1)
} catch {
  RecorderOutput.say(.failed(.engine("recorder-failed", "the recorder can't begin: \(error)")))
  exit(1)
}
// Whoever started it is gone, and so is who would want the rest.
exit(0)

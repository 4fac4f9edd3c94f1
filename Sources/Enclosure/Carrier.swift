internal import CNamespaces
internal import Core
internal import FoundationEssentials
internal import Glibc
internal import RenderModel

/// The process beside a worker that still sees the machine's files: it reads what the worker is told, brings the files
/// that jobs name into the worker's view and passes the jobs on.
///
/// It listens to nobody but who started the worker, so what a creative makes of the worker can't ask it for anything.
enum Carrier {
  /// Starts it as a child of this process, whose standard input it takes over.
  static func start(into root: String) throws(Enclosure.EntryError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Enclosure.EntryError("no pipe for the carrier", errno) }
    let carrier = namespaces_fork("galley-carrier")
    if carrier == 0 {
      close(ends[0])
      carry(to: ends[1], Staging(root: root))
    }
    guard carrier > 0, dup2(ends[0], STDIN_FILENO) >= 0 else {
      throw Enclosure.EntryError("no process for the carrier", errno)
    }
    for end in ends { close(end) }
  }

  /// Passes on until its input ends or nobody takes what it says.
  private static func carry(to worker: Int32, _ staging: Staging) -> Never {
    var staging = staging
    // Who waits for the worker's last word isn't to wait for this process.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, descriptor) }
    while let line = readLine() {
      do throws(SystemError) {
        try FileWriting.writeAll(staged(line, by: &staging) + [UInt8(ascii: "\n")], to: worker)
      } catch {
        break
      }
    }
    _exit(0)
  }

  /// The line with what the worker needs to find its files; one that is no request is the worker's to complain of.
  private static func staged(_ line: String, by staging: inout Staging) -> [UInt8] {
    guard case .render(let job)? = try? JSONDecoder().decode(WorkerRequest.self, from: Data(line.utf8)),
      let carried = try? JSONText.bytes(staging.take(job))
    else { return Array(line.utf8) }
    return carried
  }
}

internal import CNamespaces
internal import Files
internal import Glibc

/// Process beside a worker that still sees the machine's files and brings the files of each job into the worker's view.
///
/// It reads the worker's input first, makes the files that are named before a job available, and passes the job on.
///
/// It reads only from the process that started the worker, so a creative that takes over the worker can't request
/// anything.
enum FileBroker {
  /// Starts the carrier as a child of this process, and replaces this process's standard input with its output.
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

  /// Passes lines on until its input ends or the worker no longer reads.
  private static func carry(to worker: Int32, _ staging: Staging) -> Never {
    var staging = staging
    // Who waits for the worker's last word isn't to wait for this process.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, descriptor) }
    while let line = readLine() {
      do throws(SystemError) {
        let carried = BrokeredLine(line)
        let placed = BrokeredLine(words: staging.take(carried.words), text: carried.text)
        try FileWriting.writeAll(placed.bytes + [UInt8(ascii: "\n")], to: worker)
      } catch {
        break
      }
    }
    _exit(0)
  }
}

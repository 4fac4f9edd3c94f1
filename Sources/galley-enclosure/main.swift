// Starts the worker where it sees the files of its jobs and what rendering takes, and no others. A program of its own:
// the engine's libraries have threads before a program begins, and who has threads can't leave the machine's files.
internal import Enclosure
internal import Files
internal import Glibc
internal import Startup

/// Ends with what the command quotes.
func fail(_ message: String) -> Never {
  try? FileWriting.writeAll("galley-enclosure: \(message)\n".utf8, to: STDERR_FILENO)
  exit(3)
}

signal(SIGPIPE, SIG_IGN)
do throws(Enclosure.EntryError) {
  try Enclosure.enter()
} catch {
  fail("\(error)")
}
// Where the worker sees it; its display then starts while its libraries are linked. The proxy may want a password.
Prelaunch.begin(hiding: ["GALLEY_PROXY"])
Enclosure.becomeWorker()
fail("\(Enclosure.worker) can't be started")

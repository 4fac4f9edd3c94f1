internal import Core
internal import Glibc

/// What the guard process does: waits for its standard input to end, then kills what the run left behind.
package enum GuardDuty {
  /// Returns once nothing of the run is left, 4 s after the command's end at the latest.
  package static func serve(_ run: RunIdentifier) async {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
    awaitEndOfInput()
    await Reaper(run.marker).reap(within: 4)
    // A process that ends lets go of its lock some time after it can't be found any more.
    let patience = ContinuousClock.now + .seconds(2)
    while EngineFolder.sweep(), ContinuousClock.now < patience { try? await Task.sleep(for: .milliseconds(20)) }
  }

  /// Blocks: this process has nothing else to do, and needs no thread for it.
  private static func awaitEndOfInput() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}

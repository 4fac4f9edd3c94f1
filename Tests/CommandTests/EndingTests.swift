import Foundation
import Testing

@testable import galley

/// How the built command ends when something else ends it; `cat` of the fifo ends once its last holder is dead.
@Suite(.timeLimit(.minutes(1))) struct EndingTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    for name in ["good.html", "hang.html"] { try program.file(name) }
  }

  /// Starts a run, does `act` with `$pid` once the worker hangs, and returns when nothing of it is alive.
  private func run(_ arguments: String, act: String) async throws -> GalleyProgram.Outcome {
    try await program.shell(
      """
      mkfifo alive
      "$GALLEY" render \(arguments) > out 2> errors & pid=$!
      exec 8< alive
      read -r up <&8
      \(act)
      began=$(date +%s%3N)
      wait $pid; status=$?
      cat <&8
      echo $(($(date +%s%3N) - began)) > took
      cat out
      exit $status
      """)
  }

  @Test(arguments: ["KILL", "INT", "TERM", "HUP"]) func leavesNothingAlive(signal: String) async throws {
    let outcome = try await run("hang.html", act: "kill -\(signal) $pid")
    #expect(outcome.code == (signal == "KILL" ? 137 : 130))
    let took = try String(contentsOfFile: program.folder + "/took", encoding: .utf8)
    let milliseconds = try #require(Int(took.filter(\.isNumber)))
    #expect(milliseconds < 5_000)
  }

  @Test func keepsWhatWasDoneWhenInterrupted() async throws {
    let outcome = try await run("--json --jobs 1 good.html hang.html", act: "kill -INT $pid")
    let document = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results.map { $0["outcome"] as? String } == ["completed", "failed"])
    #expect(results.last?["code"] as? String == "cancelled")
    #expect((document["summary"] as? [String: Any])?["exitCode"] as? Int == 130)
  }

  @Test func goesOnWithoutItsGuard() async throws {
    let killGuard = """
      for p in /proc/[0-9]*; do
        if [ "$(cut -d' ' -f4 $p/stat)" = $pid ] && tr '\\0' ' ' < $p/cmdline | grep -q 'galley guard'; then
          kill -9 ${p#/proc/} && echo killed > killed
        fi
      done 2> /dev/null
      """
    let outcome = try await run("hang.html good.html --jobs 2 --timeout 0.1", act: killGuard)
    #expect(FileManager.default.fileExists(atPath: program.folder + "/killed"))
    #expect(outcome.code == 4)
    #expect(outcome.output.contains("good  completed"))
  }
}

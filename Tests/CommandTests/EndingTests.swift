import Core
import Foundation
import RenderModel
import Testing

@testable import Terminal
@testable import galley

/// Ends of the built command caused from outside; `cat` of the fifo ends after its last holder has died.
@Suite(.timeLimit(.minutes(1))) struct EndingTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    for name in ["good.html", "hang.html"] { try program.file(name) }
  }

  /// Starts a run, does `act` with `$pid` once the worker hangs, and returns when all of its processes have ended.
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
    #expect(results.last?["code"] as? String == "render-cancelled")
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
    let outcome = try await run("hang.html good.html --jobs 2 --timeout 3", act: killGuard)
    #expect(FileManager.default.fileExists(atPath: program.folder + "/killed"))
    #expect(outcome.code == 4)
    #expect(outcome.output.contains("good  completed"))
  }
}

/// Reports of every command on output that can't be written, without changes to existing files in its place.
@Suite(.timeLimit(.minutes(5))) struct OutputEndingTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    for name in ["one", "two"] { try program.file("ads/\(name).html") }
  }

  @Test func aFullDeviceIsToldByEveryCommand() async throws {
    _ = try await program.run("check ads --recursive --out whole --shard 1/1")
    for side in ["a", "b"] { try program.file("ads/\(side)/events.ndjson", "") }
    _ = try await program.run("serve token create named --scopes read --file named")
    for arguments in [
      "devices", "devices --json", "containers", "containers --json", "checks", "checks exception --json", "--version",
      "--help", "render --help", "--generate-completion-script bash", "render ads/one.html",
      "render ads/one.html --json", "check ads/one.html", "check ads/one.html --json",
      "compare-containers ads/one.html --container mraid-2", "merge-reports whole --out all", "diff ads/a ads/b",
      "serve token create x --scopes read --file tokens", "serve token list --file named",
    ] {
      // Opened by the shell as its own output; nothing names it to the command.
      let outcome = try await program.shell("exec \"$GALLEY\" \(arguments) > /dev/full")
      #expect(outcome.code == 3, "\(arguments)")
      #expect(outcome.errors.contains("no space left on device"), "\(arguments)")
    }
  }

  @Test func reportsGoThroughLinksAndIntoPipes() async throws {
    _ = try await program.run("check ads --recursive --out whole")
    for option in ["--junit", "--sarif", "--ctrf", "--har", "--html"] {
      let outcome = try await program.shell(
        """
        rm -f link target pipe; ln -s target link; mkfifo pipe; cat pipe > piped & \
        "$GALLEY" report whole \(option) link && "$GALLEY" report whole \(option) pipe && \
        "$GALLEY" report whole \(option) /dev/stdout > printed && wait && \
        cmp target piped && cmp target printed && test -L link && test -p pipe && test -s target
        """)
      #expect(outcome.code == 0, "\(option): \(outcome.errors)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root makes devices"))
  func reportsIntoADeviceLeaveItOne() async throws {
    _ = try await program.run("check ads --recursive --out whole")
    // A node of this test's own with the numbers of a device that is always full.
    let outcome = try await program.shell(
      "mknod full c 1 7 && ln -s full link; \"$GALLEY\" report whole --junit link; echo $?; test -c full && test -L link"
    )
    #expect(outcome.code == 0)
    #expect(outcome.output != "0\n")
    #expect(outcome.errors.contains("can't write to link: "))
  }

  @Test func pagesOfDifferencesGoThroughLinks() async throws {
    for side in ["a", "b"] { try program.file("\(side)/events.ndjson", "") }
    let outcome = try await program.shell(
      "ln -s target link; \"$GALLEY\" diff a b --html link && test -L link && grep -q '<html' target")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test func tokensAreKeptWhereALinkLeads() async throws {
    let outcome = try await program.shell(
      """
      ln -s real tokens; "$GALLEY" serve token create a --scopes read --file tokens >/dev/null && \
      "$GALLEY" serve token create b --scopes read --file tokens > /dev/null && test -L tokens && \
      test "$(stat -c %a real)" = 600 && "$GALLEY" serve token list --file real
      """)
    #expect(outcome.code == 0)
    #expect(outcome.output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ("rendr x", "did you mean render?"), ("baseline verfy x", "did you mean verify?"),
    ("serve token lst", "did you mean list?"), ("frobnicate", "there are init, render, check"),
  ]) func aWrongCommandIsToldWithTheNearest(arguments: String, hint: String) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("[command-unknown]") && outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test func knowsACommandByItsEarlierName() async throws {
    let outcome = try await program.run("selftest --help")
    #expect(outcome.code == 0 && outcome.output.contains("galley conformance"), "\(outcome.errors)")
  }

  @Test(arguments: ["serve --help", "help serve", "serve token --help", "help serve token"])
  func helpOfServingIsTheServers(arguments: String) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("USAGE: galley serve \(arguments.contains("token") ? "token " : "")"))
    #expect(outcome.output.contains(arguments.contains("token") ? "remove" : "--max-screen"))
  }

  @Test func withoutItsServerTheCommandSaysHowToBuildIt() async throws {
    let outcome = try await program.shell(
      "mkdir alone; ln \"$GALLEY\" alone 2>/dev/null || cp \"$GALLEY\" alone; exec alone/galley serve --port 0")
    #expect(outcome.code == 3)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("swift build --product galley-server"))
    #expect(outcome.errors.contains("[server-missing]"))
  }

  @Test(arguments: ["$s11Hummingbird", "$s4GRDB", "$s7NIOCore"])
  func theCommandHasNoServerInside(symbol: String) throws {
    let holds = try ["", "-server"].map { name in
      try Self.file(GalleyProgram.path + name, contains: Array(symbol.utf8))
    }
    #expect(holds == [false, true])
  }

  /// Searches with the system's search for one byte: Foundation's for several takes a second per ten megabytes.
  private static func file(_ path: String, contains text: [UInt8]) throws -> Bool {
    try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe).withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return false }
      var place = 0
      while let found = memchr(first + place, Int32(text[0]), bytes.count - place) {
        place = UnsafeRawPointer(found) - first
        if bytes.count - place >= text.count, memcmp(found, text, text.count) == 0 { return true }
        place += 1
      }
      return false
    }
  }

  @Test func severalDevicesGiveAFolderEachOrAreRefused() async throws {
    let outcome = try await program.run("render ads/one.html --device iphone-15 --device pixel-8")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("one/iphone-15") && outcome.output.contains("one/pixel-8"))
    for wrong in ["baseline verify ads/one.html", "compare-containers ads/one.html"] {
      let refused = try await program.run("\(wrong) --device iphone-15 --device pixel-8")
      #expect(refused.code == 2 && refused.errors.contains("[device-duplicate]"))
    }
    #expect(try await program.run("render ads/one.html --device pixel-8 --device pixel-8").code == 2)
  }

  @Test func aShareWithoutCreativesAndAJoinedReportAreToldInALine() async throws {
    let shares = try await ["1/2", "2/2"].asyncMap { share in
      try await program.run("check ads/one.html --shard \(share) --out part-\(share.prefix(1))")
    }
    #expect(
      shares.contains {
        $0.output == "\npolicy: none\nno verdicts: none of 1 creatives is in this share; report: part-1/report.json\n"
          || $0.output
            == "\npolicy: none\nno verdicts: none of 1 creatives is in this share; report: part-2/report.json\n"
      })
    let whole = try await program.run("merge-reports part-1 part-2 --out all")
    #expect(whole.output == "1 verdict: 1 passed; networks: 1 not tried; report: all/report.json\n")
    let renders = try await ["1/2", "2/2"].asyncMap { try await program.run("render ads/one.html --shard \($0)") }
    #expect(renders.contains { $0.output == "\nno creatives: this share contains none of 1\n" })
  }
}

extension Sequence {
  /// Transforms the elements one after the other.
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}

/// Shorter name of the command's status, since Swift Testing has an `ExitStatus` too.
private typealias Status = Terminal.ExitStatus

@Suite struct ExitStatusTests {
  @Test(arguments: [
    (RenderRecord.fake(), Status.pass),
    (.fake(.failed, .creative("expectation-failed", "no")), .findings),
    (.fake(.crashed, .creative("web-process-crashed", "gone")), .findings),
    (.fake(.failed), .findings),
    (.fake(.failed, .request("file-missing", "none")), .usage),
    (.fake(.crashed, .engine("worker-died", "gone")), .engine),
    (.fake(.timedOut, .deadline("deadline-exceeded", "late")), .deadline),
    (.fake(.timedOut), .deadline),
  ])
  fileprivate func followsFromARecord(record: RenderRecord, expected: Status) {
    #expect(Status(record) == expected)
  }

  @Test(
    arguments: [
      ([], .pass), ([.pass, .findings], .findings), ([.findings, .usage], .usage),
      ([.usage, .deadline, .findings], .deadline), ([.deadline, .engine], .engine),
      ([.engine, .interrupted], .interrupted),
    ] as [([Status], Status)])
  fileprivate func standsForTheWorst(statuses: [Status], expected: Status) {
    #expect(Status(worstOf: statuses) == expected)
    #expect(Status(worstOf: statuses.reversed()) == expected)
  }

  @Test func hasTheDocumentedNumbers() {
    #expect(Status.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 130])
  }
}

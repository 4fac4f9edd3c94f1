import Jobs
import Testing

@testable import galley

/// Swift Testing has an `ExitStatus` too.
private typealias Status = galley.ExitStatus

@Suite struct ExitStatusTests {
  @Test(arguments: [
    (RenderRecord.fake(), Status.pass),
    (.fake(.failed, .creative("expectation-failed", "no")), .findings),
    (.fake(.crashed, .creative("web-process-crashed", "gone")), .findings),
    (.fake(.failed), .findings),
    (.fake(.failed, .request("no-such-file", "none")), .usage),
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

import Jobs
import Testing

@Suite("The ends of the initial load")
struct LoadBoundaryTests {
  private let resources = [
    MeasuredResource(url: "index.html", origin: .creative, start: 0, encoded: 4_000, gzipEstimate: 1_000),
    MeasuredResource(url: "mraid.js", origin: .container, start: 5, encoded: 60),
    MeasuredResource(url: "a.png", origin: .creative, start: 300, end: 900, encoded: 2_000),
    MeasuredResource(url: "b.js", origin: .network, start: 1_200, encoded: 500, decoded: 1_500, gzipEstimate: 1),
  ]

  @Test("a resource belongs to the initial load when it was asked for by then, however long it takes")
  func divides() {
    let boundary = LoadBoundary(kind: .windowLoad, t: 300, dividing: resources)
    #expect(boundary.initial == LoadWeight(requests: 2, bytes: 6_000, compressed: 3_000))
    #expect(boundary.subload == LoadWeight(requests: 1, bytes: 500, compressed: 500))
  }

  @Test("where an end never came, everything is initial")
  func neverComes() {
    let boundary = LoadBoundary(kind: .complete, t: nil, dividing: resources)
    #expect(boundary.initial == LoadWeight(requests: 3, bytes: 6_500, compressed: 3_500))
    #expect(boundary.subload == LoadWeight())
  }

  @Test("there are four, one of them a second after DOMContentLoaded")
  func four() {
    let all = LoadBoundary.all(domContentLoaded: 150, windowLoad: 400, complete: nil, dividing: resources)
    #expect(all.map(\.kind) == LoadBoundary.Kind.allCases)
    #expect(all.map(\.t) == [150, 1_150, 400, nil])
    #expect(all.map(\.initial.requests) == [1, 2, 2, 3])
  }

  @Test("the estimate never makes a file larger, and what came over the network is as it came")
  func compressed() {
    #expect(MeasuredResource(url: "t", origin: .creative, encoded: 10, gzipEstimate: 30).compressed == 10)
    #expect(MeasuredResource(url: "t", origin: .network, encoded: 10, gzipEstimate: 3).compressed == 10)
    #expect(MeasuredResource(url: "t", origin: .network, decoded: 12).bytes == 12)
  }
}

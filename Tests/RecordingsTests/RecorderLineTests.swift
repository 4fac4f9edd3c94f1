import Core
import Recordings
import Testing

@Suite("Lines between worker and recorder") struct RecorderLineTests {
  @Test(
    "Requests are read as they were said",
    arguments: [
      RecorderRequest.release(piece: 3, now: 0), .release(piece: 0, now: 1234.567891234), .release(piece: 9, now: 1e-7),
      .drop(piece: 7), .sync(Int.max), .finish,
    ])
  func requests(request: RecorderRequest) {
    #expect(request.line.last == UInt8(ascii: "\n") && request.line.dropLast().contains(UInt8(ascii: "\n")) == false)
    #expect(RecorderRequest(line: request.line.dropLast()) == request)
  }

  @Test(
    "Events are read as they were said",
    arguments: [
      RecorderEvent.ready, .synced(12, activity: 345), .fetching(0), .withdrawn(piece: 4), .finished(exchanges: 2),
      .due(
        ScheduledChunk(
          piece: 1, exchange: 10_000_002, order: 3, after: 16.666666666666668, bytes: 1 << 40, kind: .firstSecureHead)),
      .refused(host: "a b\n\"c", code: "private"), .failed(.engine("x", "line\nfeed")),
      .missing(MissingRequest(method: "GET", url: "http://e.com/ due 1", nearest: "")),
    ])
  func events(event: RecorderEvent) {
    #expect(event.line.dropLast().contains(UInt8(ascii: "\n")) == false)
    #expect(RecorderEvent(line: event.line.dropLast()) == event)
  }

  @Test(
    "What is neither is nothing",
    arguments: [
      "", " ", "{", "{}", "sync", "sync x", "sync 1 2", "release 1", "release 1 x", "finish 1", "ready 1", "withdrawn",
      "finished x", "due 1 2 3 4 5 sideways", "99999999999999999999",
    ])
  func nonsense(line: String) {
    #expect(RecorderRequest(line: line.utf8) == nil && RecorderEvent(line: line.utf8) == nil)
  }
}

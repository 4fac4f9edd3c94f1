import Core
import Engine
import RenderModel
import Testing

@testable import Hosting
@testable import Rendering

@Suite("The network log", .engine)
struct NetworkLogTests {
  private let folder: TemporaryFolder
  private let recorder: Recorder
  private let log: NetworkLog

  @EngineActor init() throws {
    folder = try TemporaryFolder()
    recorder = Recorder(
      writer: try EventWriter(path: folder.path + "/events.ndjson"), clock: RenderClock())
    log = NetworkLog(recorder: recorder, addresses: PageAddresses(host: "ad-3"))
  }

  private func load(_ index: Int, _ url: String, status: Int = 200) -> ResourceLoad {
    var load = ResourceLoad(url: url, index: index, requested: 0.1)
    (load.status, load.mimeType, load.bytes, load.end) = (status, "image/png", 12, 0.25)
    return load
  }

  @EngineActor private var urls: [String] { recorder.events.compactMap { $0.detail["url"]?.string } }

  @Test("tells the document, then resources by when they were asked for, those of one instant by address")
  @EngineActor func order() {
    let loads: [(url: String, asked: Double)] = [("page", 0), ("b", 0), ("c", 40), ("d", 0), ("a", 40)]
    for index in [3, 0, 4, 2, 1] {
      var load = load(index, "https://x.example/\(loads[index].url)")
      load.asked = loads[index].asked
      log.add(load)
    }
    #expect(recorder.events.isEmpty)
    log.flush()
    #expect(urls == ["page", "b", "d", "a", "c"].map { "https://x.example/\($0)" })
    #expect(log.ended == 5)
  }

  @Test("tells a picture of the creative's once for an instant, however often it is asked for")
  @EngineActor func mask() {
    func ask(_ index: Int, _ url: String, type: String = "image/png", at asked: Double = 0) {
      var load = load(index, url)
      load.mimeType = type
      load.asked = asked
      log.add(load)
    }
    ask(1, "creative://ad-3/mask.png")
    ask(2, "creative://ad-3/mask.png")
    ask(3, "creative://ad-3/mask.png", at: 40)
    ask(4, "creative://ad-3/data.json", type: "application/json")
    ask(5, "creative://ad-3/data.json", type: "application/json")
    ask(6, "https://count.example/pixel.png")
    ask(7, "https://count.example/pixel.png")
    log.flush()
    #expect(
      urls == [
        "creative://ad/data.json", "creative://ad/data.json", "creative://ad/mask.png",
        "https://count.example/pixel.png", "https://count.example/pixel.png", "creative://ad/mask.png",
      ])
    #expect(log.ended == 7)
  }

  @Test("keeps no more than the log holds, and counts all")
  @EngineActor func flood() {
    for index in 0..<12_000 { log.add(load(index, "https://x.example/\(index)")) }
    #expect(log.ended == 12_000)
    log.flush()
    #expect(recorder.events.count == Recorder.capacity)
  }

  @Test("tells each once, late ones with the next flush")
  @EngineActor func once() {
    log.add(load(1, "https://x.example/b"))
    log.flush()
    log.flush()
    log.add(load(0, "https://x.example/a"))
    log.flush()
    #expect(urls == ["https://x.example/b", "https://x.example/a"])
  }

  @Test("names own files by the log's host and leaves a page's memory out")
  @EngineActor func addresses() {
    log.add(load(0, "creative://ad-3/a.png"))
    log.add(load(1, "blob:creative://ad-3/1-2"))
    log.flush()
    #expect(urls == ["creative://ad/a.png"])
  }

  @Test("says status, type, bytes and timing, failure and redirects where there are any")
  @EngineActor func detail() {
    log.add(load(0, "https://x.example/a"))
    var failed = load(1, "https://x.example/b", status: 0)
    failed.failure = "refused"
    failed.redirects = ["creative://ad-3/r"]
    log.add(failed)
    log.flush()
    #expect(
      recorder.events.first?.detail == [
        "url": "https://x.example/a", "status": 200, "type": "image/png", "bytes": 12,
        "timing": ["start": 100, "end": 250],
      ])
    #expect(recorder.events.last?.detail["failure"] == "refused")
    #expect(recorder.events.last?.detail["redirects"] == ["creative://ad/r"])
  }
}

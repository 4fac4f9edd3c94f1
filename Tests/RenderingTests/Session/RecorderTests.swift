import Core
import Engine
import Foundation
import RenderModel
import Testing

@testable import Hosting
@testable import Rendering

@Suite("The recorder", .engine, .timeLimit(.minutes(1)))
struct RecorderTests {
  private let folder: TemporaryFolder
  private let writer: EventWriter
  private let recorder: Recorder

  @EngineActor init() throws {
    folder = try TemporaryFolder()
    writer = try EventWriter(path: folder.path + "/events.ndjson")
    recorder = Recorder(writer: writer, clock: RenderClock())
  }

  @Test("numbers events from 0 and their times never fall")
  @EngineActor func numbers() {
    for _ in 0..<50 { recorder.record(.host, "tick") }
    #expect(recorder.events.map(\.seq) == Array(0..<50))
    #expect(zip(recorder.events, recorder.events.dropFirst()).allSatisfy { $0.t <= $1.t })
  }

  @Test("ends a wait with the event that fulfils it")
  @EngineActor func waits() async {
    let recorder = recorder
    let wait = Task { @EngineActor in await recorder.wait { recorder.events.count == 2 } }
    recorder.record(.mraid, "ready")
    recorder.record(.mraid, "stateChange")
    #expect(await wait.value)
  }

  @Test("ends a wait at once when it holds already")
  @EngineActor func holdsAlready() async {
    #expect(await recorder.wait(.zero) { true })
  }

  @Test("ends a wait when time is over")
  @EngineActor func timesOut() async {
    #expect(await recorder.wait(.milliseconds(20)) { false } == false)
  }

  @Test("ends a wait when its task is cancelled, before and during it")
  @EngineActor func cancelled() async {
    let recorder = recorder
    let during = Task { @EngineActor in await recorder.wait { false } }
    during.cancel()
    #expect(await during.value == false)
    let before = Task { @EngineActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return await recorder.wait { false }
    }
    #expect(await before.value == false)
  }

  @Test("wakes every waiter that an event fulfils and no other")
  @EngineActor func manyWaiters() async {
    let recorder = recorder
    let waits = (1...20).map { count in Task { @EngineActor in await recorder.wait { recorder.events.count >= count } }
    }
    let never = Task { @EngineActor in await recorder.wait(.milliseconds(200)) { recorder.events.count > 20 } }
    await EngineActor.run {}
    for _ in 1...20 { recorder.record(.host, "tick") }
    for wait in waits { #expect(await wait.value) }
    #expect(await never.value == false)
  }

  @Test("lets a waiter look again when something unlogged changed")
  @EngineActor func wakes() async {
    final class Flag { var isUp = false }
    let (recorder, flag) = (recorder, Flag())
    Task { @EngineActor in
      flag.isUp = true
      recorder.wakeWaiters()
    }
    #expect(await recorder.wait { flag.isUp })
  }

  @Test("survives a condition that itself records")
  @EngineActor func reentrant() async {
    let recorder = recorder
    let wait = Task { @EngineActor in
      await recorder.wait {
        if recorder.events.count == 1 { recorder.record(.host, "inner") }
        return recorder.events.count >= 2
      }
    }
    await EngineActor.run {}
    recorder.record(.host, "outer")
    #expect(await wait.value)
  }

  @Test("ends a flood with one logTruncated at its capacity")
  @EngineActor func capacity() async throws {
    for _ in 0..<(Recorder.capacity + 500) { recorder.record(.creative, "getState") }
    #expect(recorder.events.count == Recorder.capacity)
    #expect(recorder.events.last?.name == "logTruncated")
    #expect(recorder.events.count(where: { $0.name == "logTruncated" }) == 1)
    #expect(await writer.finish() == 0)
    let text = try String(contentsOfFile: folder.path + "/events.ndjson", encoding: .utf8)
    #expect(text.split(separator: "\n").count == Recorder.capacity)
  }

  @Test("cuts long texts and says so")
  @EngineActor func cuts() async throws {
    recorder.record(.creative, "open", ["arguments": [.string(String(repeating: "x", count: 1_000_000))]])
    let detail = try #require(recorder.events.first?.detail)
    #expect(detail["arguments"]?[0]?.string == String(repeating: "x", count: 2_048) + "…")
    #expect(detail["cut"] == true)
    recorder.record(.creative, "open", ["arguments": ["https://x.example/"]])
    #expect(recorder.events.last?.detail["cut"] == nil)
  }

  @Test("ends with one logTruncated at its bytes, and counts the rest")
  @EngineActor func bytes() async throws {
    let long = JSONValue.string(String(repeating: "x", count: 2_000))
    for _ in 0..<9_000 { recorder.record(.creative, "open", ["arguments": [long]]) }
    #expect(recorder.events.last?.name == "logTruncated")
    #expect(recorder.events.last?.detail["bytes"] == .number(Double(Recorder.largest)))
    #expect(recorder.leftOut == 9_000 - recorder.events.count + 1)
    #expect(recorder.warning?.contains("\(recorder.leftOut) later events") == true)
    #expect(await writer.finish() == 0)
    let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/events.ndjson")[.size] as? Int
    #expect(size ?? 0 > Recorder.largest / 2)
    #expect(size ?? .max <= Recorder.largest)
  }

  @Test("counts by name, and by source when that is said")
  @EngineActor func counts() throws {
    recorder.record(.mraid, "error")
    recorder.record(.page, "error")
    #expect(recorder.count(try #require(EventPattern("error"))) == 2)
    #expect(recorder.count(try #require(EventPattern("mraid/error"))) == 1)
    #expect(recorder.count(try #require(EventPattern("host/error"))) == 0)
  }
}

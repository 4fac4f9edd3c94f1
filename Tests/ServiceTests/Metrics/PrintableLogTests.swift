import Core
import Logging
import Synchronization
import Testing

@testable import Service

@Suite struct PrintableLogTests {
  /// Keeps what it is told.
  private struct Keeper: LogHandler {
    final class Kept: Sendable { let texts = Mutex<[String]>([]) }
    let kept = Kept()
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = (event.metadata ?? [:]).values.map(\.description) + metadata.values.map(\.description)
      kept.texts.withLock { $0 += [event.message.description] + values }
    }
  }

  @Test func tellsForeignTextsOnOneLine() {
    let keeper = Keeper()
    let text = "a\n::error::x\u{1B}[2J\u{202E}##vso[x]\u{2028}"
    var log = Logger(label: "test") { _ in PrintableLog(keeper) }
    log[metadataKey: "request"] = "\(text)"
    log.error(
      "\(text)", metadata: ["path": "\(text)", "all": .array(["\(text)"]), "in": .dictionary(["x": "\(text)"])])
    let texts = keeper.kept.texts.withLock { $0 }
    #expect(texts.count == 5)
    for text in texts {
      #expect(text.unicodeScalars.allSatisfy { !$0.isUnprintable } && !text.contains("##vso["))
      #expect(text.contains("a ::error::x [2J"))
    }
  }
}

import Foundation
import RenderModel
import Testing

/// Symbols of event names, compared with the names that scenarios may use.
@Suite struct EventNameTests {
  private static let known = Event.Source.allCases.map { EventVocabulary.names(of: $0) }

  /// Returns the text of the file that declares the symbols.
  private static func source() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "Sources/RenderModel/EventName.swift"), encoding: .utf8)
  }

  @Test func `each symbol is called as its name, which stands once`() throws {
    let text = try Self.source()
    let declared = text.matches(of: /static let `?([a-zA-Z]+)`? = Self\(rawValue: "([a-z][a-zA-Z]*)"\)/)
    #expect(declared.count > 200)
    // A symbol that is declared in another way would be left out.
    #expect(declared.count == text.components(separatedBy: "static let ").count - 1)
    for match in declared where match.output.2 != "init" { #expect(match.output.1 == match.output.2) }
    #expect(Event.Name.initialize.rawValue == "init")
    let names = declared.map { String($0.output.2) }
    #expect(Set(names).count == names.count)
    #expect(Set(names) == Set(Self.known.joined()))
  }

  @Test func `a source has each name once`() {
    for names in Self.known { #expect(Set(names).count == names.count, "\(names)") }
  }

  @Test func `an event is known by its name`() {
    let event = Event(seq: 0, t: 0, source: .mraid, name: "stateChange")
    #expect(event.isNamed(.stateChange))
    #expect(!event.isNamed(.sizeChange))
    #expect(event.isOne(of: [.ready, .stateChange]))
    #expect(!event.isOne(of: [.ready, .error]))
    #expect(!event.isOne(of: []))
  }
}

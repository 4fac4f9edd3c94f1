internal import Core
internal import FoundationEssentials
package import MRAID

/// What a page answers the host: JSON in which any number may stand, however large a page can make one.
package enum PageAnswer {
  /// Decodes it with each number held to a size that adds up and fits a whole number; nil for anything else.
  package static func decode<Answer: Decodable>(_ type: Answer.Type = Answer.self, from text: String) -> Answer? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
      let bounded = try? JSONEncoder().encode(value.bounded)
    else { return nil }
    return try? JSONDecoder().decode(type, from: bounded)
  }
}

extension JSONValue {
  /// The same with each number held within what can be meant.
  package var bounded: JSONValue {
    switch self {
    case .number(let value): .number(Bounded.number(value, in: Bounded.plausible))
    case .array(let elements): .array(elements.map(\.bounded))
    case .object(let members): .object(members.mapValues(\.bounded))
    case .null, .bool, .string: self
    }
  }
}

/// Something that a request names, or describes itself.
package enum Described<Value: Hashable & Sendable & Codable>: Hashable, Sendable {
  case name(String)
  case value(Value)
}

extension Described: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let name = try? container.decode(String.self) {
      self = .name(name)
    } else {
      self = .value(try container.decode(Value.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .name(let name): try container.encode(name)
    case .value(let value): try container.encode(value)
    }
  }
}

internal import Core
internal import Tracing

/// Spans in the form of OTLP over HTTP with JSON: ids in hexadecimal digits, 64-bit numbers as strings, kinds as
/// numbers.
struct SpanDocument: Encodable {
  private struct Value: Encodable {
    var stringValue: String?
    var intValue: String?
    var doubleValue: Double?
    var boolValue: Bool?
  }
  private struct Attribute: Encodable {
    let key: String
    let value: Value
  }
  private struct Event: Encodable {
    let timeUnixNano: String
    let name: String
    let attributes: [Attribute]
  }
  private struct Status: Encodable {
    let code: Int
    let message: String
  }
  private struct Span: Encodable {
    let traceId: String
    let spanId: String
    let parentSpanId: String?
    let name: String
    let kind: Int
    let startTimeUnixNano: String
    let endTimeUnixNano: String
    let attributes: [Attribute]
    let events: [Event]
    let status: Status?
  }
  private struct Scope: Encodable {
    let name: String
    let version: String
  }
  private struct ScopeSpans: Encodable {
    let scope: Scope
    let spans: [Span]
  }
  private struct Resource: Encodable {
    let attributes: [Attribute]
  }
  private struct ResourceSpans: Encodable {
    let resource: Resource
    let scopeSpans: [ScopeSpans]
  }

  private let resourceSpans: [ResourceSpans]

  /// Converts spans; `service` is the program's name in traces, `instance` that of this process.
  init(_ records: [SpanRecord], service: String, instance: String) {
    let names = [
      ("service.name", service), ("service.version", Galley.version), ("service.instance.id", instance),
    ]
    let resource = Resource(attributes: names.map { Attribute(key: $0, value: Value(stringValue: $1)) })
    let scope = Scope(name: "galley", version: Galley.version)
    resourceSpans = [
      ResourceSpans(
        resource: resource, scopeSpans: [ScopeSpans(scope: scope, spans: records.map(Self.span))])
    ]
  }

  private static func span(_ record: SpanRecord) -> Span {
    Span(
      traceId: record.context.trace, spanId: record.context.span, parentSpanId: record.parent?.span,
      name: record.name.printable(limit: 200), kind: number(of: record.kind),
      startTimeUnixNano: String(record.start), endTimeUnixNano: String(record.end),
      attributes: attributes(record.attributes),
      events: record.events.map {
        Event(
          timeUnixNano: String($0.nanosecondsSinceEpoch), name: $0.name.printable(limit: 200),
          attributes: attributes($0.attributes))
      },
      status: record.problem.map { Status(code: 2, message: $0.printable(limit: 1000)) })
  }

  private static func attributes(_ attributes: SpanAttributes) -> [Attribute] {
    var list: [Attribute] = []
    attributes.forEach { key, value in
      let value: Value? =
        switch value {
        case .int32(let number): Value(intValue: String(number))
        case .int64(let number): Value(intValue: String(number))
        case .double(let number): Value(doubleValue: number)
        case .bool(let flag): Value(boolValue: flag)
        case .string(let text): Value(stringValue: text.printable(limit: 1000))
        default: nil
        }
      if let value { list.append(Attribute(key: key, value: value)) }
    }
    return list.sorted { $0.key < $1.key }
  }

  private static func number(of kind: SpanKind) -> Int {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }
}

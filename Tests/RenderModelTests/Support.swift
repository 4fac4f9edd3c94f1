import Core
import Device
import Foundation
import MRAID
import RenderModel
import Testing

/// Schema of the Schemas folder, with a check of the few keywords that these schemas use.
struct SchemaFile {
  let root: JSONValue

  init(_ name: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let package = tests.deletingLastPathComponent()
    let data = try Data(contentsOf: package.appendingPathComponent("Schemas/\(name)"))
    root = try JSONDecoder().decode(JSONValue.self, from: data)
  }

  /// Returns violations of the schema as `path: problem`; empty if the value is valid.
  func problems(of value: JSONValue) -> [String] { problems(value, root, "$") }

  /// Returns keywords in the file that this check would silently ignore.
  func unknownKeywords() -> Set<String> {
    let known: Set<String> = [
      "$schema", "$id", "$ref", "$defs", "title", "description", "type", "required", "properties", "enum", "const",
      "additionalProperties", "items", "minItems", "maxItems", "minimum", "exclusiveMinimum", "pattern",
    ]
    return schemas().reduce(into: []) { $0.formUnion(Set($1.keys).subtracting(known)) }
  }

  /// Returns all schemas in the file, including nested ones.
  func schemas() -> [[String: JSONValue]] { schemas(in: root) }

  private func schemas(in schema: JSONValue) -> [[String: JSONValue]] {
    guard let members = schema.object else { return [] }
    let maps = ["properties", "$defs"].flatMap { members[$0]?.object?.values.map { $0 } ?? [] }
    let single = ["items", "additionalProperties"].compactMap { members[$0] }
    return [members] + (maps + single).flatMap(schemas(in:))
  }

  private func problems(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
      // Into another file of the folder: `diff.schema.json#/$defs/result`.
      if let file = reference.split(separator: "#").first, !reference.hasPrefix("#") {
        guard let other = try? SchemaFile(String(file)) else { return ["\(path): no schema \(file)"] }
        return other.problems(value, ["$ref": .string("#/$defs/\(name)")], path)
      }
      guard let target = root["$defs"]?[String(name)] else { return ["\(path): no definition \(name)"] }
      return problems(value, target, path)
    }
    var found: [String] = []
    if let type = schema["type"]?.string, !Self.fits(value, type) { return ["\(path): is no \(type)"] }
    if let allowed = schema["enum"]?.array, !allowed.contains(value) { found.append("\(path): isn't in the enum") }
    if let const = schema["const"], const != value { found.append("\(path): isn't the constant") }
    if let least = schema["minimum"]?.number, let number = value.number, number < least {
      found.append("\(path): is below \(least)")
    }
    if let bound = schema["exclusiveMinimum"]?.number, let number = value.number, number <= bound {
      found.append("\(path): isn't above \(bound)")
    }
    if let pattern = schema["pattern"]?.string, let text = value.string,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(path): doesn't match \(pattern)")
    }
    if let least = schema["minItems"]?.number, let elements = value.array, Double(elements.count) < least {
      found.append("\(path): has fewer than \(least.plain) elements")
    }
    if let most = schema["maxItems"]?.number, let elements = value.array, Double(elements.count) > most {
      found.append("\(path): has more than \(most.plain) elements")
    }
    if let items = schema["items"], let elements = value.array {
      found += elements.enumerated().flatMap { problems($1, items, "\(path)[\($0)]") }
    }
    return found + memberProblems(value, schema, path)
  }

  private func memberProblems(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let members = value.object else { return [] }
    var found = (schema["required"]?.array ?? []).compactMap(\.string)
      .filter { members[$0] == nil }.map { "\(path).\($0): is missing" }
    for (key, member) in members {
      if let known = schema["properties"]?[key] {
        found += problems(member, known, "\(path).\(key)")
      } else if let extra = schema["additionalProperties"] {
        found += extra == false ? ["\(path).\(key): is unknown"] : problems(member, extra, "\(path).\(key)")
      }
    }
    return found
  }

  private static func fits(_ value: JSONValue, _ type: String) -> Bool {
    switch type {
    case "object": value.object != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "boolean": value.bool != nil
    case "number": value.number != nil
    case "integer": value.number.map { $0 == $0.rounded() } ?? false
    default: false
    }
  }
}

/// Records and events to compare with their schemas.
enum Samples {
  /// Record in which every optional member has a value.
  static let full: RenderRecord = {
    var record = complete
    record.steps = [
      .init(line: 3, text: "tap: \"#buy\"", start: 90, end: 120.5),
      .init(
        line: 7, text: "tap: \"#bye\"", start: 121, end: 2_121, failure: "nothing in the ad matches #bye",
        candidates: ["#buy"]),
    ]
    record.consent = .refused
    record.omid = true
    (record.locale, record.timeZone) = (LanguageTag("pt-BR"), TimeZoneName("America/Argentina/Buenos_Aires"))
    (record.colorScheme, record.reducedMotion) = (.dark, true)
    record.creative.document = "index.html"
    record.creative.delivered = DeliveredFiles(
      sha256: String(repeating: "0f", count: 32), whole: true, document: "index.html",
      files: [.init(path: "index.html", sha256: String(repeating: "1e", count: 32), addresses: ["https://a.example/"])])
    record.assumptions = [Assumption(.size, "320x50.5", because: "its size is unknown")]
    record.device.system = .android
    record.began = "2026-11-26T02:31:04.125Z"
    return record
  }()

  private static let complete = RenderRecord(
    creative: .init(path: "ads/one.zip", sha256: String(repeating: "0f", count: 32), kind: "zip"),
    device: .init(name: "pixel-8", width: 412, height: 915, scale: 2.625, renderScale: 3),
    placement: .init(kind: .banner, width: 320, height: 50.5, position: .bottom, assumedFrom: .fallback),
    container: "prebid-ios",
    engine: .init(webkit: "2.50.6", galley: "0.1.0", sandbox: true, compositor: true, unforked: "switched off"),
    outcome: .failed,
    failure: .creative("expectation-failed", "scenario.yaml:7: expected expanded, found default"),
    states: [.default, .expanded, .default],
    transitions: [
      .init(from: .loading, to: .default, t: 81.5, cause: "load"),
      .init(from: .default, to: .expanded, t: 140, cause: "expand"),
    ],
    screenshots: [
      .init(
        name: "001-default", path: "screenshots/001-default.png", state: .default, t: 90, at: 1.5, width: 1236,
        height: 2745, contentShare: 0.25)
    ],
    filmstrip: .init(sheet: "filmstrip.png", animation: "filmstrip-animation.png", interval: 0.5, frames: 31),
    nondeterminism: Nondeterminism.allCases,
    warnings: ["The creative never asked for mraid.js."], eventCount: 42, attempts: 2,
    timings: ["open": 3.25, "load": 81, "total": 412])

  /// Record in which no optional member has a value.
  static let bare = RenderRecord(
    creative: .init(path: "-"), device: .init(name: "custom", width: 1, height: 1, scale: 1, renderScale: 1),
    outcome: .completed)

  /// Returns a value as JSON.
  static func json(_ value: some Encodable) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
  }
}

/// Returns the steps of a scenario text, without their lines.
func actions(_ text: String) throws -> [Scenario.Action] {
  try ScenarioParser.parse(text, source: "scenario.yaml").steps.map(\.action)
}

/// Returns the single action of a one-step scenario.
func action(_ text: String) throws -> Scenario.Action {
  let all = try actions(text)
  try #require(all.count == 1)
  return all[0]
}

/// Returns the message with which a scenario text is refused; also checks origin and code.
func refusal(_ text: String, source: String = "scenario.yaml") throws -> String {
  let fault = try #require(throws: Fault.self) { try ScenarioParser.parse(text, source: source) }
  #expect(fault.origin == .request)
  #expect(fault.code == "scenario-invalid")
  return fault.message
}

/// Writes a value as JSON and reads it again.
func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

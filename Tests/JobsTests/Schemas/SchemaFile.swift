import Foundation
import MRAID

/// A schema of the Schemas folder, and a check of the few keywords our schemas use.
struct SchemaFile {
  let root: JSONValue

  init(_ name: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: package.appendingPathComponent("Schemas/\(name)"))
    root = try JSONDecoder().decode(JSONValue.self, from: data)
  }

  /// What doesn't fit, as `path: problem`; empty when the value is valid.
  func problems(of value: JSONValue) -> [String] { problems(value, root, "$") }

  /// Keywords in the file that this check would silently ignore.
  func unknownKeywords() -> Set<String> {
    let known: Set<String> = [
      "$schema", "$id", "$ref", "$defs", "title", "description", "type", "required", "properties", "enum", "const",
      "additionalProperties", "items", "minimum", "exclusiveMinimum", "pattern",
    ]
    return schemas().reduce(into: []) { $0.formUnion(Set($1.keys).subtracting(known)) }
  }

  /// Every schema in the file, the nested ones included.
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

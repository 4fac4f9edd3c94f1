internal import Core
internal import FoundationEssentials

/// The page that shows the HTTP interface: the OpenAPI document as HTML.
struct InterfacePage {
  private let document: JSONValue

  init?(_ bytes: [UInt8]) {
    guard let document = JSONText.value(bytes) else { return nil }
    self.document = document
  }

  /// Values for the template.
  var values: [String: Any] {
    let groups = (document["tags"]?.array ?? []).map { tag -> [String: Any] in
      let name = tag["name"]?.string ?? ""
      return [
        "tag": name, "about": Self.told(tag["description"]) ?? "",
        "operations": operations { $0["tags"]?[0]?.string == name },
      ]
    }
    let schemas = (document["components"]?["schemas"]?.object ?? [:]).sorted { $0.key < $1.key }.map { name, schema in
      var values: [String: Any] = ["schema": name, "members": members(schema), "kind": Self.type(schema)]
      values["told"] = Self.told(schema["description"])
      values["words"] = Self.words(schema)
      return values
    }
    return [
      "groups": groups, "schemas": schemas, "about": Self.told(document["info"]?["description"]) ?? "",
      "hooks": entries(of: document["webhooks"]) { _ in true },
    ]
  }

  private func operations(_ isWanted: (JSONValue) -> Bool) -> [[String: Any]] {
    entries(of: document["paths"], isWanted)
  }

  /// The operations of paths or webhooks, in the order of their addresses.
  private func entries(of paths: JSONValue?, _ isWanted: (JSONValue) -> Bool) -> [[String: Any]] {
    (paths?.object ?? [:]).sorted { $0.key < $1.key }.flatMap { path, methods in
      ["get", "post", "put", "delete"].compactMap { method in
        methods[method].flatMap { isWanted($0) ? operation($0, method.uppercased(), path) : nil }
      }
    }
  }

  private func operation(_ operation: JSONValue, _ method: String, _ path: String) -> [String: Any] {
    var values: [String: Any] = [
      "operation": operation["operationId"]?.string ?? "", "method": method, "path": path,
      "summary": operation["summary"]?.string ?? "", "bodies": bodies(operation["requestBody"]),
      "parameters": (operation["parameters"]?.array ?? []).map { parameter -> [String: Any] in
        [
          "parameter": parameter["name"]?.string ?? "", "place": parameter["in"]?.string ?? "",
          "kind": parameter["schema"].map(Self.type) ?? "", "told": Self.told(parameter["description"]) ?? "",
        ]
      },
      "answers": (operation["responses"]?.object ?? [:]).sorted { $0.key < $1.key }.map { code, answer in
        ["code": code, "told": Self.told(answer["description"]) ?? "", "bodies": code < "3" ? bodies(answer) : []]
          as [String: Any]
      },
    ]
    values["description"] = Self.told(operation["description"])
    values["hasParameters"] = operation["parameters"]?.array?.isEmpty == false
    return values
  }

  /// Bodies of a request or response by media type, each with an example.
  private func bodies(_ holder: JSONValue?) -> [[String: Any]] {
    (holder?["content"]?.object ?? [:]).sorted { $0.key < $1.key }.map { media, content in
      var values: [String: Any] = ["media": media]
      if let name = content["schema"].flatMap(Self.reference) { values["reference"] = name }
      let example = content["example"] ?? content["examples"]?.object?.sorted { $0.key < $1.key }.first?.value["value"]
      if let example, let bytes = try? JSONText.bytes(example, isIndented: true) {
        values["example"] = String(decoding: bytes, as: UTF8.self)
      }
      return values
    }
  }

  private func members(_ schema: JSONValue) -> [[String: Any]] {
    let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
    return (schema["properties"]?.object ?? [:]).sorted { $0.key < $1.key }.map { name, member in
      var values: [String: Any] = [
        "member": name, "kind": Self.type(member), "isRequired": required.contains(name),
        "told": Self.told(member["description"]) ?? "",
      ]
      values["reference"] = Self.reference(member) ?? member["items"].flatMap(Self.reference)
      values["words"] = Self.words(member)
      return values
    }
  }

  /// A description as plain text, without backticks.
  private static func told(_ value: JSONValue?) -> String? { value?.string?.replacing("`", with: "") }

  private static func words(_ schema: JSONValue) -> String? {
    schema["enum"]?.array?.compactMap(\.string).joined(separator: ", ")
  }

  /// The name of the schema that is referred to; nil for one without a reference.
  private static func reference(_ schema: JSONValue) -> String? {
    schema["$ref"]?.string?.split(separator: "/").last.map(String.init)
  }

  /// A schema's type in a word or two.
  private static func type(_ schema: JSONValue) -> String {
    if let name = reference(schema) { return name }
    if let choices = schema["oneOf"]?.array { return choices.map(type).joined(separator: " or ") }
    let type = schema["type"]?.string ?? "any"
    if type == "array" { return "list of \(schema["items"].map(self.type) ?? "any")" }
    return schema["format"]?.string.map { "\(type), \($0)" } ?? type
  }
}

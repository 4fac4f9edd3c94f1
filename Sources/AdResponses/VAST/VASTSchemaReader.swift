/// Departure of a document from its version's schema that doesn't affect reading and isn't corrected.
package struct VASTDeparture: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// A required part is missing.
    case missing
    /// A text has the wrong form, or isn't one of the allowed words.
    case value
    /// Elements are in another order than the schema's.
    case order
  }

  package var kind: Kind
  /// Line in the response's own text, from 1.
  package var line: Int
  package var reason: String

  package init(kind: Kind, line: Int, reason: String) {
    self.kind = kind
    self.line = line
    self.reason = reason
  }
}

/// Compares a document with the schema of its version; elements outside of it aren't checked.
struct VASTSchemaReader {
  private let schema: VASTSchema
  /// Flaws of the document that are recorded already.
  private let flaws: [VASTFlaw]
  private var departures: [VASTDeparture] = []

  /// Maximum number of departures that are recorded for a response.
  private static let most = 50

  private init(schema: VASTSchema, flaws: [VASTFlaw]) {
    self.schema = schema
    self.flaws = flaws
  }

  /// Returns the departures of a document, without those that are recorded as flaws.
  static func departures(of root: XMLTree, version: String, flaws: [VASTFlaw]) -> [VASTDeparture] {
    var reader = VASTSchemaReader(schema: .of(version), flaws: flaws)
    reader.read(root, in: "")
    return reader.departures
  }

  private mutating func read(_ element: XMLTree, in holder: String) {
    guard let rule = schema.rule(of: element.name, in: holder) else { return }
    for attribute in rule.attributes { check(attribute, of: element) }
    if let type = rule.text, let text = element.content, !type.accepts(text) {
      add(.value, element, "<\(element.name)>", "<\(element.name)> is \"\(text.shortened)\", not \(type.name)")
    }
    for child in rule.children where child.isRequired && element.child(child.name) == nil {
      let name = "<\(child.name)>"
      add(.missing, element, name, "<\(element.name)> has no \(name), which the schema of \(schema.version) requires")
    }
    if rule.isOrdered { checkOrder(of: element, rule) }
    let inner = VASTSchema.holder(within: element.name, of: holder)
    for child in element.children { read(child, in: inner) }
  }

  private mutating func check(_ attribute: VASTSchema.Part, of element: XMLTree) {
    let name = attribute.name
    guard let text = element.attribute(name) else {
      guard attribute.isRequired else { return }
      return add(
        .missing, element, name, "<\(element.name)> has no \(name), which the schema of \(schema.version) requires")
    }
    guard let type = attribute.type, !type.accepts(text) else { return }
    add(.value, element, name, "\(name)=\"\(text.shortened)\" of <\(element.name)> is not \(type.name)")
  }

  /// Records the first child that comes after one that the schema has behind it.
  private mutating func checkOrder(of element: XMLTree, _ rule: VASTSchema.Rule) {
    var last = 0
    for child in element.children {
      guard let place = rule.children.firstIndex(where: { $0.name == child.name }) else { continue }
      guard place >= last else {
        let reason = "<\(child.name)> comes after <\(rule.children[last].name)>, but the schema of \(schema.version)"
        return add(.order, child, "<\(child.name)>", "\(reason) requires it before")
      }
      last = place
    }
  }

  /// Records a departure, unless a flaw of the same line names the same part.
  private mutating func add(_ kind: VASTDeparture.Kind, _ element: XMLTree, _ part: String, _ reason: String) {
    guard departures.count < Self.most,
      !flaws.contains(where: { $0.line == element.line && $0.reason.contains(part) })
    else { return }
    departures.append(VASTDeparture(kind: kind, line: element.line, reason: reason))
  }
}

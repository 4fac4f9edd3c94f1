/// Where a document departs from its version's schema and is read all the same, with nothing to mend.
package struct VASTDeparture: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// Something required isn't there.
    case missing
    /// A text is of another form, or none of the words that there are.
    case value
    /// Elements stand in another order than the schema's.
    case order
  }

  package var kind: Kind
  /// From 1, in the response's own text.
  package var line: Int
  package var reason: String

  package init(kind: Kind, line: Int, reason: String) {
    self.kind = kind
    self.line = line
    self.reason = reason
  }
}

/// Holds a document against the schema of its version; what is beyond that isn't looked at.
struct VASTSchemaReader {
  private let schema: VASTSchema
  /// What was told of the document already.
  private let flaws: [VASTFlaw]
  private var departures: [VASTDeparture] = []

  /// The most that are told of a response.
  private static let most = 50

  private init(schema: VASTSchema, flaws: [VASTFlaw]) {
    self.schema = schema
    self.flaws = flaws
  }

  /// The departures of a document, but for those that are flaws and told as such.
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

  /// Tells the first child that comes after one that the schema has behind it.
  private mutating func checkOrder(of element: XMLTree, _ rule: VASTSchema.Rule) {
    var last = 0
    for child in element.children {
      guard let place = rule.children.firstIndex(where: { $0.name == child.name }) else { continue }
      guard place >= last else {
        let reason = "<\(child.name)> comes after <\(rule.children[last].name)>, and the schema of \(schema.version)"
        return add(.order, child, "<\(child.name)>", "\(reason) has it before")
      }
      last = place
    }
  }

  /// Notes one, unless a flaw of the same line names the same part.
  private mutating func add(_ kind: VASTDeparture.Kind, _ element: XMLTree, _ part: String, _ reason: String) {
    guard departures.count < Self.most,
      !flaws.contains(where: { $0.line == element.line && $0.reason.contains(part) })
    else { return }
    departures.append(VASTDeparture(kind: kind, line: element.line, reason: reason))
  }
}

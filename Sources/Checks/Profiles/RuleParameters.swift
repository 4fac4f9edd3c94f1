internal import Core

extension Profile.Rule {
  /// Parameter of a rule that has a list, and its elements as text.
  private struct Parameter {
    let name: String
    let elements: [String]
  }

  /// Maximum number of elements of a parameter, and of characters of each.
  private static let (mostElements, longestElement) = (64, 200)

  /// Parameters that checks read, by the check's id; the first list has those of which a rule needs at least one.
  private static let parametersOfChecks: [String: (oneOf: [String], other: [String])] = [
    PlayableChecks.storeCall.id: (["calls"], ["refuses"]),
    PlayableChecks.lifecycle.id: (["calls", "atLoad", "order", "answers"], []),
    NetworkScriptCheck.missingScript.id: (["scripts"], ["calls"]),
    PlayablePackageChecks.shape.id: (["packages", "files", "names", "depth"], []),
    PlayablePackageChecks.config.id: (["members"], ["files"]),
    PlayableCodeChecks.refusedCode.id: (["refuses"], []),
    PlayableCodeChecks.syntax.id: (["edition"], []),
    WeightChecks.deliveredWeight.id: ([], ["packageLimits"]),
  ]

  /// Describes the first parameter that the rule's check doesn't read, or that is out of bounds; nil for none.
  var problemOfParameters: String? {
    let present = parameters
    let (oneOf, other) = Self.parametersOfChecks[check] ?? ([], [])
    if let stray = present.first(where: { !oneOf.contains($0.name) && !other.contains($0.name) }) {
      return "\(check) takes no \(stray.name)"
    }
    if !oneOf.isEmpty, !present.contains(where: { oneOf.contains($0.name) }) {
      return "the rule for \(check) needs \(oneOf.joined(separator: " or "))"
    }
    for parameter in present {
      if let problem = Self.problem(of: parameter) { return "\(parameter.name) of the rule for \(check) \(problem)" }
    }
    return problemOfNumbers
  }

  private var problemOfNumbers: String? {
    if let depth, !(0...20).contains(depth) { return "depth of the rule for \(check) must be from 0 to 20" }
    if let edition, edition != 2009, !(2015...2100).contains(edition) {
      return "edition of the rule for \(check) must be 2009 or a year from 2015"
    }
    let kinds = (packages ?? []) + (packageLimits.map { Array($0.keys) } ?? [])
    guard kinds.allSatisfy({ ["html", "zip"].contains($0) }) else {
      return "the rule for \(check) names a package other than html and zip"
    }
    return nil
  }

  /// Parameters that the rule has, in the order in which they are declared.
  private var parameters: [Parameter] {
    let all: [(String, [String]?)] = [
      ("packageLimits", packageLimits.map { $0.keys.sorted() }), ("packages", packages), ("calls", calls),
      ("refuses", refuses), ("scripts", scripts), ("atLoad", atLoad), ("order", order), ("answers", answers),
      ("files", files),
      ("members", members.map { $0.keys.sorted() }), ("names", names.map { [$0.rawValue] }),
      ("depth", depth.map { ["\($0)"] }), ("edition", edition.map { ["\($0)"] }),
    ]
    return all.compactMap { name, elements in elements.map { Parameter(name: name, elements: $0) } }
  }

  private static func problem(of parameter: Parameter) -> String? {
    guard !parameter.elements.isEmpty else { return "is empty" }
    guard parameter.elements.count <= mostElements else { return "has more than \(mostElements) elements" }
    guard parameter.elements.allSatisfy({ !$0.isEmpty && $0.count <= longestElement }) else {
      return "has an element that is empty or longer than \(longestElement) characters"
    }
    return nil
  }
}

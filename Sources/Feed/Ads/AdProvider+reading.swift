package import Jobs
internal import MRAID

extension AdProvider {
  /// The feed file's `ads` section.
  package init(_ section: YAMLNode) throws(Fault) {
    let members = try section.members(of: "ads", allowed: ["first", "then", "size", "distance", "rotate"])
    var rules = AdRules()
    if let first = members["first"] {
      let rule = try first.members(of: "first", allowed: ["after", "as"])
      rules.firstAfter = try rule["after"]?.wholeNumber("after", in: 1...10_000) ?? rules.firstAfter
      rules.firstIdentifier = try rule["as"]?.word("as") ?? rules.firstIdentifier
    }
    if let then = members["then"] { try Self.readFollowing(then, into: &rules) }
    if let size = members["size"] { rules.size = try size.size("size") }
    if let distance = members["distance"] { rules.distance = try distance.number("distance", in: 0...5_000) }
    if let rotate = members["rotate"] {
      rules.rotation = rotate.scalar == .bool(false) ? nil : try rotate.number("rotate", in: 1...3_600)
    }
    self.init(rules: rules)
  }

  /// `false` for no more than the first.
  private static func readFollowing(_ node: YAMLNode, into rules: inout AdRules) throws(Fault) {
    if node.scalar == .bool(false) {
      rules.thenEvery = nil
      return
    }
    let rule = try node.members(of: "then", allowed: ["every", "as"])
    rules.thenEvery = try rule["every"]?.wholeNumber("every", in: 1...10_000) ?? rules.thenEvery
    rules.thenIdentifier = try rule["as"]?.word("as") ?? rules.thenIdentifier
  }
}

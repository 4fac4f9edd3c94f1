/// Who sent a request.
package struct Caller: Hashable, Sendable {
  package let name: String
  package let scopes: Set<Scope>
  package var rate: Int?
  package var concurrency: Int?

  /// Everybody on this machine, where no tokens are asked for.
  package static let local = Caller(name: "local", scopes: Set(Scope.allCases))

  package init(name: String, scopes: Set<Scope>, rate: Int? = nil, concurrency: Int? = nil) {
    (self.name, self.scopes, self.rate, self.concurrency) = (name, scopes, rate, concurrency)
  }

  /// Whether it may do what a scope stands for.
  package func may(_ scope: Scope) -> Bool {
    scopes.contains(scope) || scopes.contains(.admin) || (scope == .read && scopes.contains(.readAll))
  }

  /// Whether it may see the renders of a token of this name.
  package func maySee(of owner: String) -> Bool { owner == name && may(.read) || may(.readAll) }

  /// Whose renders it may see; nil for everybody's.
  package var sight: String? { may(.readAll) ? nil : name }
}

/// Why a container's data file can't be used.
package enum ContainerProblem: Error, Hashable, Sendable {
  case name(String)
  /// The difference has another kind of value than it needs.
  case value(ContainerDifference.What, needs: String)
  case source(ContainerDifference.What)
  case date(ContainerDifference.What, String)
}

extension ContainerProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .name(let name): "'\(name)' is no name: use lower-case letters, digits, dots and hyphens"
    case .value(let what, let needs): "\(what.rawValue) needs \(needs)"
    case .source(let what): "\(what.rawValue) needs the address of its source"
    case .date(let what, let date): "\(what.rawValue) has the date '\(date)': write it like 2026-08-19"
    }
  }
}

internal import Baselines
internal import MRAID

/// What is to be compared with what.
struct DiffRequest: Hashable, Sendable {
  /// What the second side is compared with.
  enum First: Hashable, Sendable {
    case render(String)
    case baseline(BaselineKey)

    /// As the document tells it.
    var text: String {
      switch self {
      case .render(let id): id
      case .baseline(let key): key.text
      }
    }
  }

  let first: First
  let second: String

  /// `{"first": id, "second": id}` or `{"baseline": "name@variant", "second": id}`.
  init(_ members: [String: JSONValue]) throws(Problem) {
    var reader = FieldReader(members)
    let render = reader.text("first")
    let baseline = reader.text("baseline", longest: 400)
    let second = reader.text("second")
    if second == nil, reader.problems.isEmpty { reader.note("second", "must be a render's id") }
    if (render == nil) == (baseline == nil), reader.problems.isEmpty {
      reader.note("first", "or baseline must be there, not both")
    }
    let key = baseline.flatMap(BaselineAPI.key)
    if baseline != nil, key == nil { reader.note("baseline", "must be like name@variant") }
    try reader.finish()
    guard let second, let first = key.map(First.baseline) ?? render.map(First.render) else { throw .invalid([]) }
    (self.first, self.second) = (first, second)
  }
}

internal import MRAID

/// Finds the innermost parts of two details that differ.
enum DetailComparison {
  static func members(_ first: JSONValue?, _ second: JSONValue?, path: String = "") -> [EventFinding.Member] {
    if first == second { return [] }
    switch (first, second) {
    case (.object(let p)?, .object(let q)?):
      return Set(p.keys).union(q.keys).sorted().flatMap { key in
        members(p[key], q[key], path: path.isEmpty ? key : "\(path).\(key)")
      }
    case (.array(let p)?, .array(let q)?):
      return (0..<max(p.count, q.count)).flatMap { index in
        members(element(index, of: p), element(index, of: q), path: "\(path)[\(index)]")
      }
    default: return [EventFinding.Member(path: path, first: first, second: second)]
    }
  }

  /// Nil beyond the end; written out, as JSON's null is a literal nil too.
  private static func element(_ index: Int, of array: [JSONValue]) -> JSONValue? {
    array.indices.contains(index) ? Optional.some(array[index]) : Optional.none
  }
}

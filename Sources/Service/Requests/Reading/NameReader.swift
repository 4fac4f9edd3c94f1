internal import Jobs

/// Looks up what a request names, and gathers what there isn't.
struct NameReader {
  private(set) var problems: [Problem.Field] = []

  /// What `look` finds; nil when its fault is kept.
  mutating func take<Value>(_ member: String, _ look: () throws(Fault) -> Value) -> Value? {
    do throws(Fault) {
      return try look()
    } catch {
      problems.append(Problem.Field(member, error))
      return nil
    }
  }

  /// A value that was read, or what is wrong when it is none.
  mutating func take<Value>(_ member: String, _ value: Value?, else detail: String) -> Value? {
    if value == nil { fail(member, detail) }
    return value
  }

  /// Notes what is wrong with a member.
  mutating func fail(_ member: String, _ detail: String) { problems.append(Problem.Field(member, detail)) }
}

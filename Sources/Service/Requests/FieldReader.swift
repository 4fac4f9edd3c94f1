internal import Core
internal import Scheduling

/// Reads the members of a request one by one, and collects the faults in them.
struct FieldReader {
  private let members: [String: JSONValue]
  /// True if every value is text, as in a form.
  private let isForm: Bool
  /// Names of received members whose text isn't valid UTF-8.
  private let unreadable: Set<String>
  /// Further names that the form allows, such as those of its files.
  private let others: Set<String>
  private var known: Set<String> = []
  private(set) var problems: [Problem.Field] = []

  init(
    _ members: [String: JSONValue], isForm: Bool = false, unreadable: Set<String> = [], others: Set<String> = []
  ) {
    (self.members, self.isForm, self.unreadable, self.others) = (members, isForm, unreadable, others)
  }

  /// The member's value; an empty field of a form counts as missing.
  mutating func value(_ name: String) -> JSONValue? {
    known.insert(name)
    guard let value = members[name], !(isForm && value == .string("")) else { return nil }
    return value
  }

  /// A string that isn't empty.
  mutating func text(_ name: String, longest: Int = 200) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { return fail(name, "must be a string") }
    guard text.count <= longest, !text.isEmpty else { return fail(name, "must have 1 to \(longest) characters") }
    return text
  }

  /// A Boolean; a form has `true`, `on` or `false` as text.
  mutating func flag(_ name: String) -> Bool? {
    guard let value = value(name) else { return nil }
    if let flag = value.bool { return flag }
    if isForm, let flag = ["true": true, "on": true, "false": false][value.string ?? ""] { return flag }
    return fail(name, "must be true or false")
  }

  /// A number; a form has it as text.
  mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard let value = value(name) else { return nil }
    let number = value.number ?? (isForm ? value.string.flatMap { Bounded.decimal($0) } : nil)
    guard let number, range.contains(number) else {
      return fail(name, "must be a number from \(range.lowerBound.plain) to \(range.upperBound.plain)")
    }
    return number
  }

  /// A number without a fraction.
  mutating func whole(_ name: String, in range: ClosedRange<Int>) -> Int? {
    let number = number(name, in: Double(range.lowerBound)...Double(range.upperBound))
    guard let number else { return nil }
    guard let whole = Bounded.whole(number, in: range) else { return fail(name, "must be a whole number") }
    return whole
  }

  /// A word among the cases of a type.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, of type: Word.Type) -> Word?
  where Word.RawValue == String {
    guard let value = value(name) else { return nil }
    guard let word = value.string.flatMap(Word.init) else {
      let words = Word.allCases.map(\.rawValue)
      let hint = Suggestion.hint(for: value.string ?? "", among: words)
      return fail(name, "must be one of \(words.joined(separator: ", "))\(hint)")
    }
    return word
  }

  /// A list of strings; a form may have them separated by commas.
  mutating func texts(_ name: String, most: Int) -> [String]? {
    guard let value = value(name) else { return nil }
    if isForm, let text = value.string { return text.split(separator: ",").map { String($0.trimmingSpaces) } }
    guard let texts = value.array?.map(\.string), texts.allSatisfy({ $0 != nil }) else {
      return fail(name, "must be a list of strings")
    }
    guard texts.count <= most else { return fail(name, "must be at most \(most) strings") }
    return texts.compactMap(\.self)
  }

  /// A list of numbers; a form may have them separated by commas.
  mutating func numbers(_ name: String, most: Int, in range: ClosedRange<Double>) -> [Double]? {
    guard let value = value(name) else { return nil }
    let written = isForm ? value.string?.split(separator: ",").map { Bounded.decimal($0.trimmingSpaces) } : nil
    let numbers = written ?? value.array?.map(\.number) ?? [nil]
    guard numbers.allSatisfy({ $0.map(range.contains) ?? false }) else {
      return fail(name, "must be a list of numbers from \(range.lowerBound.plain) to \(range.upperBound.plain)")
    }
    guard numbers.count <= most else { return fail(name, "must be at most \(most) numbers") }
    return numbers.compactMap(\.self)
  }

  /// Reads the members of a nested object; faults in them are reported for this member.
  mutating func inner<Value>(_ name: String, _ read: (inout FieldReader) -> Value?) -> Value? {
    guard let value = value(name) else { return nil }
    guard let members = value.object else { return fail(name, "must be an object") }
    var inner = FieldReader(members)
    let found = read(&inner)
    do throws(Problem) {
      try inner.finish()
    } catch {
      for field in error.fields { noteProblem(name, "\(field.pointer.dropFirst()) \(field.detail)") }
      return nil
    }
    return found
  }

  /// Records a fault in a member.
  mutating func noteProblem(_ name: String, _ detail: String) { problems.append(Problem.Field(name, detail)) }

  /// The same as an expression, with nil as its value.
  mutating func fail<Value>(_ name: String, _ detail: String) -> Value? {
    noteProblem(name, detail)
    return nil
  }

  /// The same with a fault's own code.
  mutating func fail(_ name: String, _ fault: Fault) { problems.append(Problem.Field(name, fault)) }

  /// Throws all recorded faults, including those for unknown members.
  mutating func finish() throws(Problem) {
    for name in unreadable.sorted() where known.contains(name) || others.contains(name) {
      noteProblem(name, "isn't UTF-8")
    }
    let words = known.union(others).sorted()
    for name in unreadable.subtracting(others).union(members.keys).sorted() where !known.contains(name) {
      noteProblem(name, "isn't known" + Suggestion.hint(for: name, among: words))
    }
    guard problems.isEmpty else { throw .invalid(problems) }
  }
}

extension StringProtocol {
  /// The text without spaces at either end.
  var trimmingSpaces: SubSequence {
    let body = drop { $0 == " " }
    let end = body.lastIndex { $0 != " " }.map(body.index(after:)) ?? body.startIndex
    return body[body.startIndex..<end]
  }
}

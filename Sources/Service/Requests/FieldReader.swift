internal import Core

/// Reads the members of a request one by one, and gathers what is wrong with them.
struct FieldReader {
  private let members: [String: JSONValue]
  /// Whether every value came as text, as in a form.
  private let isForm: Bool
  private var known: Set<String> = []
  private(set) var problems: [Problem.Field] = []

  init(_ members: [String: JSONValue], isForm: Bool = false) {
    (self.members, self.isForm) = (members, isForm)
  }

  /// The member as it came; an empty field of a form counts as left out.
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

  /// True or false; a form writes them out, or `on`.
  mutating func flag(_ name: String) -> Bool? {
    guard let value = value(name) else { return nil }
    if let flag = value.bool { return flag }
    if isForm, let flag = ["true": true, "on": true, "false": false][value.string ?? ""] { return flag }
    return fail(name, "must be true or false")
  }

  /// A number; a form writes it out.
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

  /// One of the words that a type knows.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, of type: Word.Type) -> Word?
  where Word.RawValue == String {
    guard let value = value(name) else { return nil }
    guard let word = value.string.flatMap(Word.init) else {
      return fail(name, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// Strings; a form may write them with commas between.
  mutating func texts(_ name: String, most: Int) -> [String]? {
    guard let value = value(name) else { return nil }
    if isForm, let text = value.string { return text.split(separator: ",").map { String($0.trimmingSpaces) } }
    guard let texts = value.array?.map(\.string), texts.allSatisfy({ $0 != nil }), texts.count <= most else {
      return fail(name, "must be at most \(most) strings")
    }
    return texts.compactMap(\.self)
  }

  /// Numbers; a form may write them with commas.
  mutating func numbers(_ name: String, most: Int, in range: ClosedRange<Double>) -> [Double]? {
    guard let value = value(name) else { return nil }
    let written = isForm ? value.string?.split(separator: ",").map { Bounded.decimal($0.trimmingSpaces) } : nil
    let numbers = written ?? value.array?.map(\.number) ?? [nil]
    guard numbers.count <= most, numbers.allSatisfy({ $0.map(range.contains) ?? false }) else {
      return fail(name, "must be at most \(most) numbers from \(range.lowerBound.plain) to \(range.upperBound.plain)")
    }
    return numbers.compactMap(\.self)
  }

  /// Reads the members of an object within; what is wrong with them is wrong with this one.
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

  /// Notes what is wrong with a member.
  mutating func noteProblem(_ name: String, _ detail: String) { problems.append(Problem.Field(name, detail)) }

  /// The same in the place of the value.
  mutating func fail<Value>(_ name: String, _ detail: String) -> Value? {
    noteProblem(name, detail)
    return nil
  }

  /// The same with a fault's own code.
  mutating func fail(_ name: String, _ fault: Fault) { problems.append(Problem.Field(name, fault)) }

  /// Refuses members that nobody asked for, and whatever was wrong.
  mutating func finish() throws(Problem) {
    for name in members.keys.sorted() where !known.contains(name) {
      problems.append(Problem.Field(name, "isn't known"))
    }
    guard problems.isEmpty else { throw .invalid(problems) }
  }
}

extension StringProtocol {
  /// Without spaces at either end.
  var trimmingSpaces: SubSequence {
    let body = drop { $0 == " " }
    let end = body.lastIndex { $0 != " " }.map(body.index(after:)) ?? body.startIndex
    return body[body.startIndex..<end]
  }
}

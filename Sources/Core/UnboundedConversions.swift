// Swift's own conversions end the process on NaN and on numbers that don't fit. Where this module is imported these
// ones stand before them, and a warning is an error: whoever converts has to name a range, with `Bounded`.

extension Int {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = Int(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension Int32 {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = Int32(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension Int64 {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = Int64(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt8 {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt8(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt16 {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt16(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt32 {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt32(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt64 {
  /// Ends the process when `value` doesn't fit: not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt64(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension Duration {
  /// Ends the process when `value` is NaN or too large: not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func seconds(_ value: Double) -> Duration { Bounded.seconds(value) }

  /// Ends the process when `value` is NaN or too large: not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func milliseconds(_ value: Double) -> Duration { Bounded.seconds(value / 1e3) }

  /// Ends the process when `value` is NaN or too large: not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func microseconds(_ value: Double) -> Duration { Bounded.seconds(value / 1e6) }

  /// Ends the process when `value` is NaN or too large: not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func nanoseconds(_ value: Double) -> Duration { Bounded.seconds(value / 1e9) }
}

/// The standard's error codes (VAST 4.2 §2.3.6.3), as `[ERRORCODE]` reports them.
package enum VASTErrorCode: Int, Error, Hashable, Sendable, CaseIterable {
  case xmlParsing = 100
  case schemaValidation = 101
  case versionNotSupported = 102
  case trafficking = 200
  case unexpectedLinearity = 201
  case unexpectedDuration = 202
  case unexpectedSize = 203
  case categoryRequired = 204
  case categoryViolation = 205
  case breakShortened = 206
  case wrapper = 300
  case wrapperTimeout = 301
  case wrapperLimit = 302
  case noAdAfterWrappers = 303
  case notDisplayedInTime = 304
  case linear = 400
  case mediaNotFound = 401
  case mediaTimeout = 402
  case mediaNotSupported = 403
  case mediaDisplay = 405
  case mezzanineRequired = 406
  case mezzanineDownloading = 407
  case conditionalAdRejected = 408
  case interactiveNotExecuted = 409
  case verificationNotExecuted = 410
  case mezzanineNotToSpecification = 411
  case nonLinear = 500
  case nonLinearSize = 501
  case nonLinearFetch = 502
  case nonLinearNotSupported = 503
  case companion = 600
  case companionSize = 601
  case companionRequired = 602
  case companionFetch = 603
  case companionNotSupported = 604
  case undefined = 900
  case vpaid = 901
  case interactiveCreativeFile = 902
}

/// Reason that bytes aren't a VAST document, and the place of the error.
package struct VASTParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Code for the error addresses, if any can be read in the document.
  package var code: VASTErrorCode
  /// Line, from 1.
  package var line: Int
  /// Column, from 1; nil if the error concerns the whole element.
  private var column: Int?
  package var reason: String

  package init(code: VASTErrorCode, line: Int, column: Int? = nil, reason: String) {
    self.code = code
    self.line = line
    self.column = column.flatMap { $0 > 0 ? $0 : nil }
    self.reason = reason
  }

  /// Text with the line, for example `line 3: …`.
  package var description: String { "line \(line): \(reason)" }
}

/// Fault that breaks the standard and that players tolerate: its description, and the correction that was made.
package struct VASTFlaw: Hashable, Sendable {
  /// Line in the response's own text, from 1.
  package var line: Int
  package var reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

extension [VASTFlaw] {
  /// Maximum number of flaws that are recorded for a response; more of them add no information.
  private static let most = 50

  /// Records a flaw in `element`.
  mutating func add(_ element: XMLTree, _ reason: String) {
    if count < Self.most { append(VASTFlaw(line: element.line, reason: reason)) }
  }
}

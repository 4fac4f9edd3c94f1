package import Core
internal import Files
internal import Glibc

/// Standard stream; output is dropped once its reader is gone.
///
/// No line written through it can control a terminal or act as a command to a build server. Callers make untrusted text
/// `printable` before, so that it also stays on one line.
package struct Console: Sendable {
  package static let output = Console(descriptor: STDOUT_FILENO)
  package static let error = Console(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Indicates if the stream is a terminal that can redraw lines.
  package var isTerminal: Bool {
    isatty(descriptor) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  /// Columns of the terminal; 80 if unknown.
  package var width: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes all of the text unbuffered, so that the reader of a pipe receives each line at once.
  ///
  /// Returns the reason for a failure; nil on success and if the reader is gone.
  @discardableResult package func write(_ text: String) -> String? {
    send(PrintableText.output(text, colours: isTerminal))
  }

  /// Writes the text and throws if that fails.
  package func printMessage(_ text: String) throws(Fault) {
    try check(write(text))
  }

  /// Writes a document as JSON.
  package func printMessage(document: some Encodable) throws(Fault) {
    let text: String
    do {
      text = try JSONText.of(document)
    } catch {
      throw .engine("output-failed", "can't encode the document as JSON: \(error)")
    }
    try printMessage(text)
  }

  /// Writes commands for a build server; untrusted text in them must already be escaped.
  package func printMessage(commands: String) throws(Fault) {
    try check(send(commands))
  }

  /// Writes the fault that ended a call.
  package func printMessage(_ fault: Fault) { write("error: \(fault.message) [\(fault.code)]\n") }

  private func check(_ reason: String?) throws(Fault) {
    guard let reason else { return }
    let name = descriptor == STDERR_FILENO ? "standard error" : "standard output"
    throw .engine("output-failed", "can't write to \(name): \(reason)")
  }

  private func send(_ text: String) -> String? {
    do throws(SystemError) {
      try FileWriting.writeAll(text.utf8, to: descriptor)
      return nil
    } catch {
      return error.number == EPIPE ? nil : error.description
    }
  }
}

package import Core
internal import Files
internal import Glibc

/// A standard stream; output that nobody reads any more is dropped.
///
/// Whatever is written through it, no line steers a terminal or is a command to a build server; who writes a foreign
/// text makes it `printable` before, so that it is one line as well.
package struct Console: Sendable {
  package static let output = Console(descriptor: STDOUT_FILENO)
  package static let error = Console(descriptor: STDERR_FILENO)

  let descriptor: Int32

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal; 80 when it doesn't tell.
  package var width: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes it all, unbuffered: a reader of the pipe sees each line when it is due.
  ///
  /// Returns why it couldn't, nil also when nobody reads any more.
  @discardableResult package func write(_ text: String) -> String? {
    send(PrintableText.output(text, colours: isTerminal))
  }

  /// The same for what has to arrive.
  package func printMessage(_ text: String) throws(Fault) {
    try check(write(text))
  }

  /// Writes a document as JSON.
  package func printMessage(document: some Encodable) throws(Fault) {
    let text: String
    do {
      text = try JSONText.of(document)
    } catch {
      throw .engine("output-failed", "the document has no form in JSON: \(error)")
    }
    try printMessage(text)
  }

  /// Writes commands of a build server, which have every foreign text in them escaped.
  package func printMessage(commands: String) throws(Fault) {
    try check(send(commands))
  }

  /// Says what ended a call.
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

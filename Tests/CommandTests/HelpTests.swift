import ArgumentParser
import Core
import Testing

@testable import Terminal
@testable import galley
@testable import galley_server

/// Help and error messages as users of the program read them.
@Suite struct HelpTests {
  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  /// Returns the words of each shown command, including those of groups.
  private static func commands(
    _ command: any ParsableCommand.Type, _ names: [String] = []
  ) -> [String] {
    let inner = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return [names.joined(separator: " ")]
      + inner.flatMap { commands($0, names + [$0.configuration.commandName ?? ""]) }
  }

  private static let all =
    commands(GalleyCommand.self)
    + commands(ServerProgram.self).filter { $0.hasPrefix("serve ") }

  @Test func `every command has two to four examples, and no others have`() {
    #expect(Self.all.count > 20)
    #expect(Set(CommandExamples.commands) == Set(Self.all))
    for command in Self.all { #expect((2...4).contains(CommandExamples.of(command).count), "\(command)") }
  }

  @Test func `every example is a call that the program can read`() throws {
    for command in Self.all {
      for example in CommandExamples.of(command) {
        let words = example.call.replacing("'", with: "").split(separator: " ").map(String.init)
        #expect(words.first == "galley" && example.call.hasPrefix("galley \(command)"), "\(example.call)")
        #expect(throws: Never.self, "\(example.call)") {
          _ =
            words[1] == "serve"
            ? try ServerProgram.parseAsRoot(Array(words.dropFirst()))
            : try GalleyCommand.parseAsRoot(Array(words.dropFirst()))
        }
      }
    }
  }

  @Test func `what everybody needs comes first and examples come last`() async throws {
    let page = try await program.run("render --help")
    #expect(page.code == 0)
    let titles = page.output.split(separator: "\n").compactMap { line in
      line.first?.isUppercase == true ? line.split(separator: ":").first.map(String.init) : nil
    }.filter { $0 == $0.uppercased() }
    #expect(Array(titles.prefix(4)) == ["OVERVIEW", "USAGE", "ARGUMENTS", "OPTIONS"])
    #expect(titles.contains("DEVICE") && titles.last == "EXAMPLES")
    #expect(page.output.contains("Exit codes") && page.output.contains("--filmstrip-length"))
    #expect(page.output.hasSuffix("galley render creative/ --filmstrip 0.5 --filmstrip-length 15\n"))
  }

  @Test func `the short page has the usual options and says what the long one has besides`() async throws {
    let (short, long) = (try await program.run("render -h"), try await program.run("render --help"))
    #expect(short.code == 0)
    #expect(short.output.split(separator: "\n").count * 2 < long.output.split(separator: "\n").count)
    #expect(short.output.contains("--out <folder>") && short.output.contains("EXAMPLES:"))
    #expect(short.output.contains("More options with --help: device, placement,"))
    #expect(!short.output.contains("--filmstrip-length <") && !short.output.contains("Exit codes"))
  }

  @Test(arguments: [
    ("", "USAGE: galley"), ("help", "USAGE: galley"), ("help baseline verify", "USAGE: galley baseline verify"),
    ("baseline", "USAGE: galley baseline"), ("selftest -h", "galley conformance --section 7"),
    ("help serve", "galley serve --host"), ("serve token -h", "galley serve token list"),
  ]) func `each way to ask for help shows the page`(arguments: String, part: String) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(part) && outcome.output.contains("EXAMPLES:"), "\(outcome.output)")
  }

  @Test(arguments: [
    ("render x --recursve", "galley render has no option '--recursve'; did you mean --recursive?"),
    ("render x --video", "galley render has no option '--video'; 'galley render --help' lists"),
    ("render x --filmstrip-len 3", "did you mean --filmstrip-length?"),
    ("render -dash_300x250", "galley render has no option '-dash_300x250'"),
    ("render -rash", "write a file of that name as ./-rash"),
    ("render x -z", "galley render has no option '-z'"),
    ("baseline verify x --htm y", "did you mean --html?"),
    ("render", "galley render needs <creative>"),
    ("render x --size 300", "--size: '300' isn't a size: write it like 320x50"),
    ("render x --orientation sideways", "--orientation can't be 'sideways'; use one of portrait"),
    ("render x --timeout ten", "--timeout can't be 'ten'"),
    ("render x --timeout -1", "--timeout needs <seconds>; write a value that begins with - as --timeout=-1"),
    ("render x --device", "--device needs <name>"),
    ("render x --filmstrip-length 3", "--filmstrip-length requires --filmstrip"),
    ("devices a b", "2 unexpected arguments: 'a', 'b'"),
    ("serve --prot 80", "galley serve has no option '--prot'; did you mean --port?"),
    ("serve token create x --scope read --file y", "did you mean --scopes?"),
  ]) func `a call that can't be read is told in one line like every other error`(
    arguments: String, part: String
  ) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.hasSuffix(" [arguments-invalid]\n"))
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test(arguments: [
    ("render x --container prebid", "did you mean prebid-ios, prebid-android, prebid-android-3.0?"),
    ("render x --container aplovin", "did you mean applovin"),
    ("check x --profile unty", "did you mean unity?"), ("checks rejected-resise", "did you mean rejected-resize?"),
    ("render x --device iphone-51", "did you mean iphone-1"), ("help rendr", "did you mean render?"),
  ]) func `a wrong name is told with what was probably meant`(arguments: String, hint: String) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.code == 2 && outcome.errors.contains(hint), "\(outcome.errors)")
  }
}

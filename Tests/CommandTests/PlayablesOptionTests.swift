import ArgumentParser
import Testing

@testable import galley

@Suite struct PlayablesOptionTests {
  @Test func isChosenWithNetworks() throws {
    let command = try CheckCommand.parse(["game.html", "--playables", "--profile", "meta,unity"])
    #expect(command.playables)
    #expect(command.rules.profileNames == ["meta", "unity"])
    #expect(try !CheckCommand.parse(["game.html"]).playables)
  }

  @Test func recordsPlayablesInVirtualTimeOnly() throws {
    #expect(try CheckCommand.parse(["game.html", "--playables", "--film"]).film)
    for words in [["--film"], ["--film", "--explore"], ["--playables", "--film", "--clock", "real"]] {
      #expect(throws: (any Error).self) { try CheckCommand.parse(["game.html"] + words) }
    }
  }

  @Test(arguments: [
    ["--scenario", "a.yaml"], ["--container", "meta"], ["--without-hosts", "1"], ["--feed", "feed.yaml"],
  ])
  func refusesOptionsThatItChoosesItself(options: [String]) {
    #expect(throws: (any Error).self) { try CheckCommand.parse(["game.html", "--playables"] + options) }
  }
}

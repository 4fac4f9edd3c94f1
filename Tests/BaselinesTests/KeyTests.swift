import Jobs
import Testing

@testable import Baselines

@Suite struct KeyTests {
  private func key(_ path: String?, from folder: String = "/repo", argument: String = "x") throws -> BaselineKey {
    try BaselineKey(
      CreativeReference(argument: argument, path: path, name: "name"), from: folder, variant: ["phone", "landscape"])
  }

  @Test(arguments: [
    ("/repo/ads/banner", "ads/banner"), ("/repo/banner.html", "banner.html"), ("/other/banner", "up/other/banner"),
    ("/repo2/banner", "up/repo2/banner"), ("/repo/a:b/.c", "a-b/c"),
  ])
  func namesCreativesByTheWayFromTheStore(path: String, name: String) throws {
    let key = try key(path)
    #expect(key.creative == name)
    #expect(key.text == "\(name)@phone.landscape")
  }

  @Test(arguments: ["/repo/my ads", "/repo/100%", "/repo/größe", "/repo/a#b?c"])
  func foldersOfAnyNameHoldTheirCreatives(folder: String) throws {
    let store = BaselineStore(folder + "/baselines")
    #expect(BaselineKey.relative(folder + "/banner", from: store.parent) == ["banner"])
    #expect(try key(folder + "/banner", from: store.parent).creative == "banner")
  }

  @Test func addressesThatDifferOnlyInTheirQueryHaveKeysOfTheirOwn() throws {
    let (first, second) = (try key(nil, argument: "https://a/?x=1"), try key(nil, argument: "https://a/?x=2"))
    #expect(first.creative.hasPrefix("url/name-") && second.creative.hasPrefix("url/name-"))
    #expect(first != second)
  }

  @Test func standardInputHasNoName() {
    let fault = #expect(throws: Fault.self) { try key("/proc/1/fd/3", argument: "-") }
    #expect(fault?.code == "baseline-nameless")
  }
}

import Core
import Foundation
import TestFolders
import Testing

@testable import Recordings

@Suite struct WACZTests {
  @Test(
    arguments: [
      ("https://Ads.Example.com/A?b=2&a=1", "com,example,ads)/a?a=1&b=2"),
      ("https://www.example.com/", "com,example)/"),
      ("http://example.com:80", "com,example)/"), ("https://example.com:8443/x/", "com,example:8443)/x"),
      ("http://127.0.0.1:9/x?", "1,0,0,127:9)/x"), ("http://[::1]:8080/", "[::1]:8080)/"), ("https://a.b?q", "b,a)/?q"),
    ])
  func addressesAreSortedByTheirDomain(_ url: String, _ key: String) { #expect(SURT.key(url) == key) }

  @Test func theSameRecordingGivesTheSameArchive() throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    for name in ["a.wacz", "b.wacz"] { try RecordingFile.pack(recording.path, to: place.file(name), title: "ad") }
    let (one, two) = (
      try Data(contentsOf: URL(fileURLWithPath: place.file("a.wacz"))),
      try Data(contentsOf: URL(fileURLWithPath: place.file("b.wacz")))
    )
    #expect(one == two && one.count > 1_000)
    // Nothing of it is left among the bodies.
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("one/bodies")).count == 3)
    #expect(throws: Fault.self) { try RecordingFile.unpack(place.file("a.wacz"), into: place.file("two")) }
  }
}

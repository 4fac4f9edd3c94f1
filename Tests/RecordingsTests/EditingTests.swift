import Core
import Foundation
import Parties
import TestFolders
import Testing

@testable import Recordings

@Suite struct EditingTests {
  @Test func answersAreChanged() throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    try RecordingEdit.set(status: 503, of: 2, in: recording)
    try RecordingEdit.set(body: Array("new".utf8), of: 0, in: recording)
    try RecordingEdit.set(header: "set-cookie", to: "c=3", of: 0, in: recording)
    try RecordingEdit.set(status: 200, of: 4, in: recording)
    try RecordingEdit.drop(host: "track.*", from: recording)
    try RecordingEdit.add(
      [try MatchRule(parsing: "ignore query t"), try MatchRule(parsing: "ignore query cb on *.example")], to: recording)
    let found = try recording.exchanges()
    #expect(found.map(\.index) == [0, 1, 2, 3, 4])
    #expect(found.map { $0.response?.status } == [200, 302, 503, 200, 101])
    #expect(found[0].response?.content?.digest == SHA256.of("new").hex && found[0].response?.pieces == nil)
    #expect(
      found[0].response?.headers == [.init("Content-Type", "text/html; charset=utf-8"), .init("set-cookie", "c=3")])
    #expect(found[3].failure == nil)
    #expect(try recording.rules().map(\.text) == ["ignore query cb on *.example", "ignore query t"])
  }

  @Test func onlySomeHostsAreKept() throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    try RecordingEdit.keep(hosts: ["ads.example", "live.*"], in: recording)
    #expect(
      try recording.exchanges().map { RequestAddress($0.url).host } == [
        "ads.example", "ads.example", "ads.example", "live.example",
      ])
  }

  @Test func whatCannotBeChangedIsRefused() throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    for index in [99, -1, 5] {
      #expect(throws: Fault.self) { try RecordingEdit.set(status: 200, of: index, in: recording) }
    }
    for (name, value) in [("a b", "c"), ("a", "c\r\nd: e")] {
      #expect(throws: Fault.self) { try RecordingEdit.set(header: name, to: value, of: 0, in: recording) }
    }
  }

  @Test func whatIsPrivateGoes() throws {
    let place = try TestFolder()
    let recording = try RecordingFolder.create(place.file("one"))
    let json = try recording.keep(
      Array(#"{"user":{"id":"u1"},"device":{"geo":{"lat":1.5}},"n":1}"#.utf8), mimeType: "application/json")
    try recording.append(
      Exchange(
        index: 0, method: "POST", url: "https://a.example/?lat=48.1&x=1&ifa=abc",
        requestHeaders: [
          .init("Cookie", "a=1; b=2"), .init("Authorization", "Bearer x"),
          .init("Referer", "https://b.example/?lon=2#f"),
        ],
        requestBody: json,
        response: .init(
          status: 200, headers: [.init("Set-Cookie", "a=1; Path=/; Secure"), .init("Location", "/?ifa=abc&y")],
          content: json)))
    try Redaction(fields: ["user.id"]).apply(to: recording)
    let found = try recording.exchanges()[0]
    #expect(found.url == "https://a.example/?lat=redacted&x=1&ifa=redacted")
    #expect(
      found.requestHeaders.map(\.value) == ["a=redacted; b=redacted", "redacted", "https://b.example/?lon=redacted#f"])
    #expect(found.response?.headers.map(\.value) == ["a=redacted; Path=/; Secure", "/?ifa=redacted&y"])
    let clean = #"{"device":{"geo":{"lat":"redacted"}},"n":1,"user":{"id":"redacted"}}"#
    #expect(try recording.text(found.requestBody) == clean && recording.text(found.response?.content) == clean)
    #expect(try recording.rules().map(\.text) == ["ignore query ifa,lat", "ignore body field device.geo.lat,user.id"])
    // What a creative asks the next time still finds its answer.
    var index = try RecordingIndex(exchanges: [found], rules: recording.rules()) {
      try? recording.body($0, most: 1 << 20)
    }
    let result = index.match(
      AskedRequest(
        method: "POST", url: "https://a.example/?lat=7&x=1&ifa=z",
        body: Array(#"{"n":1,"user":{"id":"u9"},"device":{"geo":{"lat":3}}}"#.utf8)))
    guard case .found = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func recordingsAreJoined() throws {
    let place = try TestFolder()
    let (one, two) = (try Sample.recording(in: place.file("one")), try Sample.recording(in: place.file("two")))
    try RecordingEdit.add([try MatchRule(parsing: "ignore body")], to: two)
    let all = try RecordingFolder.create(place.file("all"))
    try RecordingEdit.add(one, to: all)
    try RecordingEdit.add(two, to: all)
    let found = try all.exchanges()
    #expect(found.map(\.index) == Array(0..<12))
    #expect(found[0].arrival?.place == 3 && found[6].arrival?.place == 13 && found[6].arrival?.endPlace == 14)
    #expect(try all.text(found[9].requestBody) == #"{"n":1}"#)
    #expect(try all.rules().count == 2 && all.conditions == one.conditions)
  }

  @Test func partiesAreToldApart() throws {
    let place = try TestFolder()
    let summary = RecordingSummary(try Sample.recording(in: place.file("one")).exchanges(), rules: [])
    #expect(summary.parties.map(\.domain) == ["ads.example", "gone.example", "live.example", "track.example"])
  }

  @Test(
    arguments: [
      ("lat", "lat"), ("l%61t", "lat"), ("%c3%A9", "é"), ("a%20b", "a b"), ("%", nil), ("%4", nil), ("%zz", nil),
      ("%ff", nil),
      ("", ""),
    ])
  func namesOfParametersAreMeantWithoutPercents(_ name: String, _ plain: String?) {
    #expect(Redaction.withoutPercents(name) == plain)
  }
}

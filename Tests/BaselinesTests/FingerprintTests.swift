import Jobs
import MRAID
import Stage
import Testing

@testable import Baselines

@Suite struct FingerprintTests {
  private let first = StoreFolder.fingerprint()

  @Test func theSameMachineHasNoDifferences() {
    #expect(first.differences(StoreFolder.fingerprint()).isEmpty)
    #expect(first.sha256 == StoreFolder.fingerprint().sha256)
  }

  @Test func saysWhatIsOther() {
    #expect(first.differences(StoreFolder.fingerprint(webkit: "2.52")) == ["WebKit 2.50 → 2.52"])
    #expect(first.differences(StoreFolder.fingerprint(gl: nil)) == ["GL llvmpipe → none"])
    var device = StoreFolder.device
    device.scale = 2.625
    #expect(
      first.differences(StoreFolder.fingerprint(device: device)) == ["device phone 390x844@3 → phone 390x844@2.625"])
    device = StoreFolder.device
    device.userAgent = "another"
    #expect(
      first.differences(StoreFolder.fingerprint(device: device)) == [
        "device phone is described otherwise: safe areas, user agent or abilities"
      ])
  }

  @Test func namesFontsThatCameWentAndChanged() {
    let before = StoreFolder.fingerprint(fonts: ["A.ttf": "1", "B.ttf": "1", "C.ttf": "1"])
    let after = StoreFolder.fingerprint(fonts: ["A.ttf": "2", "B.ttf": "1", "D.ttf": "1"])
    #expect(before.differences(after) == ["fonts another version: A.ttf; gone: C.ttf; new: D.ttf"])
    let many = Dictionary(uniqueKeysWithValues: (1...9).map { ("F\($0).ttf", "1") })
    #expect(
      StoreFolder.fingerprint(fonts: [:]).differences(StoreFolder.fingerprint(fonts: many)) == [
        "fonts new: F1.ttf, F2.ttf, F3.ttf, F4.ttf and 5 more"
      ])
  }
}

import Jobs
import Testing

@testable import Service

@Suite struct OutsideAddressTests {
  @Test(arguments: [
    "127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1",
    "::1", "::", "fe80::1", "fc00::1", "fd12::1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1",
    "64:ff9b::10.0.0.1", "2002:7f00:1::", "2001::1", "2001:db8::1", "ff02::1",
  ])
  func refusesPrivateAddressesInAnySpelling(text: String) {
    let found = OutsideAddress.lookUp(text, numericOnly: true)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { !OutsideAddress.isPublic($0.bytes) })
  }

  @Test(arguments: ["1.1.1.1", "172.32.0.1", "192.0.1.1", "223.255.255.255", "2606:4700::1111", "2002:808:808::"])
  func allowsPublicAddresses(text: String) {
    let found = OutsideAddress.lookUp(text, numericOnly: true)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { OutsideAddress.isPublic($0.bytes) })
  }

  @Test(arguments: [
    "http://localhost/", "http://localhost./", "http://a.LOCALHOST:8080/", "http://127.1/", "https://[::1]/",
    "http://[::ffff:10.0.0.1]/x",
  ])
  func refusesAddressesThatLeadHere(text: String) throws {
    #expect(throws: Fault.self) { try OutsideAddress(text, allowsPrivate: false) }
    #expect(throws: Never.self) { try OutsideAddress(text, allowsPrivate: true) }
  }

  @Test(arguments: ["", "x", "ftp://a.example/", "file:///etc/passwd", "http://", "http://user:word@a.example/"])
  func refusesWhatIsNoWebAddress(text: String) {
    #expect(throws: Fault.self) { try OutsideAddress(text, allowsPrivate: true) }
  }

  @Test func writesAnAddressAsItReadIt() throws {
    let address = try OutsideAddress("http://a.example/x y?{\"\n", allowsPrivate: true)
    #expect(address.text == "http://a.example/x%20y?%7B%22%0A")
  }
}

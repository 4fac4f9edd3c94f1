/// What is asked for, as it goes out: behaviours may add to it, whoever loads it only sends it.
package struct AdRequest: Hashable, Sendable {
  /// The address, or for what needs none a name for it.
  package var url: String
  /// Header fields besides those that every request of the loader's has.
  package var headers: [String: String]
  /// 1 for the first time, one more for each time it is tried again.
  package var attempt: Int

  /// A request that goes out for the first time.
  package init(url: String, headers: [String: String] = [:], attempt: Int = 1) {
    self.url = url
    self.headers = headers
    self.attempt = attempt
  }
}

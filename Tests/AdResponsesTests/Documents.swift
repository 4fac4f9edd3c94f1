import AdResponses

/// Minimal documents of an invented advertiser.
enum Documents {
  /// Returns an in-line ad with this inside its `InLine`.
  static func inLine(_ inside: String, version: String = "4.2", ad: String = #"<Ad id="a1">"#) -> String {
    """
    <VAST version="\(version)">
      \(ad)<InLine><AdSystem>Larch</AdSystem><AdTitle>Spring</AdTitle>
        \(inside)
      </InLine></Ad>
    </VAST>
    """
  }

  /// Returns a video of eight seconds.
  static func video(
    duration: String = "00:00:08", attributes: String = "", tracking: String = "", more: String = "",
    file: String = "clip.webm"
  ) -> String {
    """
    <Creatives><Creative id="c1"><Linear \(attributes)><Duration>\(duration)</Duration>
      <TrackingEvents>\(tracking)</TrackingEvents>\(more)
      <MediaFiles><MediaFile delivery="progressive" type="video/webm" width="640" height="360">\(file)</MediaFile></MediaFiles>
    </Linear></Creative></Creatives>
    """
  }

  /// Returns a wrapper that leads to another response.
  static func wrapper(_ tag: String, _ inside: String = "", attributes: String = "", system: String = "W") -> String {
    """
    <VAST version="3.0"><Ad><Wrapper \(attributes)><AdSystem>\(system)</AdSystem>
      <VASTAdTagURI><![CDATA[\(tag)]]></VASTAdTagURI>\(inside)</Wrapper></Ad></VAST>
    """
  }

  static func parse(_ text: String) throws -> VASTDocument { try VASTParser.parse(Array(text.utf8)) }

  /// Follows the wrappers of a document through a map of responses.
  static func resolve(_ text: String, _ responses: [String: String] = [:]) async throws -> VASTResolution {
    await VASTResolver.resolve(try parse(text)) { (url) throws(VASTFetchFailure) in
      guard let response = responses[url] else { throw VASTFetchFailure(.unreachable, "nobody there") }
      if response == "slow" { throw VASTFetchFailure(.timedOut, "no answer in time") }
      return Array(response.utf8)
    }
  }
}

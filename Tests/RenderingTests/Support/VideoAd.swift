import Foundation

/// VAST of an invented advertiser whose film lies within the document, so that it plays wherever the document lies.
enum VideoAd {
  /// Two seconds.
  static let film: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let clip = root.appendingPathComponent("Creatives/video/wrapper/kite.webm")
    return "data:video/webm;base64," + ((try? Data(contentsOf: clip))?.base64EncodedString() ?? "")
  }()

  /// An in-line ad with this beside its film; `beacon` is where its impression and its start are counted.
  static func inLine(
    media: String = film, beacon: String = "https://count.example", linear: String = "", more: String = ""
  )
    -> String
  {
    """
    <VAST version="4.2"><Ad id="a"><InLine><AdSystem>Kestrel</AdSystem><AdTitle>Wind</AdTitle>
    <Error>https://error.example/?code=[ERRORCODE]</Error><Impression>\(beacon)/seen?t=[TIMESTAMP]</Impression>
    <Creatives><Creative><Linear><Duration>00:00:02</Duration>\(linear)
    <TrackingEvents><Tracking event="start">\(beacon)/start</Tracking></TrackingEvents>
    <MediaFiles><MediaFile delivery="progressive" type="video/webm" width="320" height="180">\(media)</MediaFile></MediaFiles>
    </Linear></Creative></Creatives>\(more)</InLine></Ad></VAST>
    """
  }

  static func wrapper(_ tag: String) -> String {
    """
    <VAST version="3.0"><Ad><Wrapper><AdSystem>Seller</AdSystem><VASTAdTagURI><![CDATA[\(tag)]]></VASTAdTagURI>
    <Error>https://seller.example/error?code=[ERRORCODE]</Error><Impression>https://seller.example/seen</Impression>
    </Wrapper></Ad></VAST>
    """
  }

  /// A bid response with this markup.
  static func bid(_ markup: String, type: Int) throws -> String {
    let bid: [String: Any] = [
      "id": "b", "impid": "1", "price": 1.5, "mtype": type, "w": 300, "h": 250, "adm": markup,
      "burl": "https://bill.example?p=${AUCTION_PRICE}",
    ]
    let response: [String: Any] = ["id": "r", "seatbid": [["bid": [bid]]]]
    return String(decoding: try JSONSerialization.data(withJSONObject: response), as: UTF8.self)
  }
}

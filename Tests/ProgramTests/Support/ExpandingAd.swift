/// An ad that expands, looks the same for two pictures, and closes.
enum ExpandingAd {
  /// The page; its default state has the colour, its expanded state has none of it.
  static func page(_ color: String) -> String {
    """
    <!doctype html><meta name="ad.size" content="width=300,height=100"><script src="mraid.js"></script>
    <style>html, body { margin: 0; height: 100% } body { background: \(color) }</style>
    <body onclick="mraid.expand()"><script>
    mraid.addEventListener('stateChange', function (state) {
      document.body.style.background = state === 'expanded' ? '#fff' : '\(color)'
    })
    </script>
    """
  }

  static let scenario = """
    - wait: {event: ready}
    - tap: body
    - wait: {state: expanded}
    - screenshot: open
    - close
    """
}

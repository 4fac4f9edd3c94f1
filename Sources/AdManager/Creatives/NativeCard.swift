package import AdResponses
internal import Core

/// Native ad put together as apps do it: icon and names, title, image, texts, and a button.
package struct NativeCard: Hashable, Sendable {
  private let ad: NativeAd

  package init(_ ad: NativeAd) { self.ad = ad }

  /// Page that fills the place it gets.
  package var html: String {
    let icon = image(in: [.icon, .logo])
    let main = ad.images.first { $0.kind == .main } ?? largest(but: icon)
    let head: [Markup] = [
      icon.map { "<img id=\"icon\" src=\"\($0.url)\" alt=\"\">" } ?? "",
      "<div><b id=\"sponsor\">\(ad.texts(.sponsored).first ?? "")</b><small>Ad</small></div>",
    ]
    let lines = (ad.texts(.description) + ad.texts(.description2) + ad.texts(nil)).map { text -> Markup in
      "<p>\(text)</p>"
    }
    let facts = [NativeAd.DataKind.rating, .likes, .downloads, .price, .salePrice, .phone, .address, .displayURL]
      .flatMap { ad.texts($0) }.map { text -> Markup in "<span>\(text)</span>" }
    let button = ad.texts(.callToAction).first.map { text -> Markup in "<b id=\"button\">\(text)</b>" } ?? ""
    let body: Markup = """
      <header>\(Markup(joining: head))</header>
      \(picture(main))<h1>\(ad.title ?? "")</h1>\(Markup(joining: lines))
      <footer><div>\(Markup(joining: facts))</div>\(button)</footer>
      """
    return page(link(around: body)).text
  }

  /// Address that a click on the card leads to; nil if the ad has none.
  package var clickThrough: String? {
    ad.link?.url ?? ad.assets.lazy.compactMap(\.link?.url).first
  }

  /// Addresses to request for a click.
  package var clickTracking: [String] {
    ad.link.map(\.clickTracking) ?? ad.assets.flatMap { $0.link?.clickTracking ?? [] }
  }

  private func image(in kinds: [NativeAd.ImageKind]) -> NativeAd.Image? {
    if let image = ad.images.first(where: { $0.kind.map(kinds.contains) ?? false }) { return image }
    // Responses rarely say what a picture is for: of several the smallest, where it is as wide as it is high.
    guard ad.images.count > 1 else { return nil }
    let sized = ad.images.filter { $0.kind == nil && $0.width == $0.height && ($0.width ?? 1000) <= 200 }
    return sized.min { area($0) < area($1) }
  }

  private func largest(but icon: NativeAd.Image?) -> NativeAd.Image? {
    ad.images.filter { $0 != icon && ![.icon, .logo].contains($0.kind) }.max { area($0) < area($1) }
  }

  private func area(_ image: NativeAd.Image) -> Double { (image.width ?? 0) * (image.height ?? 0) }

  private func picture(_ image: NativeAd.Image?) -> Markup {
    if let image { return "<img id=\"main\" src=\"\(image.url)\" alt=\"\">" }
    let hasVideo = ad.assets.contains { if case .video = $0.content { true } else { false } }
    return hasVideo ? "<div id=\"video\">▶</div>" : ""
  }

  private func link(around content: Markup) -> Markup {
    guard let url = clickThrough else { return "<article id=\"native\">\(content)</article>" }
    return "<a id=\"native\" href=\"\(url)\" target=\"_blank\">\(content)</a>"
  }

  private func page(_ content: Markup) -> Markup {
    """
    <!DOCTYPE html><html><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>
    * { box-sizing: border-box }
    html, body { margin: 0; height: 100%; background: #fff; color: #1c1e21; font: 14px/1.35 sans-serif }
    #native { display: flex; flex-direction: column; gap: 6px; height: 100%; padding: 10px; overflow: hidden;
      color: inherit; text-decoration: none }
    header { display: flex; align-items: center; gap: 8px; min-height: 0; flex: none }
    #icon { width: 32px; height: 32px; border-radius: 6px; object-fit: cover }
    header div { min-width: 0 } header b { display: block; font-size: 13px }
    small { font-size: 11px; color: #65676b; border: 1px solid #ccd0d5; border-radius: 3px; padding: 0 3px }
    #main, #video { width: 100%; min-height: 0; flex: 1 1 0; object-fit: contain; border-radius: 6px;
      background: #eceef1 }
    #video { display: flex; align-items: center; justify-content: center; font-size: 32px; color: #65676b }
    h1 { margin: 0; font-size: 16px; line-height: 1.25 }
    h1, p { flex: none; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
    p { margin: 0 } h1:empty, p:empty, b:empty { display: none }
    footer { display: flex; align-items: center; justify-content: space-between; gap: 8px; flex: none }
    footer div { display: flex; gap: 8px; min-width: 0; overflow: hidden; font-size: 12px; color: #65676b }
    #button { flex: none; padding: 6px 12px; border-radius: 6px; background: #0b57d0; color: #fff; font-size: 13px }
    </style></head><body>\(content)</body></html>
    """
  }
}

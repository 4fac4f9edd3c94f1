internal import AdManager
internal import AdResponses
internal import Core

/// Contents of a response as JSON, with members named as in its standard and missing ones left out.
enum InspectedAd {
  static func bid(_ won: WonBid) -> JSONValue {
    let bid = won.bid
    return object([
      "id": text(bid.id), "impression": text(bid.impressionID), "price": .number(bid.price),
      "currency": text(won.response.currency), "seat": text(bid.seat), "creative": text(bid.creativeID),
      "width": number(bid.width), "height": number(bid.height), "type": bid.markupType.flatMap { text("\($0)") },
      "apis": list(bid.apis.map { .number(Double($0)) }), "domains": texts(bid.advertiserDomains),
      "winNotice": text(won.winNotice), "billingNotice": text(won.billingNotice),
      "losers": texts(won.losers.map(\.id)), "otherImpressions": texts(Array(won.response.impressions.dropFirst())),
    ])
  }

  static func vast(_ document: VASTDocument) -> JSONValue {
    object([
      "version": text(document.version), "errors": texts(document.errors), "ads": list(document.ads.map(ad)),
      "flaws": flaws(document.flaws), "departures": list(document.departures.map(departure)),
    ])
  }

  static func vmap(_ document: VMAPDocument) -> JSONValue {
    object([
      "version": text(document.version), "breaks": list(document.schedule.map(adBreak)),
      "flaws": flaws(document.flaws),
    ])
  }

  static func native(_ ad: NativeAd) -> JSONValue {
    object([
      "version": text(ad.version), "assets": list(ad.assets.map(asset)), "link": ad.link.map(link),
      "impressions": texts(ad.impressions), "viewableImpressions": texts(ad.viewableImpressions),
      "scripts": texts(ad.scripts), "privacy": text(ad.privacy),
    ])
  }
}

// Values of JSON, nil where there is nothing to say.
extension InspectedAd {
  private static func object(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues(\.self)) }
  private static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
  private static func number(_ number: Double?) -> JSONValue? { number.map { .number($0) } }
  private static func number(_ number: Int?) -> JSONValue? { number.map { .number(Double($0)) } }
  private static func list(_ values: [JSONValue]) -> JSONValue? { values.isEmpty ? nil : .array(values) }
  private static func texts(_ texts: [String]) -> JSONValue? { list(texts.map { .string($0) }) }

  private static func flaws(_ flaws: [VASTFlaw]) -> JSONValue? {
    list(flaws.map { object(["line": number($0.line), "message": text($0.reason)]) })
  }

  private static func departure(_ departure: VASTDeparture) -> JSONValue {
    object([
      "kind": text(departure.kind.rawValue), "line": number(departure.line), "message": text(departure.reason),
    ])
  }
}

extension InspectedAd {
  private static func ad(_ ad: VASTAd) -> JSONValue {
    let parts = ad.parts
    var members: [String: JSONValue?] = [
      "id": text(ad.id), "sequence": number(ad.sequence), "line": number(ad.line), "system": text(parts.system),
      "impressions": texts(parts.impressions), "errors": texts(parts.errors),
      "creatives": list(parts.creatives.map(creative)), "verifications": list(parts.verifications.map(verification)),
      "extensions": list(parts.extensions.map { object(["type": text($0.type), "xml": text($0.xml)]) }),
      "viewable": texts(parts.viewable.viewable), "notViewable": texts(parts.viewable.notViewable),
      "viewUndetermined": texts(parts.viewable.undetermined),
      "adType": text(ad.adType), "pricing": parts.pricing.map(pricing),
    ]
    switch ad.content {
    case .inLine(let inLine):
      members["kind"] = "inLine"
      members["title"] = text(inLine.title)
      members["advertiser"] = text(inLine.advertiser)
      members["adServingId"] = text(inLine.adServingID)
      members["categories"] = texts(inLine.categories)
      members["description"] = text(inLine.description)
      members["survey"] = text(inLine.survey)
      members["expires"] = number(inLine.expires)
    case .wrapper(let wrapper):
      members["kind"] = "wrapper"
      members["tag"] = text(wrapper.tag)
      members["followAdditionalWrappers"] = .bool(wrapper.followsWrappers)
      members["allowMultipleAds"] = .bool(wrapper.allowsMultipleAds)
      members["fallbackOnNoAd"] = wrapper.fallsBack.map { .bool($0) }
      members["blockedCategories"] = texts(wrapper.blockedCategories)
    }
    return object(members)
  }

  private static func pricing(_ pricing: VASTPricing) -> JSONValue {
    object([
      "model": text(pricing.model), "currency": text(pricing.currency), "value": number(pricing.value),
    ])
  }

  private static func creative(_ creative: VASTCreative) -> JSONValue {
    var members: [String: JSONValue?] = [
      "id": text(creative.id), "adId": text(creative.adID), "sequence": number(creative.sequence),
      "universalIds": texts(creative.universalIDs),
    ]
    switch creative.content {
    case .linear(let film):
      members["kind"] = "linear"
      members.merge(linear(film)) { $1 }
    case .nonLinear(let overlays, let events):
      members["kind"] = "nonLinear"
      members["overlays"] = list(overlays.map(overlay))
      members["tracking"] = list(events.map(tracking))
    case .companions(let companions, let required):
      members["kind"] = "companions"
      members["required"] = text(required.rawValue)
      members["companions"] = list(companions.map(companion))
    }
    return object(members)
  }

  private static func linear(_ film: VASTLinear) -> [String: JSONValue?] {
    [
      "duration": number(film.duration), "skipOffset": text(film.skipOffset?.description),
      "media": list(film.mediaFiles.map(media)), "interactive": list(film.interactiveFiles.map(media)),
      "captions": list(
        film.captions.map { object(["url": text($0.url), "type": text($0.type), "language": text($0.language)]) }),
      "tracking": list(film.tracking.map(tracking)), "clickThrough": text(film.clickThrough),
      "clickTracking": texts(film.clickTracking), "customClicks": texts(film.customClicks),
      "icons": list(film.icons.map(icon)), "parameters": text(film.parameters),
    ]
  }

  private static func media(_ file: VASTMediaFile) -> JSONValue {
    object([
      "url": text(file.url), "type": text(file.type), "width": number(file.width), "height": number(file.height),
      "bitrate": number(file.bitrate), "delivery": text(file.delivery.rawValue),
      "apiFramework": text(file.apiFramework), "codec": text(file.codec),
      "variableDuration": file.needsVariableDuration ? .bool(true) : nil,
    ])
  }

  private static func icon(_ icon: VASTIcon) -> JSONValue {
    object([
      "program": text(icon.program), "width": number(icon.width), "height": number(icon.height),
      "offset": text(icon.offset?.description), "duration": number(icon.duration),
      "resources": list(icon.resources.map(resource)), "clickThrough": text(icon.clickThrough),
      "clickTracking": texts(icon.clickTracking), "viewTracking": texts(icon.viewTracking),
    ])
  }

  private static func overlay(_ overlay: VASTNonLinear) -> JSONValue {
    object([
      "id": text(overlay.id), "width": number(overlay.width), "height": number(overlay.height),
      "apiFramework": text(overlay.apiFramework), "minSuggestedDuration": number(overlay.shortestStay),
      "resources": list(overlay.resources.map(resource)), "clickThrough": text(overlay.clickThrough),
      "clickTracking": texts(overlay.clickTracking), "parameters": text(overlay.parameters),
    ])
  }

  private static func companion(_ companion: VASTCompanion) -> JSONValue {
    object([
      "id": text(companion.id), "width": number(companion.width), "height": number(companion.height),
      "assetWidth": number(companion.assetWidth), "assetHeight": number(companion.assetHeight),
      "apiFramework": text(companion.apiFramework), "resources": list(companion.resources.map(resource)),
      "altText": text(companion.alternativeText), "clickThrough": text(companion.clickThrough),
      "clickTracking": texts(companion.clickTracking), "tracking": list(companion.tracking.map(tracking)),
      "renderingMode": text(companion.renderingMode),
    ])
  }

  private static func resource(_ resource: VASTResource) -> JSONValue {
    switch resource {
    case .screenshot(let url, let type): object(["static": text(url), "type": text(type)])
    case .page(let url): object(["iframe": text(url)])
    case .html(let markup): object(["html": text(markup)])
    }
  }

  private static func tracking(_ tracking: VASTTracking) -> JSONValue {
    object(["event": text(tracking.event), "offset": text(tracking.offset?.description), "url": text(tracking.url)])
  }

  private static func verification(_ verification: VASTVerification) -> JSONValue {
    object([
      "vendor": text(verification.vendor), "resources": texts(verification.resources),
      "apiFramework": text(verification.apiFramework), "parameters": text(verification.parameters),
      "notExecuted": texts(verification.notExecuted),
    ])
  }
}

extension InspectedAd {
  private static func adBreak(_ adBreak: VMAPBreak) -> JSONValue {
    var members: [String: JSONValue?] = [
      "id": text(adBreak.id), "offset": text(adBreak.offset.description), "types": texts(adBreak.types),
      "repeatAfter": number(adBreak.repeatAfter), "allowMultipleAds": adBreak.allowsMultipleAds.map { .bool($0) },
      "followRedirects": adBreak.followsRedirects.map { .bool($0) }, "line": number(adBreak.line),
      "tracking": list(adBreak.tracking.map(tracking)),
    ]
    switch adBreak.source {
    case .document(let document)?: members["vast"] = vast(document)
    case .tag(let url, let template)?: (members["tag"], members["template"]) = (text(url), text(template))
    case .custom(let template)?: (members["custom"], members["template"]) = (.bool(true), text(template))
    case nil: break
    }
    return object(members)
  }

  private static func asset(_ asset: NativeAd.Asset) -> JSONValue {
    var members: [String: JSONValue?] = [
      "id": number(asset.id), "required": asset.isRequired ? .bool(true) : nil, "link": asset.link.map(link),
    ]
    switch asset.content {
    case .title(let title): members["title"] = text(title)
    case .image(let image):
      members["image"] = object([
        "url": text(image.url), "kind": image.kind.flatMap { text("\($0)") }, "width": number(image.width),
        "height": number(image.height),
      ])
    case .video(let document): members["video"] = text(document)
    case .data(let kind, let value, let label):
      members["data"] = object(["kind": kind.flatMap { text("\($0)") }, "value": text(value), "label": text(label)])
    }
    return object(members)
  }

  private static func link(_ link: NativeAd.Link) -> JSONValue {
    object(["url": text(link.url), "clickTracking": texts(link.clickTracking), "fallback": text(link.fallback)])
  }
}

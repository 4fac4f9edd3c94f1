"""Where `galley inspect` tells of what a document has: members of its JSON, by the end of a path."""

import re

PLACES = {
    "VAST@version": "version", "VAST/Error": "errors",
    "Ad@id": "ads.id", "Ad@sequence": "ads.sequence",
    "AdSystem": "ads.system", "AdTitle": "ads.title", "Advertiser": "ads.advertiser", "AdServingId": "ads.adServingId",
    "Category": "ads.categories", "Impression": "ads.impressions", "InLine/Error": "ads.errors",
    "Wrapper/Error": "ads.errors", "VASTAdTagURI": "ads.tag",
    "Wrapper@followAdditionalWrappers": "ads.followAdditionalWrappers",
    "Wrapper@allowMultipleAds": "ads.allowMultipleAds",
    "Wrapper@fallbackOnNoAd": "ads.fallbackOnNoAd", "Extension@type": "ads.extensions.type",
    "ViewableImpression/Viewable": "ads.viewable", "ViewableImpression/NotViewable": "ads.notViewable",
    "ViewableImpression/ViewUndetermined": "ads.viewUndetermined",
    "Verification@vendor": "ads.verifications.vendor",
    "Verification/VerificationParameters": "ads.verifications.parameters",
    "Verification/TrackingEvents/Tracking": "ads.verifications.notExecuted",
    "Creative@id": "ads.creatives.id", "Creative@adId": "ads.creatives.adId", "Creative@AdID": "ads.creatives.adId",
    "Creative@sequence": "ads.creatives.sequence", "UniversalAdId": "ads.creatives.universalIds",
    "UniversalAdId@idRegistry": "ads.creatives.universalIds",
    "Linear@skipoffset": "ads.creatives.skipOffset", "Linear/Duration": "ads.creatives.duration",
    "Linear/AdParameters": "ads.creatives.parameters",
    "VideoClicks/ClickThrough": "ads.creatives.clickThrough",
    "VideoClicks/ClickTracking": "ads.creatives.clickTracking",
    "VideoClicks/CustomClick": "ads.creatives.customClicks",
    "Linear/TrackingEvents/Tracking": "ads.creatives.tracking.url",
    "Linear/TrackingEvents/Tracking@event": "ads.creatives.tracking.event",
    "Linear/TrackingEvents/Tracking@offset": "ads.creatives.tracking.offset",
    "NonLinearAds/TrackingEvents/Tracking": "ads.creatives.tracking.url",
    "NonLinearAds/TrackingEvents/Tracking@event": "ads.creatives.tracking.event",
    "NonLinearAds/TrackingEvents/Tracking@offset": "ads.creatives.tracking.offset",
    "Companion/TrackingEvents/Tracking": "ads.creatives.companions.tracking.url",
    "Companion/TrackingEvents/Tracking@event": "ads.creatives.companions.tracking.event",
    "Companion/TrackingEvents/Tracking@offset": "ads.creatives.companions.tracking.offset",
    "InteractiveCreativeFile": "ads.creatives.interactive.url",
    "ClosedCaptionFile": "ads.creatives.captions.url", "ClosedCaptionFile@type": "ads.creatives.captions.type",
    "ClosedCaptionFile@language": "ads.creatives.captions.language",
    "CompanionAds@required": "ads.creatives.required", "Companion/AltText": "ads.creatives.companions.altText",
    "CompanionClickThrough": "ads.creatives.companions.clickThrough",
    "CompanionClickTracking": "ads.creatives.companions.clickTracking",
    "NonLinearClickThrough": "ads.creatives.overlays.clickThrough",
    "NonLinearClickTracking": "ads.creatives.overlays.clickTracking",
    "IconClicks/IconClickThrough": "ads.creatives.icons.clickThrough",
    "IconClicks/IconClickTracking": "ads.creatives.icons.clickTracking",
    "IconViewTracking": "ads.creatives.icons.viewTracking",
    **{f"Verification/{name}Resource": "ads.verifications.resources" for name in ("JavaScript", "Executable", "Flash")},
    **{f"Verification/{name}Resource@apiFramework": "ads.verifications.apiFramework"
       for name in ("JavaScript", "Executable", "Flash")},
    "MediaFile": "ads.creatives.media.url",
    **{f"MediaFile@{name}": f"ads.creatives.media.{name}"
       for name in ("type", "width", "height", "delivery", "bitrate", "apiFramework", "codec")},
    "Ad@adType": "ads.adType", "InLine/Description": "ads.description", "InLine/Survey": "ads.survey",
    "InLine/Expires": "ads.expires", "Pricing": "ads.pricing.value", "Pricing@model": "ads.pricing.model",
    "Pricing@currency": "ads.pricing.currency", "BlockedAdCategories": "ads.blockedCategories",
    "NonLinear/AdParameters": "ads.creatives.overlays.parameters",
    "InteractiveCreativeFile@variableDuration": "ads.creatives.interactive.variableDuration",
    **{f"Companion@{name}": f"ads.creatives.companions.{name}" for name in ("assetWidth", "assetHeight")},
    # Of a file without a rate of its own.
    "MediaFile@maxBitrate": "ads.creatives.media.bitrate",
    **{f"InteractiveCreativeFile@{name}": f"ads.creatives.interactive.{name}" for name in ("type", "apiFramework")},
    **{f"Companion@{name}": f"ads.creatives.companions.{name}"
       for name in ("id", "width", "height", "apiFramework", "renderingMode")},
    **{f"NonLinear@{name}": f"ads.creatives.overlays.{name}"
       for name in ("id", "width", "height", "apiFramework", "minSuggestedDuration")},
    **{f"Icon@{name}": f"ads.creatives.icons.{name}" for name in ("program", "width", "height", "offset", "duration")},
    **{f"{holder}/{name}": f"ads.creatives.{where}.resources.{kind}"
       for holder, where in (("Companion", "companions"), ("NonLinear", "overlays"), ("Icon", "icons"))
       for name, kind in (("StaticResource", "static"), ("IFrameResource", "iframe"), ("HTMLResource", "html"))},
    **{f"{holder}/StaticResource@creativeType": f"ads.creatives.{where}.resources.type"
       for holder, where in (("Companion", "companions"), ("NonLinear", "overlays"), ("Icon", "icons"))},
}

# Elements that hold others: the kind they make of what they are in, or the list in which each has an entry.
HOLDERS = {
    "Ad/InLine": ("ads.kind", "inLine"), "Ad/Wrapper": ("ads.kind", "wrapper"),
    "Creative/Linear": ("ads.creatives.kind", "linear"), "Creative/NonLinearAds": ("ads.creatives.kind", "nonLinear"),
    "Creative/CompanionAds": ("ads.creatives.kind", "companions"), "VAST/Ad": ("ads", None),
    "Extensions/Extension": ("ads.extensions", None), "AdVerifications/Verification": ("ads.verifications", None),
    "CompanionAds/Companion": ("ads.creatives.companions", None),
    "NonLinearAds/NonLinear": ("ads.creatives.overlays", None),
    "Icons/Icon": ("ads.creatives.icons", None),
}


def place(path):
    """The member that tells of it, or None where nothing is made of it."""
    parts = path.split("/")
    for start in range(len(parts)):
        if (found := PLACES.get("/".join(parts[start:]))) is not None:
            return found
    return None


def values(document, member):
    """Everything that stands at a member of the JSON."""
    found = [document]
    for name in member.split("."):
        found = [inner for one in found for inner in ([one[name]] if isinstance(one, dict) and name in one else [])]
        found = [inner for one in found for inner in (one if isinstance(one, list) else [one])]
    return found


def is_same(told, text):
    """Whether what is told is what the document has: numbers, moments and words of yes and no by their meaning."""
    if isinstance(told, bool):
        return told == (text in ("true", "1"))
    if isinstance(told, (int, float)):
        return told == seconds(text) if ":" in text else told == float(text)
    if text.endswith("%") or ":" in text and seconds(text) is not None:
        return moment(told) == moment(text)
    # A name across servers is told with who gave it.
    return text in (told, *told.split(":", 1))


def seconds(text):
    match = re.fullmatch(r"(\d+):(\d+):(\d+(?:\.\d+)?)", text)
    return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3]) if match else None


def moment(text):
    return float(text[:-1]) / 100 if text.endswith("%") else seconds(text)

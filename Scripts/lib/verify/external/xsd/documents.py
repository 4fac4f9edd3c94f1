"""Documents made of a schema: the smallest of each kind, one for each thing declared, and what must not be."""

import copy
import dataclasses
import itertools
import xml.etree.ElementTree as ElementTree

from lib.verify.external.xsd.schema import Element

# Texts that mean something, where a made-up one would be none that an ad has: by the end of the path.
FITTING = {
    "MediaFile@type": "video/mp4", "Mezzanine@type": "video/mp4", "InteractiveCreativeFile@type": "text/html",
    "InteractiveCreativeFile@apiFramework": "SIMID", "MediaFile@apiFramework": "VPAID",
    "JavaScriptResource@apiFramework": "omid", "StaticResource@creativeType": "image/png",
    "ClosedCaptionFile@type": "text/vtt", "ClosedCaptionFile@language": "en",
    "Verification/TrackingEvents/Tracking@event": "verificationNotExecuted", "Expires": "3600",
}
# By a piece of the pattern: a text that fits it, one that does for a second time, and those that don't.
PATTERNS = {
    "[0-5]": ("00:00:03", "25%", ["soon", "00:61:00"]),
    "left": ("12", "left", ["middle"]),
    "top": ("12", "top", ["middle"]),
    "{3}": ("EUR", "USD", ["Euros"]),
}
# The same by type.
TYPES = {
    "anyURI": (None, None, ["http://[::1/x"]), "integer": (None, None, ["wide"]),
    "decimal": ("1.25", "2.5", ["cheap"]), "boolean": ("true", "false", ["maybe"]),
    "time": ("00:00:07", "00:00:09", ["30", "00:99:00"]),
}
# The kinds of documents, by what is in them.
KINDS = {
    "no ad": [],
    "errors alone": ["VAST/Error"],
    "in-line, a film": ["InLine/Creatives/Creative/Linear/MediaFiles/MediaFile"],
    "in-line, a film with an icon": ["InLine/Creatives/Creative/Linear/MediaFiles/MediaFile",
                                     "InLine/Creatives/Creative/Linear/Icons/Icon/StaticResource"],
    "in-line, an overlay": ["InLine/Creatives/Creative/NonLinearAds/NonLinear/StaticResource"],
    "in-line, a companion": ["InLine/Creatives/Creative/CompanionAds/Companion/StaticResource"],
    "wrapper": ["Wrapper/VASTAdTagURI"],
    "wrapper, of a film": ["Wrapper/Creatives/Creative/Linear/TrackingEvents/Tracking"],
    "wrapper, with an icon": ["Wrapper/Creatives/Creative/Linear/Icons/Icon/StaticResource"],
    "wrapper, of an overlay": ["Wrapper/Creatives/Creative/NonLinearAds/TrackingEvents/Tracking"],
    "wrapper, with a companion": ["Wrapper/Creatives/Creative/CompanionAds/Companion/StaticResource"],
}
# What else has to be there for a part to mean anything: by the end of its path, further paths from its element.
NEEDED = {
    **{f"Creative{end}": "/Linear" for end in ("", "@id", "@adId", "@AdID", "@sequence", "/UniversalAdId",
                                               "/UniversalAdId@idRegistry", "/UniversalAdId@idValue")},
    **{f"InteractiveCreativeFile@{name}": "@type @apiFramework"
       for name in ("type", "apiFramework", "variableDuration")},
}
FILM = "VAST/Ad/InLine/Creatives/Creative/Linear/MediaFiles/MediaFile"


@dataclasses.dataclass
class Made:
    """A document, and what was meant with it."""
    name: str
    text: str
    is_valid: bool
    # What it is about, and the values that this has.
    path: str
    values: list[str] = dataclasses.field(default_factory=list)
    # Words of which one has to be in a remark on it.
    words: list[str] = dataclasses.field(default_factory=list)
    # How often it is there.
    count: int = 1
    # Whether it only holds others.
    holds: bool = False
    # The document without what it is about: its name.
    without: str = ""


class Maker:
    """Makes documents of one version."""

    def __init__(self, schema, version):
        self.schema = schema
        self.version = version
        self.declared = dict(walk(schema.root, "VAST"))

    def documents(self):
        return [*self._kinds(), *self._parts(), *self._attributes(), *self._lacking(), *self._malformed(),
                *self._disordered()]

    def build(self, wanted, twice=""):
        """The smallest valid document that has these paths, and its nodes by path."""
        wanted = {*wanted, *(more for path in wanted for more in self._needed(path))}
        ways = {path[:end] for path in wanted for end in range(1, len(path) + 1) if path[end:end + 1] in ("", "/", "@")}
        nodes: dict[str, list] = {}
        root = self._node(self.schema.root, "VAST", ways, twice, nodes, False)
        if self.schema.namespace:
            root.set("xmlns", self.schema.namespace)
        return root, nodes

    def _needed(self, path):
        for end, more in NEEDED.items():
            if path.endswith(f"/{end}"):
                holder = path.removesuffix(end) + end.split("@")[0].split("/")[0]
                # A schema may have no room for both.
                yield from (holder + one for one in more.split() if not self._excludes(holder, path, holder + one))

    def _excludes(self, holder, path, other):
        content = self.declared[holder].content
        return (content is not None and content.kind == "choice" and other != path) or (
            "@" not in other and other not in self.declared)

    def _node(self, element, path, ways, twice, nodes, is_again):
        node = ElementTree.Element(element.name)
        nodes.setdefault(path, []).append(node)
        for attribute in element.attributes:
            if attribute.is_required or f"{path}@{attribute.name}" in ways:
                node.set(attribute.name, self.sample(f"{path}@{attribute.name}", attribute.value, is_again))
        if element.value:
            node.text = self.sample(path, element.value, is_again)
        if element.content:
            self._fill(node, element.content, path, ways, twice, nodes, is_again)
        return node

    def _fill(self, node, group, path, ways, twice, nodes, is_again):
        # Of a choice the first is made where another isn't wanted.
        chosen = next((item for item in group.items if isinstance(item, Element) and f"{path}/{item.name}" in ways),
                      group.items[0] if group.items else None) if group.kind == "choice" else None
        for item in group.items:
            inner = [f"{path}/{one.name}" for one in (item.elements if not isinstance(item, Element) else [item])]
            is_wanted = any(one in ways for one in inner)
            if not isinstance(item, Element):
                if is_wanted or item.least:
                    self._fill(node, item, path, ways, twice, nodes, is_again)
            elif item is chosen or group.kind != "choice" and (is_wanted or item.least):
                node.append(self._node(item, inner[0], ways, twice, nodes, is_again))
                if inner[0] == twice:
                    node.append(self._node(item, inner[0], ways, "", nodes, True))

    def sample(self, path, value, is_again=False):
        """A text of this type, another one for a second time."""
        if path == "VAST@version":
            return self.version
        for end, text in FITTING.items():
            if path.endswith(f"/{end}"):
                return text
        if value.choices:
            return value.choices[int(is_again and len(value.choices) > 1)]
        first, second, _ = kind_of(value)
        if first:
            return second if is_again else first
        slug = path.replace("VAST/Ad/", "").replace("/", "-").replace("@", "-").lower()
        again = "-again" if is_again else ""
        if value.base == "anyURI":
            return f"https://ad.example/{slug}{again}"
        if value.base == "integer":
            return str(100 + sum(slug.encode()) % 400 + int(is_again))
        return slug + again

    def _kinds(self):
        for name, ends in KINDS.items():
            paths = [end if end.startswith("VAST/") else f"VAST/Ad/{end}" for end in ends]
            if all(path in self.declared for path in paths):
                root, _ = self.build(set(paths))
                yield self._made(f"kind: {name}", root, True, paths[-1] if paths else "VAST")
        if any(one.name == "sequence" for one in self.declared["VAST/Ad"].attributes):
            root, nodes = self.build({FILM, "VAST/Ad@sequence"}, twice="VAST/Ad")
            for place, ad in enumerate(nodes["VAST/Ad"], 1):
                ad.set("sequence", str(place))
            yield self._made("kind: a pod", root, True, "VAST/Ad@sequence", ["1", "2"])

    def _parts(self):
        for path, element in self.declared.items():
            if path == "VAST":
                continue
            root, nodes = self.build({path})
            yield self._made(f"has {path}", root, True, path, [nodes[path][0].text] if element.value else [],
                             holds=element.content is not None, without=f"has {path.rpartition('/')[0]}")
            if element.most is None:
                root, nodes = self.build({path}, twice=path)
                yield self._made(f"has two {path}", root, True, path,
                                 [node.text for node in nodes[path]] if element.value else [], count=len(nodes[path]),
                                 holds=element.content is not None, without=f"has {path}")

    def _attributes(self):
        for path, element in self.declared.items():
            for attribute in element.attributes:
                way = f"{path}@{attribute.name}"
                for text in attribute.value.choices or [self.sample(way, attribute.value)]:
                    root, nodes = self.build({path, way})
                    nodes[path][0].set(attribute.name, text)
                    choice = f"={text}" if attribute.value.choices else ""
                    yield self._made(f"has {way}{choice}", root, True, way, [text], without=f"has {path}")

    def _lacking(self):
        for path, element in self.declared.items():
            for group in groups(element.content):
                for item in group.items if group.kind != "choice" else []:
                    if isinstance(item, Element) and item.least:
                        root, nodes = self.build({path})
                        own = f"{path}/{item.name}"
                        for node in nodes[own]:
                            nodes[path][0].remove(node)
                        yield self._made(f"lacks {own}", root, False, own, words=[item.name])
            for attribute in element.attributes:
                if attribute.is_required:
                    root, nodes = self.build({path})
                    del nodes[path][0].attrib[attribute.name]
                    yield self._made(f"lacks {path}@{attribute.name}", root, False, f"{path}@{attribute.name}",
                                     words=[attribute.name])

    def _malformed(self):
        for path, element in self.declared.items():
            for text in kind_of(element.value)[2] if element.value else []:
                root, nodes = self.build({path})
                nodes[path][0].text = text
                yield self._made(f"is no {path}: {text}", root, False, path, words=[element.name])
            for attribute in element.attributes:
                way = f"{path}@{attribute.name}"
                for text in kind_of(attribute.value)[2]:
                    root, nodes = self.build({path, way})
                    nodes[path][0].set(attribute.name, text)
                    yield self._made(f"is no {way}: {text}", root, False, way, words=[attribute.name])

    def _disordered(self):
        for path, element in self.declared.items():
            if not element.content or element.content.kind != "sequence":
                continue
            row = [item if isinstance(item, Element) else item.elements[0] for item in element.content.items]
            for first, second in itertools.pairwise(row):
                ways = [f"{path}/{first.name}", f"{path}/{second.name}"]
                root, nodes = self.build({*ways})
                node, moved = nodes[path][0], nodes[ways[1]][0]
                node.remove(moved)
                node.insert(list(node).index(nodes[ways[0]][0]), moved)
                yield self._made(f"{path}: {second.name} before {first.name}", root, False, path,
                                 words=[first.name, second.name])

    def _made(self, name, root, is_valid, path, values=(), words=(), count=1, holds=False, without=""):
        root = copy.copy(root)
        ElementTree.indent(root)
        text = ElementTree.tostring(root, encoding="unicode") + "\n"
        return Made(f"{self.version} {name}", text, is_valid, path, list(values), list(words), count, holds,
                    without and f"{self.version} {without}")


def walk(element, path):
    """Each element declared, by its path."""
    yield path, element
    for child in element.content.elements if element.content else []:
        yield from walk(child, f"{path}/{child.name}")


def groups(group):
    """A group, and those in it."""
    if group:
        yield group
        for item in group.items:
            if not isinstance(item, Element):
                yield from groups(item)


def kind_of(value):
    """Texts of a type, and what is none of it."""
    if value.choices:
        return value.choices[0], value.choices[-1], ["elsewhere"]
    for piece, texts in PATTERNS.items():
        if piece in value.pattern:
            return texts
    return TYPES.get(value.base, (None, None, []))

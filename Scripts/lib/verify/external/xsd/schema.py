"""An XML schema as a tree: what each element has in it, in which order, and of which type."""

import dataclasses
import xml.etree.ElementTree as ElementTree

XS = "{http://www.w3.org/2001/XMLSchema}"


@dataclasses.dataclass
class Value:
    """A simple type."""
    # Of XML Schema's own: string, anyURI, integer, …
    base: str
    choices: list[str] = dataclasses.field(default_factory=list)
    pattern: str = ""


@dataclasses.dataclass
class Attribute:
    name: str
    value: Value
    is_required: bool


@dataclasses.dataclass
class Element:
    name: str
    least: int
    # None for any number.
    most: int | None
    # What is in it; None for text alone, or nothing.
    content: "Group | None" = None
    attributes: list[Attribute] = dataclasses.field(default_factory=list)
    # Of its text.
    value: Value | None = None


@dataclasses.dataclass
class Group:
    # sequence, all or choice
    kind: str
    least: int
    items: list["Element | Group"] = dataclasses.field(default_factory=list)

    @property
    def elements(self):
        """Every element of it, in order."""
        return [found for item in self.items for found in (item.elements if isinstance(item, Group) else [item])]


class Schema:
    """Of a file: its only root, and its target namespace."""

    def __init__(self, text):
        top = ElementTree.fromstring(text.lstrip("\ufeff"))
        self.namespace = top.get("targetNamespace", "")
        self._types = {one.get("name"): one for one in top if one.tag in (XS + "complexType", XS + "simpleType")}
        self.root = self._element(top.find(XS + "element"))

    def _element(self, node):
        most = node.get("maxOccurs", "1")
        element = Element(node.get("name"), int(node.get("minOccurs", "1")), None if most == "unbounded" else int(most))
        inner = node.find(XS + "complexType")
        if inner is not None:
            self._fill(element, inner)
        elif (simple := node.find(XS + "simpleType")) is not None:
            element.value = self._value(simple)
        else:
            self._fill_by_name(element, node.get("type", "xs:anyType"))
        return element

    def _fill_by_name(self, element, name):
        local = name.rpartition(":")[2]
        if local not in self._types:
            # Of anything, as of extensions, there is nothing to say.
            element.value = None if local == "anyType" else Value(local)
        elif self._types[local].tag == XS + "complexType":
            self._fill(element, self._types[local])
        else:
            element.value = self._value(self._types[local])

    def _fill(self, element, node):
        """With what a complex type has: what it extends first."""
        for child in node:
            kind = child.tag.removeprefix(XS)
            if kind in ("complexContent", "simpleContent"):
                self._fill(element, child)
            elif kind == "extension":
                self._fill_by_name(element, child.get("base"))
                self._fill(element, child)
            elif kind in ("sequence", "all", "choice"):
                own = self._group(child)
                if element.content is None:
                    element.content = own
                elif own.items:
                    # An extension's parts stand after those of its base.
                    element.content.items += own.items if own.kind == "sequence" else [own]
            elif kind == "attribute":
                element.attributes.append(self._attribute(child))

    def _group(self, node):
        group = Group(node.tag.removeprefix(XS), int(node.get("minOccurs", "1")))
        for child in node:
            if child.tag == XS + "element":
                group.items.append(self._element(child))
            elif child.tag in (XS + "sequence", XS + "choice"):
                group.items.append(self._group(child))
        return group

    def _attribute(self, node):
        inner = node.find(XS + "simpleType")
        value = self._value(inner) if inner is not None else Value(node.get("type").rpartition(":")[2])
        return Attribute(node.get("name"), value, node.get("use") == "required")

    @staticmethod
    def _value(node):
        rule = node.find(XS + "restriction")
        pattern = rule.find(XS + "pattern")
        return Value(rule.get("base").rpartition(":")[2],
                     [one.get("value") for one in rule.findall(XS + "enumeration")],
                     "" if pattern is None else pattern.get("value"))

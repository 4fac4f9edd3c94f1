"""The pure parts of Scripts/verify-external vast-schemas: a schema read, documents made of it, what came of them."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))

from lib.verify.external.readers import schemas  # noqa: E402
from lib.verify.external.xsd import told  # noqa: E402
from lib.verify.external.xsd.documents import Maker  # noqa: E402
from lib.verify.external.xsd.schema import Schema  # noqa: E402

# A letter of ours, in the forms that the schemas of VAST have: an extension, a choice, lists and patterns.
LETTER = """\ufeff<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:l="urn:letter" targetNamespace="urn:letter">
  <xs:element name="VAST"><xs:complexType>
    <xs:sequence>
      <xs:element name="Ad" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:complexContent>
        <xs:extension base="l:Base"><xs:sequence><xs:element name="Sent" type="xs:time"/></xs:sequence>
          <xs:attribute name="mood" use="required"><xs:simpleType><xs:restriction base="xs:token">
            <xs:enumeration value="glad"/><xs:enumeration value="sad"/></xs:restriction></xs:simpleType></xs:attribute>
        </xs:extension></xs:complexContent></xs:complexType></xs:element>
    </xs:sequence>
    <xs:attribute name="version" type="xs:string" use="required"/>
  </xs:complexType></xs:element>
  <xs:complexType name="Base"><xs:sequence>
    <xs:element name="To" maxOccurs="unbounded"><xs:complexType><xs:simpleContent><xs:extension base="xs:anyURI">
      <xs:attribute name="id" type="xs:integer"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
    <xs:choice><xs:element name="Card" minOccurs="0" type="xs:string"/>
      <xs:element name="Page" minOccurs="0" type="xs:string"/>
    </xs:choice>
  </xs:sequence></xs:complexType>
</xs:schema>"""


class MakerTests(unittest.TestCase):
    def setUp(self):
        self.maker = Maker(Schema(LETTER), "1.0")
        self.made = {one.name: one for one in self.maker.documents()}

    def build(self, *paths, **options):
        return self.maker.build(set(paths), **options)[0]

    def test_a_type_has_what_it_extends_before_its_own(self):
        self.assertEqual(list(self.maker.declared),
                         ["VAST", "VAST/Ad", "VAST/Ad/To", "VAST/Ad/Card", "VAST/Ad/Page", "VAST/Ad/Sent"])

    def test_the_smallest_document_has_what_is_required_and_the_first_of_a_choice(self):
        self.assertEqual([one.tag for one in self.build("VAST")], [])
        ad = self.build("VAST/Ad")[0]
        self.assertEqual([one.tag for one in ad], ["To", "Card", "Sent"])
        self.assertEqual(ad.attrib, {"mood": "glad"})

    def test_what_is_wanted_is_there_and_takes_the_choice(self):
        ad = self.build("VAST/Ad/Page", "VAST/Ad/To@id")[0]
        self.assertEqual([one.tag for one in ad], ["To", "Page", "Sent"])
        self.assertTrue(ad[0].get("id").isdigit())

    def test_what_is_there_twice_has_another_value(self):
        first, second = self.build("VAST/Ad/To", twice="VAST/Ad/To")[0].findall("To")
        self.assertNotEqual(first.text, second.text)

    def test_each_thing_declared_has_a_document_and_so_has_each_word_of_a_list(self):
        for name in ("has VAST/Ad/Page", "has two VAST/Ad/To", "has VAST/Ad/To@id", "has VAST/Ad@mood=glad",
                     "has VAST/Ad@mood=sad"):
            self.assertTrue(self.made[f"1.0 {name}"].is_valid, name)

    def test_what_must_not_be_is_what_is_missing_malformed_or_in_another_order(self):
        bad = {name.removeprefix("1.0 ") for name, one in self.made.items() if not one.is_valid}
        self.assertEqual(bad, {
            "lacks VAST/Ad/To", "lacks VAST/Ad/Sent", "lacks VAST/Ad@mood", "lacks VAST@version",
            "is no VAST/Ad@mood: elsewhere", "is no VAST/Ad/To: http://[::1/x", "is no VAST/Ad/To@id: wide",
            "is no VAST/Ad/Sent: 30", "is no VAST/Ad/Sent: 00:99:00", "VAST/Ad: Card before To",
            "VAST/Ad: Sent before Card",
        })

    def test_a_document_is_in_the_namespace_of_its_schema(self):
        self.assertIn('xmlns="urn:letter"', self.made["1.0 has VAST/Ad"].text)


class ToldTests(unittest.TestCase):
    def test_the_end_of_a_path_says_where_it_is_told(self):
        self.assertEqual(told.place("VAST/Ad/InLine/Creatives/Creative/Linear/TrackingEvents/Tracking@event"),
                         "ads.creatives.tracking.event")
        self.assertIsNone(told.place("VAST/Ad/InLine/Creatives/Creative/Linear/MediaFiles/MediaFile@scalable"))

    def test_values_are_those_of_every_entry_on_the_way(self):
        document = {"ads": [{"impressions": ["a", "b"]}, {}, {"impressions": ["c"]}]}
        self.assertEqual(told.values(document, "ads.impressions"), ["a", "b", "c"])
        self.assertEqual(told.values(document, "errors"), [])

    def test_values_are_the_same_by_their_meaning(self):
        for one, text in ((7, "00:00:07"), (640, "640"), (True, "1"), (False, "false"), ("00:00:03.000", "00:00:03"),
                          ("25%", "25%"), ("ad-id.org:X1", "X1"), ("ad-id.org:X1", "ad-id.org")):
            self.assertTrue(told.is_same(one, text), (one, text))
        for one, text in ((8, "00:00:07"), (64, "640"), (True, "false"), ("00:00:04.000", "00:00:03"), ("X", "x")):
            self.assertFalse(told.is_same(one, text), (one, text))


class VerdictTests(unittest.TestCase):
    def document(self, **members):
        maker = Maker(Schema(LETTER), "1.0")
        made = next(one for one in maker.documents() if one.name == "1.0 has VAST/Ad/To")
        for name, value in {"path": "VAST/Ad/InLine/Impression", "values": ["https://a.example"], **members}.items():
            setattr(made, name, value)
        return made

    def test_a_valid_document_is_refused_remarked_on_or_misread(self):
        document = self.document()
        good = {"ads": [{"impressions": ["https://a.example"]}]}
        self.assertEqual(schemas.misread(document, {"vast": good}, None), "")
        self.assertIn("refused", schemas.misread(document, {"message": "no"}, None))
        self.assertIn("remark", schemas.misread(document, {"vast": good | {"departures": [{"message": "x"}]}}, None))
        self.assertIn("and not", schemas.misread(document, {"vast": {"ads": [{}]}}, None))

    def test_of_what_nothing_is_made_all_else_is_the_same(self):
        document = self.document(path="VAST/Ad/InLine/Creatives/Creative/Linear/MediaFiles/MediaFile@scalable")
        one, other = {"vast": {"ads": [{"id": "a", "line": 1}]}}, {"vast": {"ads": [{"id": "a", "line": 2}]}}
        self.assertEqual(schemas.misread(document, one, other), "")
        self.assertNotEqual(schemas.misread(document, one, {"vast": {"ads": []}}), "")

    def test_a_part_that_holds_others_has_an_entry_each(self):
        document = self.document(path="VAST/Ad/InLine/Extensions/Extension", values=[], count=2)
        self.assertEqual(schemas.misread(document, {"vast": {"ads": [{"extensions": [{}, {}]}]}}, None), "")
        self.assertNotEqual(schemas.misread(document, {"vast": {"ads": [{"extensions": [{}]}]}}, None), "")

    def test_of_an_invalid_document_somebody_hears_by_name(self):
        document = self.document(words=["AdTitle"])
        self.assertEqual(schemas.unsaid(document, {"message": "line 3: <AdTitle> is missing"}), "")
        self.assertEqual(schemas.unsaid(document, {"vast": {"flaws": [{"message": "no <AdTitle>"}]}}), "")
        self.assertNotEqual(schemas.unsaid(document, {"vast": {"flaws": [{"message": "no <AdTitles>"}]}}), "")
        self.assertNotEqual(schemas.unsaid(document, {"vast": {}}), "")


if __name__ == "__main__":
    unittest.main()

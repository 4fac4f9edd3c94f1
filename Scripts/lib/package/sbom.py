"""What is inside, for machines: a bill of materials in CycloneDX 1.5."""

import datetime
import json
import re
import subprocess
import uuid


def write(path, project, depends):
    """Of the programs: the Swift packages linked into them, and the Debian packages that they need."""
    components = [swift_component(package) for package in project.swift_packages]
    for entry in depends:
        name = entry.split("|")[0].split("(")[0].strip()
        components.append(debian_component(name, installed_version(name), project, entry))
    path.write_text(document("galley", "application", project, components))
    return path


def write_image(path, project, status):
    """Of the image: every Debian package in it, Galley among them."""
    packages = [dict(re.findall(r"(?m)^(Package|Version): (.*)$", entry)) for entry in status.split("\n\n")]
    components = [debian_component(package["Package"], package["Version"], project)
                  for package in packages if package]
    components += [swift_component(package) for package in project.swift_packages]
    path.write_text(document("galley-image", "container", project, components))
    return path


def document(name, kind, project, components):
    day = datetime.datetime.fromtimestamp(project.epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {
        "metadata": {
            "timestamp": day,
            "component": {
                "type": kind, "bom-ref": name, "name": name, "version": project.version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "properties": [{"name": "galley:commit", "value": project.commit}]}},
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": sorted(part["bom-ref"] for part in components)}]}
    # Of the contents, so that the same contents are the same bytes.
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return json.dumps({**head, **body}, indent=1) + "\n"


def swift_component(package):
    place = package["address"].removeprefix("https://")
    address = f"pkg:swift/{place}@{package['version']}"
    return {
        "type": "library", "bom-ref": address, "name": package["name"], "version": package["version"], "purl": address,
        "externalReferences": [{"type": "vcs", "url": package["address"]}],
        "properties": [{"name": "galley:revision", "value": package["revision"]}]}


def debian_component(name, version, project, entry=None):
    address = f"pkg:deb/debian/{name}" + (f"@{version}" if version else "") + f"?arch={project.architecture}"
    component = {"type": "library", "bom-ref": address, "name": name, "purl": address}
    if version:
        component["version"] = version
    if entry:
        component["properties"] = [{"name": "galley:depends", "value": entry}]
    return component


def installed_version(name):
    """The version that was built with; a package that isn't here, as fonts needn't be, has none."""
    done = subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", name], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""

// What vast-client-js reads in documents, in the form that vast.py compares: one JSON object a line.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [folder, ...files] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const library = require(path.join(folder, "dist/vast-client-node.js"));
// Its build brings its own reader of XML along.
const chunk = fs.readdirSync(path.join(folder, "dist/chunks")).find((name) => /^xmldom-.*(?<!\.min)\.js$/.test(name));
const { DOMParser } = require(path.join(folder, "dist/chunks", chunk)).index;

const urls = (list) => (list ?? []).map((one) => (typeof one === "string" ? one : one.url));

function creative(one) {
  if (one.type === "linear") {
    return {
      kind: "linear", id: one.id, duration: one.duration >= 0 ? one.duration : null, skip: one.skipDelay,
      clickThrough: one.videoClickThroughURLTemplate?.url ?? null, clickTracking: urls(one.videoClickTrackingURLTemplates),
      customClicks: urls(one.videoCustomClickURLTemplates), tracking: one.trackingEvents,
      media: one.mediaFiles.map((file) => [file.fileURL, file.mimeType, file.width, file.height, file.apiFramework]),
      interactive: one.interactiveCreativeFile ? [one.interactiveCreativeFile.fileURL] : [],
      captions: one.closedCaptionFiles.map((file) => file.fileURL), icons: one.icons.length,
      parameters: one.adParameters?.value ?? one.adParameters ?? null,
    };
  }
  const name = one.type === "companion" ? "companions" : "nonLinear";
  const parts = one.variations.map((part) => [
    part.width, part.height, urls(part.staticResources ?? []).concat(part.staticResource ?? [], part.iframeResources ?? [],
      part.iframeResource ?? [], part.htmlResources ?? [], part.htmlResource ?? []),
    part.companionClickThroughURLTemplate ?? part.nonlinearClickThroughURLTemplate ?? null,
  ]);
  return { kind: name, id: one.id, parts, tracking: one.trackingEvents ?? {} };
}

function ad(one) {
  return {
    id: one.id, sequence: one.sequence, title: one.title, system: one.system?.value ?? null,
    wrapper: one.nextWrapperURL ?? null, adServingId: one.adServingId,
    impressions: urls(one.impressionURLTemplates), errors: urls(one.errorURLTemplates),
    creatives: one.creatives.map(creative),
    verifications: (one.adVerifications ?? []).map((part) => [part.vendor, part.resource]),
    viewable: one.viewableImpression?.viewable ?? one.viewableImpression?.[0]?.viewable ?? [],
  };
}

for (const file of files) {
  const found = { file };
  try {
    const problems = [];
    const errorHandler = { warning() {}, error(text) { problems.push(text); }, fatalError(text) { problems.push(text); } };
    const xml = new DOMParser({ errorHandler }).parseFromString(fs.readFileSync(file, "utf8"), "text/xml");
    const parser = new library.VASTParser();
    const ads = parser.parseVastXml(xml, { isRootVAST: true, allowMultipleAds: true });
    found.version = xml.documentElement.getAttribute("version");
    found.errors = parser.rootErrorURLTemplates;
    found.ads = ads.map(ad);
    if (problems.length) found.problems = problems;
  } catch (error) {
    found.failure = String(error.message ?? error);
  }
  console.log(JSON.stringify(found));
}

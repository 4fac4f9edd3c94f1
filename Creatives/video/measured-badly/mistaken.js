// Registers under a key that isn't its resource's, and fails as soon as it hears something.
addEventListener("message", () => { report.send("seen"); });
omidVerificationProperties.serviceWindow.postMessage({
  omid_message_guid: "mistaken-1", omid_message_method: "VerificationService.addSessionListener",
  omid_message_version: "1.6.0", omid_message_args: ["kestrel.example", omidVerificationProperties.injectionId],
}, "*");

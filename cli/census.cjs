#!/usr/bin/env node
// What a package manager installs as `census`. Plain JavaScript that every Node reads: an older one than Census needs is
// told so, instead of failing at the first thing that it does not know.
"use strict";

var needed = [24, 11];

function isOlder(version) {
  var parts = version.split(".").map(Number);
  return parts[0] < needed[0] || (parts[0] === needed[0] && parts[1] < needed[1]);
}

if (isOlder(process.versions.node)) {
  var found = process.versions.node + ", " + process.execPath;
  process.stderr.write("census: Node " + needed.join(".") + " or newer is needed; this is Node " + found + "\n");
  process.exitCode = 1;
} else {
  void import("./main.ts");
}

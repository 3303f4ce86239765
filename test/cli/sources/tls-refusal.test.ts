import { describe, expect, it } from "vitest";
import type { Contact } from "#cli/sources/contact.ts";
import { certificateRefusal } from "#cli/sources/tls-refusal.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";

const url = new URL("https://census.example.com:8081");
const site = createAuthority("Site CA");
const own = site.issue({ name: "web.example.com" });
const middle = site.subordinate("Site CA 2");
const below = middle.issue({ name: "below.example.com" });
const stranger = createAuthority("Other CA").issue({ name: "stranger.example.com" });
const expired = site.issue({ name: "old.example.com", from: hoursFromNow(-5), until: hoursFromNow(-1) });

const shown = ({ cert, key }: { cert: string; key: string }, ca?: string): Contact => ({
  urls: [url],
  cert,
  key,
  ...(ca === undefined ? {} : { ca }),
});
const nothing: Contact = { urls: [url], ca: site.cert };

/** The errors of Node for an alert, and for a connection that ends. */
const alert = (number: number): Error =>
  Object.assign(
    new Error(`407D:error:0A000418:SSL routines::tls alert:rec_layer_s3.c:918:SSL alert number ${number}\n`),
    {
      code: "ERR_SSL_SOME_ALERT",
    },
  );
const cut = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

describe("a server that refuses a client's certificate", () => {
  it.each<[what: string, contact: Contact, error: Error, expected: RegExp | undefined]>([
    [
      "by an alert, of an unknown authority",
      shown(stranger, site.cert),
      alert(48),
      /^the client certificate is signed by a CA that the server does not know \(CN=stranger\.example\.com, issued by CN=Other CA: it is not signed by the CA in --cacert/,
    ],
    [
      "by an alert, as bad",
      shown(own, site.cert),
      alert(42),
      /^the server rejected the client certificate \(CN=web\.example\.com, issued by CN=Site CA\)$/,
    ],
    ["by an alert, as revoked", shown(own, site.cert), alert(44), /^the client certificate is revoked \(CN=web/],
    ["for want of one", nothing, alert(116), /^the server requires a client certificate; use --cert and --key$/],
    ["for want of one, in TLS 1.2", nothing, alert(40), /^the server requires a client certificate/],
    [
      "without a word, of another authority",
      shown(stranger, site.cert),
      cut,
      /^the server closed the connection after receiving the client certificate \(CN=stranger\.example\.com, issued by CN=Other CA\): it is not signed by the CA in --cacert$/,
    ],
    ["without a word, expired", shown(expired, site.cert), cut, /: it expired on /],
    [
      "without a word, for a reason that cannot be seen",
      shown(own, site.cert),
      cut,
      /: the server may have rejected it$/,
    ],
    ["without a word, where no authority is named", shown(stranger), cut, /: the server may have rejected it$/],
    [
      "without a word, with its chain behind it",
      shown({ cert: below.cert + middle.cert, key: below.key }, site.cert),
      cut,
      /: the server may have rejected it$/,
    ],
    ["which was not shown", nothing, cut, undefined],
    ["for another reason", shown(own, site.cert), Object.assign(new Error("no"), { code: "ECONNREFUSED" }), undefined],
  ])("%s", (_what, contact, error, expected) => {
    expect(certificateRefusal(url, contact, error) ?? "").toMatch(expected ?? /^$/);
  });

  it("has no remark over plain HTTP", () => {
    expect(certificateRefusal(new URL("http://census"), shown(stranger, site.cert), cut)).toBeUndefined();
  });
});

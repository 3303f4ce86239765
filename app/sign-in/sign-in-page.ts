import { createHash } from "node:crypto";
import { explorerHeaders } from "../explorer/headers.ts";
import { contentType, type HttpResponse } from "../http/response.ts";

const style = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;padding:1rem;box-sizing:border-box}
main{width:100%;max-width:22rem}
h1{font-size:1.5rem}
label{display:block;margin-top:1rem}
input,button,a.button{box-sizing:border-box;width:100%;font:inherit;padding:.6rem;border:1px solid;border-radius:.4rem;min-height:44px}
button,a.button{margin-top:1.2rem;background:#1f5fa8;color:#fff;border-color:#1f5fa8;cursor:pointer;display:block;text-align:center;text-decoration:none}
:focus-visible{outline:3px solid #d98200;outline-offset:2px}
[role=alert]{border-left:4px solid #c0392b;padding:.2rem .8rem}
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `same-origin`: with `no-referrer`, browsers send forms with `Origin: null`. */
const headers = {
  ...explorerHeaders,
  "referrer-policy": "same-origin",
  "content-security-policy": policy,
  "content-type": contentType.html,
  "cache-control": "no-store",
};

export interface SignInPage {
  /** Where to go afterwards. */
  readonly to: string;
  /** What went wrong. */
  readonly problem?: string | undefined;
  /** The link to the provider; undefined: there is none. */
  readonly provider: string | undefined;
  /** Whether there are users with passwords. */
  readonly hasUsers: boolean;
}

/** The page on which people sign in. It works without JavaScript. */
export function signInPage({ to, problem, provider, hasUsers }: SignInPage, status = 200): HttpResponse {
  const form = `<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${escaped(to)}">
<label for="user">User name</label>
<input id="user" name="user" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`;
  const link =
    provider === undefined
      ? ""
      : `<a class="button" href="/sign-in/oidc?to=${encodeURIComponent(to)}">${escaped(provider)}</a>`;
  const nobody = "<p>Nobody can sign in yet: there are no users. See docs/sign-in.md.</p>";
  return page(`${alert(problem)}${link}${hasUsers ? form : link === "" ? nobody : ""}`, status);
}

/** What somebody sees who is signed in and may not use the service. */
export function deniedPage(problem: string, to: string): HttpResponse {
  const again = `<a class="button" href="/sign-in?to=${encodeURIComponent(to)}">Sign in as somebody else</a>`;
  return page(`${alert(problem)}${again}`, 403);
}

function page(content: string, status: number): HttpResponse {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in to Census</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Census</h1>
${content}
</main>
</body>
</html>
`;
  return { status, headers, body };
}

function alert(problem: string | undefined): string {
  return problem === undefined ? "" : `<p role="alert">${escaped(problem)}</p>\n`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

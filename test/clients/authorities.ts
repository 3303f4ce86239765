import { join } from "node:path";
import { run } from "./run.ts";

/**
 * Makes authorities and what they issue, with RSA keys as Puppet's own authority has them: `name.pem` and `name-key.pem` each.
 * @param authorities authority → certificate → common name, which is its DNS name as well
 * @throws Error with what openssl says when it fails
 */
export async function makeAuthorities(
  folder: string,
  authorities: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<void> {
  await Promise.all(
    Object.entries(authorities).map(async ([ca, issued]) => {
      await create(folder, ca, ["-subj", `/CN=${ca}`]);
      await Promise.all(Object.entries(issued).map(([name, commonName]) => issue(folder, ca, name, commonName)));
    }),
  );
}

function issue(folder: string, ca: string, name: string, commonName: string): Promise<void> {
  const signer = ["-CA", join(folder, `${ca}.pem`), "-CAkey", join(folder, `${ca}-key.pem`)];
  const extensions = [`subjectAltName=DNS:${commonName}`, "basicConstraints=critical,CA:FALSE"];
  return create(folder, name, [
    ...signer,
    "-subj",
    `/CN=${commonName}`,
    ...extensions.flatMap((extension) => ["-addext", extension]),
  ]);
}

async function create(folder: string, name: string, words: readonly string[]): Promise<void> {
  const files = ["-keyout", join(folder, `${name}-key.pem`), "-out", join(folder, `${name}.pem`)];
  const kind = ["req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2"];
  const { code, stderr } = await run("openssl", [...kind, ...words, ...files]);
  if (code !== 0) throw new Error(stderr);
}

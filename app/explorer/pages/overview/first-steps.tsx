import type { JSX } from "preact";
import { CopyButton } from "../frame/dialog.tsx";

/** Shown while nothing is stored: how data get here. */
export function FirstSteps(): JSX.Element {
  const { origin } = location;
  const steps: readonly (readonly [string, string])[] = [
    ["Send the facts of a node", firstCommand(origin)],
    ["Import an archive of PuppetDB or Census into this server", `census import export.tgz --url ${origin}`],
    ["Look at an archive without a server", "census open export.tgz"],
  ];
  return (
    <>
      <p>Nothing is stored yet. Data come in one of these ways:</p>
      <dl>
        {steps.map(([does, command]) => (
          <>
            <dt>{does}</dt>
            <dd>
              <code>{command}</code>{" "}
              <CopyButton class="plain" text={command} label={`Copy: ${command}`}>
                Copy
              </CopyButton>
            </dd>
          </>
        ))}
        <dt>Let agents report</dt>
        <dd>
          Name this server in <code>puppetdb.conf</code> of the Puppet servers: <code>server_urls = {origin}</code>
        </dd>
      </dl>
    </>
  );
}

function firstCommand(origin: string): string {
  const facts = {
    certname: "web-01.example.com",
    environment: "production",
    producer_timestamp: new Date().toISOString(),
    producer: "puppet.example.com",
    values: { kernel: "Linux" },
  };
  const url = `${origin}/pdb/cmd/v1?command=replace_facts&version=5&certname=${facts.certname}`;
  return `curl -X POST '${url}' -H 'Content-Type: application/json' -d '${JSON.stringify(facts)}'`;
}

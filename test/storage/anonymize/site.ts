import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveMembers } from "#fixtures/archive.ts";
import { populationCommands } from "#fixtures/population.ts";
import { type Anonymizer, createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import { anonymizedMembers } from "#storage/anonymize/archive.ts";
import { namesInArchive } from "#storage/anonymize/names-in-archive.ts";
import type { ProfileName } from "#storage/anonymize/profiles.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import { type WrittenMember } from "#storage/archive/written-member.ts";

/** When the site's archive was made. */
const MADE = "2026-11-20T12:00:00Z";

/** A file of an archive as text. */
export interface Member {
  readonly name: string;
  readonly body: string;
}

/** An archive of the generated population, and the same in other words. */
export interface Site {
  readonly path: string;
  readonly original: readonly Member[];
  /** The members under a profile, made with the salt of the site, and the file that contains them. */
  anonymized(profile: ProfileName): Promise<{ path: string; members: readonly Member[]; anonymizer: Anonymizer }>;
  remove(): void;
}

export const SALT: Uint8Array = Buffer.alloc(32, "the salt of the site");

export async function generatedSite(nodes: number): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "census-anonymize-"));
  const path = join(folder, "site.tgz");
  const options = { nodes, seed: 5, reportsPerNode: 3, baseTime: MADE, resources: 60, includeOddities: true };
  const original = [
    ...archiveMembers((only) => populationCommands({ ...options, only }), {
      timestamp: MADE,
      directory: "puppetdb-bak",
    }),
  ];
  await write(path, original);
  return {
    path,
    original,
    anonymized: async (profile) => {
      const anonymizer = createAnonymizer({ profile, salt: SALT, certnames: await namesInArchive(path) });
      const members: Member[] = [];
      for await (const { name, body } of anonymizedMembers(path, anonymizer))
        members.push({ name, body: String(body) });
      const out = join(folder, `${profile}.tgz`);
      await write(out, members);
      return { path: out, members, anonymizer };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function write(path: string, members: Iterable<WrittenMember>): Promise<void> {
  await writeArchiveFile(path, eventually(members), { format: "tar.gz", mtime: new Date(MADE) });
}

async function* eventually<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/**
 * Events of a run's servers as files that become evidence of its capture: facts of each server, as of a file of a support
 * folder (docs/contribute/decisions.md 352).
 */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { encodeFacts, noFacts } from "@aglens/evidence";
import type { EvidenceEvent } from "@aglens/evidence";
import { writeAside } from "../../kernel/write-aside.ts";

/** Events of one replica. */
export interface EvidenceFile {
  readonly replica: number;
  readonly path: string;
}

/** A server and its events, by its own clock. */
export interface ServerEvents {
  readonly replica: number;
  readonly server: string;
  readonly events: readonly EvidenceEvent[];
  /** Names of groups by their ids. */
  readonly groups: ReadonlyMap<string, string>;
}

const NAME = /^events_(\d+)\.json$/u;
const USE = "Used. Changes that polls of a live run saw, and events of AlwaysOn_health that it read.";

/** Writes a file for each server with events, in place of an earlier one. */
export async function writeEvidence(
  directory: string,
  servers: readonly ServerEvents[],
): Promise<EvidenceFile[]> {
  const files: EvidenceFile[] = [];
  for (const { replica, server, events, groups: known } of servers.filter((each) => each.events.length > 0)) {
    const name = evidenceName(server);
    const groups = [...known].map(([groupId, group]) => ({ groupId, name: group, file: name }));
    const facts = noFacts({
      name,
      kind: "alwaysOnHealth",
      server,
      serverFrom: "content",
      utcOffsetMinutes: null,
      use: USE,
      state: "used",
    });
    const path = join(directory, `events_${replica}.json`);
    await mkdir(directory, { recursive: true });
    await writeAside(path, encodeFacts({ ...facts, events, groups }));
    files.push({ replica, path });
  }
  return files;
}

/** Name of a server's events in a capture. */
export const evidenceName = (server: string): string =>
  `${server.replaceAll(/[^A-Za-z0-9_.-]/gu, "_")}_live_events.json`;

/** The files in a run's directory. */
export async function evidenceIn(directory: string): Promise<EvidenceFile[]> {
  const names = (await readdir(directory)).toSorted();
  return names.flatMap((name) => {
    const replica = NAME.exec(name)?.[1];
    return replica === undefined ? [] : [{ replica: Number(replica), path: join(directory, name) }];
  });
}

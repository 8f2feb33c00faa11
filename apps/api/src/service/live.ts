/** Live runs of this server, and data about those of others. */
import type { Logger } from "pino";
import type { Captures } from "../captures/captures.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ClusterMember } from "../live/cluster-member.ts";
import { Live } from "../live/live.ts";
import { readAllowList } from "../live/server/allow-list.ts";
import type { Patience } from "../live/server/connection.ts";
import { notesInFile } from "../live/server/left-notes.ts";
import type { NotesPlace } from "../live/server/left-notes.ts";
import type { Config } from "../settings/config.ts";
import { factsOfServer } from "../store/facts-of-server.ts";
import type { Facts } from "../store/facts-of-server.ts";
import type { OneOfSeveral } from "./one-of-several.ts";
import type { Stores } from "./stores.ts";

interface LiveServiceParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly captures: Captures;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly several: OneOfSeveral | undefined;
  readonly log: Logger;
}

/** Opens them, and begins to keep recorded data of an earlier process. @param closing closes opened parts */
export async function openLive(parts: LiveServiceParts, closing: AsyncDisposableStack): Promise<Live> {
  const { config, stores, captures, clock, patience, several, log } = parts;
  const leftNotes =
    several === undefined
      ? notesInFile(`${config.dataDirectory}/left-sessions.json`)
      : notesInFacts(stores.facts);
  const live = new Live({
    allowList: readAllowList(config),
    captures,
    directory: `${config.dataDirectory}/live`,
    keepBytes: config.liveKeepBytes,
    expectRoom: (bytes) => stores.space.expectRoom(bytes),
    log,
    clock,
    patience,
    memoryBytes: config.liveMemoryBytes,
    leftNotes,
    mostPerPerson: config.liveRunsPerPerson,
    among: several === undefined ? null : amongServers(several.name, stores),
  });
  closing.defer(() => live.close());
  await live.recover();
  return live;
}

/**
 * Sessions that runs of a server left on SQL Servers. All servers can read them, also those of a server that is
 * stopped.
 */
function notesInFacts(facts: Facts): NotesPlace {
  const name = "sessions left on servers";
  return { read: async () => (await facts.fact(name)) ?? "", write: (text) => facts.saveFact(name, text) };
}

function amongServers(name: string, { records: { catalogue, others } }: Stores): ClusterMember {
  return {
    name,
    others: async () =>
      (await others.list())
        .filter(({ isThis }) => !isThis)
        .map((server) => ({ ...server, leftNotes: notesInFacts(factsOfServer(catalogue, server.name)) })),
  };
}

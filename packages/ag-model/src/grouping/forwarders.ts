/**
 * Finds forwarders of distributed availability groups: the primary of the second group receives log blocks from the
 * global primary and sends the same blocks on. The form of its events is assumed (docs/evidence.md).
 */
import type { FileToGroup } from "./files.ts";
import type { ServerFiles } from "./servers.ts";

/** Fewer blocks may be due to a change of roles. */
const LEAST_FORWARDED = 10;

/** Servers of one capture, and those that belong to the second group of a distributed availability group. */
export interface PartedServers<File extends FileToGroup> {
  readonly servers: readonly ServerFiles<File>[];
  readonly forwarders: readonly ServerFiles<File>[];
  /** Secondaries of a forwarder. */
  readonly behind: readonly ServerFiles<File>[];
}

/**
 * Separates a forwarder and its secondaries from the servers of the first group; none without a file of the global
 * primary.
 */
export function partForwarders<File extends FileToGroup>(
  servers: readonly ServerFiles<File>[],
): PartedServers<File> {
  const forwarders = servers.filter((server) =>
    databasesOf(server).some(
      (id) => isForwarder(server, id) && servers.some((other) => isPrimary(other, id)),
    ),
  );
  const others = servers.filter((server) => !forwarders.includes(server));
  const ids = new Set(forwarders.flatMap((server) => server.ids));
  const behind = others.filter((server) => {
    const partners = server.files.flatMap(({ identity }) => identity.partnerIds);
    return partners.length > 0 && partners.every((id) => ids.has(id));
  });
  return { servers: others.filter((server) => !behind.includes(server)), forwarders, behind };
}

const evidenceOf = (
  { files }: ServerFiles<FileToGroup>,
  database: string,
): FileToGroup["identity"]["databases"] =>
  files.flatMap(({ identity }) => identity.databases.filter(({ id }) => id === database));

const databasesOf = ({ files }: ServerFiles<FileToGroup>): string[] => [
  ...new Set(files.flatMap(({ identity }) => identity.databases.map(({ id }) => id))),
];

const isForwarder = (server: ServerFiles<FileToGroup>, database: string): boolean =>
  evidenceOf(server, database).reduce((sum, { forwarded = 0 }) => sum + forwarded, 0) >= LEAST_FORWARDED;

const isPrimary = (server: ServerFiles<FileToGroup>, database: string): boolean =>
  !isForwarder(server, database) &&
  evidenceOf(server, database).some(({ primaryEvents }) => primaryEvents > 0);

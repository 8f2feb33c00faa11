/**
 * Replicas of the group that a run knows without attaching them: each is listed once, regardless of the name of its
 * server.
 */
import type { LiveKnownReplica, LiveServer } from "@aglens/contract";
import type { ReplicaProposal } from "../server/topology.ts";

/** Facts of an attachment about the server at its address. */
export interface AttachedServer {
  readonly address: Pick<LiveServer, "host" | "port" | "instance">;
  /** The server's own name, before that the group's, where the user chose it by that name; else the address. */
  readonly name: string;
  /** Whether the name is the server's own: then the address adds nothing. */
  readonly hasAnswered: boolean;
  readonly replicaId: string;
  readonly group: string;
  readonly topology: { readonly replicas: readonly ReplicaProposal[] };
}

/**
 * Replicas of the group in some server's views without an attachment, also without one that still connects or has
 * failed.
 * @param attached servers whose views have priority are first
 */
export function unattachedReplicas(attached: readonly AttachedServer[]): LiveKnownReplica[] {
  const known = new Map<string, LiveKnownReplica>();
  for (const { topology, group } of attached) {
    for (const { replicaId, serverName, group: of, role, commitMode } of topology.replicas) {
      const key = serverName.toLowerCase();
      if (of === group && !known.has(key)) known.set(key, { replicaId, name: serverName, role, commitMode });
    }
  }
  const names = [...known.values()].map(({ name }) => name);
  return [...known.values()].filter(
    (replica) => !attached.some((server) => isReplica(server, replica, names)),
  );
}

function isReplica(server: AttachedServer, replica: LiveKnownReplica, known: readonly string[]): boolean {
  if (server.replicaId === replica.replicaId || isSameName(server.name, replica.name)) return true;
  return !server.hasAnswered && addressNames(server.address, replica.name, known);
}

/**
 * Whether an address must be that of a replica_server_name (HOST or HOST\INSTANCE). A port leads to some instance of its
 * host, so it names a replica only where the group has one on that host. Nothing is concluded from an IP address.
 */
function addressNames(
  { host, port, instance }: AttachedServer["address"],
  serverName: string,
  known: readonly string[],
): boolean {
  const machine = machineOf(serverName);
  if (isIpAddress(host) || !isSameName(host.split(".", 1)[0] ?? "", machine)) return false;
  if (port !== undefined) return known.filter((name) => isSameName(machineOf(name), machine)).length === 1;
  return isSameName(serverName.split("\\")[1] ?? "", instance ?? "");
}

const machineOf = (serverName: string): string => serverName.split("\\", 1)[0] ?? "";
const isIpAddress = (host: string): boolean => host.includes(":") || /^[\d.]+$/u.test(host);

/** SQL Server compares names of servers without regard to case. */
export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

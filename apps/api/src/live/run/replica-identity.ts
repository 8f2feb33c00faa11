/** The server that a run found at an address, and its replica and group. */
import type { LiveReplica, LiveServer } from "@aglens/contract";
import { whereIs } from "../server/connection.ts";
import type { Row } from "../server/connection.ts";
import type { ReplicaProposal, ServerTopology } from "../server/topology.ts";

export class ReplicaIdentity {
  #address: LiveServer;
  /** The group's name for the server, from the user's choice. */
  #knownAs: string;
  #who: Row = {};
  #topology: ServerTopology = { replicas: [], databases: [], warnings: [] };
  #replica: ReplicaProposal | null = null;
  /** Group of the run; "" before it is known. */
  #chosenGroup = "";

  /** @param address from the user @param knownAs replica_server_name, where the user chose the replica by it */
  constructor(address: LiveServer, knownAs = "") {
    this.#address = address;
    this.#knownAs = knownAs;
  }

  /** Name of the server as it calls itself, before that as the group does, before that its address. */
  get name(): string {
    return this.#serverName ?? (this.#knownAs || whereIs(this.#address));
  }
  get address(): LiveServer {
    return this.#address;
  }
  /** Whether the server's own name is known. */
  get hasAnswered(): boolean {
    return this.#serverName !== null;
  }
  /** Its answer to WHO; empty before the first one. */
  get who(): Row {
    return this.#who;
  }
  /** Version of SQL Server: 12 is 2014. */
  get major(): number {
    return Number(this.#who["major_version"]);
  }
  /** Minutes that its clock is ahead of UTC; null while that is unknown. */
  get utcOffsetMinutes(): number | null {
    const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/u.exec(String(this.#who["local_now"])) ?? [];
    return sign === undefined ? null : (sign === "+" ? 1 : -1) * (60 * Number(hours) + Number(minutes));
  }
  get topology(): ServerTopology {
    return this.#topology;
  }
  get role(): ReplicaProposal["role"] {
    return this.#replica?.role ?? "unknown";
  }
  /** availability_replica_id; empty while it is unknown. */
  get replicaId(): string {
    return this.#replica?.replicaId ?? "";
  }
  /** Name of the group that the run reads; empty while it is unknown. */
  get group(): string {
    return this.#replica?.group ?? "";
  }
  get commitMode(): LiveReplica["commitMode"] {
    return this.#replica?.commitMode ?? "undetermined";
  }

  /** Whether an answer to WHO is of the server that was met first: a listener's name leads elsewhere after a failover. */
  isSame(who: Row): boolean {
    return this.#who["server_name"] === undefined || this.#who["server_name"] === who["server_name"];
  }

  /** The server turned out to be the one that another address led to: this is an address again, and no replica. */
  forgetServer(): void {
    this.#who = {};
    this.#knownAs = "";
  }

  /** The server is reached in another way from now on. */
  changeAddress(address: LiveServer, knownAs: string): void {
    this.#address = address;
    this.#knownAs = knownAs;
  }

  setWho(who: Row): void {
    this.#who = who;
  }

  setTopology(topology: ServerTopology): void {
    this.#topology = topology;
    this.#findReplica(this.#chosenGroup || this.group);
  }

  /** Selects this server's replica in a group; if it has none in a group of that name, its first one. */
  chooseGroup(group: string): void {
    this.#chosenGroup = group;
    this.#findReplica(group);
  }

  /** @returns whether that is news */
  setRole(role: "primary" | "secondary"): boolean {
    if (this.#replica === null || role === this.role) return false;
    this.#replica = { ...this.#replica, role };
    return true;
  }

  #findReplica(group: string): void {
    const own = this.#topology.replicas.filter((replica) => replica.isThisServer);
    const found = own.find((replica) => replica.group === group) ?? own[0] ?? null;
    // If the topology has no role, as for a login without permission to see definitions, the role of the polls is used.
    this.#replica = found?.role === "unknown" ? { ...found, role: this.role } : found;
  }

  get #serverName(): string | null {
    const name = this.#who["server_name"];
    return typeof name === "string" && name !== "" ? name : null;
  }
}

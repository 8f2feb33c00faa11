/** Replicas of a watch in its form, and the rights of its login on each of them. */
import type { LiveCheck, LiveReplicaProposal, MissingPermission, Watch, WatchCheck } from "@aglens/contract";
import { attachTexts } from "../../../messages/attach.ts";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { addressOf, NO_ADDRESS, type ServerAddress, serverOf } from "../../server-form/server-address.ts";

export interface ReplicaForm {
  readonly key: string;
  readonly address: ServerAddress;
  /** replica_server_name. */
  readonly serverName: string;
  readonly role: LiveReplicaProposal["role"];
  readonly commitMode: LiveReplicaProposal["commitMode"];
}

/** Rights of the login on a server. */
export interface Rights {
  /** Null where it is unknown. */
  readonly maySignIn: boolean | null;
  readonly mayWatch: boolean | null;
  readonly mayRecord: boolean | null;
  /** Name of the login on the server; "" where it is unknown. */
  readonly login: string;
  /** Name of the server that answered; "" without an answer. */
  readonly serverName: string;
  readonly missing: readonly MissingPermission[];
  /** Why nothing more is known, and the next step; null with an answer. */
  readonly problem: string | null;
}

export type RightsState =
  | { readonly is: "open" }
  /** `before` is the answer to the request before; null without one. */
  | { readonly is: "asking"; readonly before: Rights | null }
  | { readonly is: "known"; readonly rights: Rights };
/** By key of a replica. */
export type RightsOf = Readonly<Record<string, RightsState>>;

const NOT_ASKED: RightsState = { is: "open" };
export const rightsAt = (rights: RightsOf, { key }: Pick<ReplicaForm, "key">): RightsState =>
  rights[key] ?? NOT_ASKED;

/** The last answer; null before the first. */
export function lastRights(state: RightsState): Rights | null {
  if (state.is === "known") return state.rights;
  return state.is === "asking" ? state.before : null;
}

export const rightsOfCheck = ({ maySignIn, mayWatch, mayRecord, problem, answer }: WatchCheck): Rights => ({
  maySignIn: problem === null ? maySignIn : problem.code === LOGIN_REFUSED ? false : null,
  mayWatch: answer === null ? null : mayWatch,
  mayRecord: answer === null ? null : mayRecord,
  login: answer?.login ?? "",
  serverName: answer?.serverName ?? "",
  missing: answer?.missing ?? [],
  problem: problem?.detail ?? null,
});

/** With other problems nothing is known of the login. */
const LOGIN_REFUSED = "live-login-refused";

/** The request itself failed. */
export const rightsUnknown = (sentence: string): Rights => ({
  maySignIn: null,
  mayWatch: null,
  mayRecord: null,
  login: "",
  serverName: "",
  missing: [],
  problem: sentence,
});

/** Rights that a watch found, until they are asked again. */
export function watchedRights(
  { replicas }: Pick<Watch, "replicas">,
  forms: readonly ReplicaForm[],
): RightsOf {
  const known = forms.flatMap(({ key }, i) => {
    const replica = replicas[i];
    if (replica === undefined || (replica.polled === null && replica.problem === null)) return [];
    const { problem, missing, serverName } = replica;
    const isPolled = problem === null;
    const rights: Rights = {
      maySignIn: isPolled ? true : null,
      mayWatch: isPolled ? true : null,
      mayRecord: missing === null ? null : !missing.some(({ blocking }) => blocking),
      login: "",
      serverName,
      missing: missing ?? [],
      problem: problem?.detail ?? null,
    };
    return [[key, { is: "known", rights } as const] as const];
  });
  return Object.fromEntries(known);
}

/** Replicas of a watch that exists. */
export const watchedForms = ({
  definition,
  replicas,
}: Pick<Watch, "definition" | "replicas">): ReplicaForm[] =>
  definition.replicas.map(({ server, serverName }, i) => ({
    key: `watched-${i}`,
    address: addressOf(server),
    serverName: serverName || (replicas[i]?.serverName ?? "") || server.host,
    role: replicas[i]?.role ?? "unknown",
    commitMode: replicas[i]?.commitMode ?? "undetermined",
  }));

/** Groups of a server that answered. Without VIEW ANY DEFINITION they have no names, and can't be chosen. */
export const groupsIn = ({ replicas }: Pick<LiveCheck, "replicas">): string[] => [
  ...new Set(replicas.map(({ group }) => group).filter((group) => group !== "")),
];

/**
 * Replicas of a group as its server names them, the primary first. The server itself keeps the typed address, others
 * have its options.
 */
export function replicasIn(
  typed: ServerAddress,
  { replicas }: Pick<LiveCheck, "replicas">,
  group: string,
): ReplicaForm[] {
  const rank = ({ role }: LiveReplicaProposal): number => (role === "primary" ? 0 : 1);
  return replicas
    .filter((replica) => replica.group === group)
    .toSorted((a, b) => rank(a) - rank(b) || a.serverName.localeCompare(b.serverName))
    .map(({ replicaId, serverName, role, commitMode, isThisServer }) => ({
      key: replicaId,
      // The name in a certificate is of one server.
      address: isThisServer ? typed : { ...NO_ADDRESS, ...typed, certificateName: "", server: serverName },
      serverName,
      role,
      commitMode,
    }));
}

/** A cell of the table of rights. */
export interface RightCell {
  readonly text: string;
  readonly kind: "granted" | "missing" | "unknown";
}

export interface RightCells {
  readonly signIn: RightCell;
  readonly watch: RightCell;
  readonly record: RightCell;
}

/** Permissions that polls need begin with these words; other blocking ones are for the event session. */
const TO_WATCH = "VIEW SERVER";

/** Permissions that block polls, and those that block recordings alone. */
export function missingIn({ missing }: Pick<Rights, "missing">) {
  const blocking = missing.filter((each) => each.blocking);
  const isToWatch = ({ permission }: MissingPermission): boolean => permission.startsWith(TO_WATCH);
  return { toWatch: blocking.filter(isToWatch), toRecord: blocking.filter((each) => !isToWatch(each)) };
}

export function cellsOf(state: RightsState): RightCells {
  if (state.is !== "known") {
    const text = state.is === "asking" ? texts.asking : texts.notAsked;
    const cell: RightCell = { text, kind: "unknown" };
    return { signIn: cell, watch: { ...cell, text: "–" }, record: { ...cell, text: "–" } };
  }
  const { rights } = state;
  const { toWatch, toRecord } = missingIn(rights);
  return {
    signIn: cellOf(rights.maySignIn, rights.login || texts.signsIn, texts.refused),
    watch: cellOf(rights.mayWatch, texts.granted, attachTexts.rightsMissing(Math.max(1, toWatch.length))),
    record: cellOf(
      rights.mayRecord,
      texts.granted,
      attachTexts.rightsMissing(Math.max(1, toRecord.length || toWatch.length)),
    ),
  };
}

function cellOf(isGranted: boolean | null, granted: string, missing: string): RightCell {
  if (isGranted === null) return { text: "–", kind: "unknown" };
  return isGranted ? { text: granted, kind: "granted" } : { text: missing, kind: "missing" };
}

/** The next step of a person for a replica, in a sentence; null where only rights are missing. */
export function problemWith({ serverName, address }: ReplicaForm, state: RightsState): string | null {
  const rights = lastRights(state);
  const { problem = null, serverName: answered = "" } = rights ?? {};
  if (problem !== null) return problem;
  if (answered !== "" && !isSameName(answered, serverName))
    return attachTexts.thisServerIsGive(answered, serverName);
  return isListener(address, serverName) ? texts.addressMoves(address.server, serverName) : null;
}

const isSameName = (a: string, b: string): boolean => a.localeCompare(b, "en", { sensitivity: "base" }) === 0;

/** SQL Server cuts longer host names. */
const NETBIOS_LENGTH = 15;

/** Whether an address is another name than the server's: a listener would lead to another replica after a failover. */
function isListener(address: ServerAddress, serverName: string): boolean {
  const host = serverOf(address)?.host ?? "";
  if (host === "" || host === "localhost" || /^[\d.]+$|:/u.test(host)) return false;
  const short = (name: string): string => (name.split(/[.\\]/u, 1)[0] ?? "").slice(0, NETBIOS_LENGTH);
  return !isSameName(short(host), short(serverName));
}

/** Sentences about replicas that can't be polled or recorded, and whether all of them were asked. */
export function warningsOf(
  replicas: readonly ReplicaForm[],
  rights: RightsOf,
): { readonly warnings: readonly string[]; readonly isAsked: boolean } {
  const found = replicas.flatMap((replica) => {
    const known = lastRights(rightsAt(rights, replica));
    return known === null ? [] : [{ replica, known }];
  });
  const warnings = found.flatMap(({ replica: { serverName, role }, known }) => {
    const { mayWatch, mayRecord, problem } = known;
    if (problem !== null || mayWatch === false) return [texts.canNotWatch(serverName)];
    if (mayRecord !== false) return [];
    return [role === "primary" ? texts.canNotRecordPrimary(serverName) : texts.canNotRecord(serverName)];
  });
  const isWithoutPrimary = replicas.length > 0 && !replicas.some(({ role }) => role === "primary");
  const isRoleKnown = replicas.some(({ role }) => role !== "unknown");
  return {
    warnings: [...(isWithoutPrimary && isRoleKnown ? [texts.noPrimary] : []), ...warnings],
    isAsked: found.length === replicas.length && found.every(({ known }) => known.mayRecord !== null),
  };
}

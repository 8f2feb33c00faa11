/**
 * Events that a server's session does not record, or its version does not have: the facts that only they show are
 * unknown.
 */
import { EventKind, EventName } from "../../events/index.ts";
import type { Server } from "../prepare/server.ts";
import type { Role } from "../shapes/tables.ts";

/** Fewer log_block_ids than this, ends of blocks among them, may lack an event by chance. */
const LEAST_BLOCKS = 20;

type Short = keyof typeof EventName;

/**
 * Events that every log block has on its primary, and on its secondaries; a warning of its own covers arrived
 * acknowledgments.
 */
const OF_EACH_BLOCK: Readonly<Record<Role, readonly Short[]>> = {
  primary: ["commit", "flushStart", "flushComplete", "capture", "sendComplete"],
  secondary: ["transportReceive", "flushStart", "flushComplete", "sendHarden", "ackSendComplete"],
};

/** Events of each role that show when a block and its acknowledgment left and arrived. */
const OF_CLOCKS: typeof OF_EACH_BLOCK = {
  primary: ["capture", "receiveHarden"],
  secondary: ["transportReceive", "sendHarden"],
};

/** Names of the events for comparing a server's clock with others that none of its files has. */
export const lackingForClocks = (server: Examined, roles: readonly Role[]): string[] =>
  lackingOf(OF_CLOCKS, server, roles);

/** Events in a sentence: `a, b, or c`. */
export const anyOf = (events: readonly string[]): string =>
  new Intl.ListFormat("en-US", { type: "disjunction" }).format(events);

type Examined = Pick<Server, "examples" | "blocks" | "withoutCounter">;

/**
 * Names of the events that none of a server's files has although it had the role; empty for an engine without
 * start_timestamp, which has fewer events.
 */
export const lackingEvents = (server: Examined, roles: readonly Role[]): string[] =>
  lackingOf(OF_EACH_BLOCK, server, roles);

function lackingOf(
  expected: typeof OF_EACH_BLOCK,
  { examples, blocks, withoutCounter }: Examined,
  roles: readonly Role[],
): string[] {
  if (withoutCounter || blocks.length < LEAST_BLOCKS) return [];
  const present = new Set<number>(examples.kind);
  const wanted = new Set(roles.flatMap((role) => expected[role]));
  return [...wanted].filter((name) => !present.has(EventKind[name])).map((name) => EventName[name]);
}

/** The roles of a replica in the phases of a capture. */
export const rolesOf = (phases: readonly { readonly primary: number }[], replica: number): Role[] => [
  ...(phases.some(({ primary }) => primary === replica) ? (["primary"] as const) : []),
  ...(phases.some(({ primary }) => primary !== replica) ? (["secondary"] as const) : []),
];

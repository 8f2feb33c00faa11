/** Reading a session's event stream, row by row (docs/contribute/live-protocol.md 6). */
import type { StreamRow } from "xel-parser/format";
import { pause } from "../../kernel/clock.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Connection } from "../server/connection.ts";
import { failureOf, LiveFailure } from "../server/failure.ts";
import { STREAM } from "../server/sql.ts";

/**
 * A server may ignore a cancellation that arrives before it began the statement (docs/contribute/live-protocol.md 3.3).
 */
const SETTLE_MS = 60;
const CANCEL_MS = 2_000;

interface Cell {
  readonly value: unknown;
}

export interface EventStream {
  /** Rejects with the LiveFailure that ended the stream; resolves when it was stopped from here. */
  readonly ended: Promise<void>;
  /** Ends the stream and closes its connection. */
  stop(): Promise<void>;
}

/**
 * Opens the stream of a started session on a connection of its own.
 * @param onRow must return at once: the server disconnects a slow reader
 */
export async function openStream(
  connection: Connection,
  session: string,
  clock: Clock,
  onRow: (row: StreamRow) => void,
): Promise<EventStream> {
  const { Request, TYPES } = await import("tedious");
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  // The caller may await the end later.
  ended.catch(() => {});
  let stopping = false;
  const opened = clock.now();
  const request = new Request(STREAM, (error) => {
    if (stopping) resolve();
    else reject(endOf(error, connection.where));
  });
  request.addParameter("source", TYPES.NVarChar, session, { length: 260 });
  // The first row may take as long as the first event does.
  request.setTimeout(0);
  request.on("row", ([type, data]: readonly [Cell, Cell]) => {
    if (data.value instanceof Uint8Array) onRow({ type: Number(type.value), data: data.value });
  });
  connection.driver.execSql(request);
  return {
    ended,
    stop: async () => {
      stopping = true;
      await pause(clock, SETTLE_MS - (clock.now() - opened));
      request.cancel();
      await Promise.race([ended.catch(() => {}), pause(clock, CANCEL_MS)]);
      connection.close();
    },
  };
}

/** Every end that was not asked for is a failure: the stream has no end of its own. */
function endOf(error: unknown, where: string): LiveFailure {
  const lost = new LiveFailure("live-connection-lost", `The connection to ${where} was lost.`);
  if (!error) return lost;
  const failure = failureOf(error, where);
  return failure.code === "live-unreachable" ? lost : failure;
}

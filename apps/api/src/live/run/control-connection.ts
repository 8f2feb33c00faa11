/** Additions to the driver for a run's statements: order, and an end. */
import type { Connection } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";

/** The connection with its statements one after the other, in the order in which they are asked: it runs one at a time. */
export function inTurn(connection: Connection): Connection {
  let last: Promise<unknown> = Promise.resolve();
  const next = <T>(send: () => Promise<T>): Promise<T> => {
    const answer = last.then(send);
    last = answer.catch(() => {});
    return answer;
  };
  return {
    ...connection,
    query: (...given) => next(() => connection.query(...given)),
    execute: (sql) => next(() => connection.execute(sql)),
  };
}

/**
 * The connection until the signal aborts: a running statement is then cancelled at the server, and no other is sent.
 */
export function until(signal: AbortSignal, connection: Connection): Connection {
  const ended = (): LiveFailure =>
    new LiveFailure("live-connection-lost", `The run ended before ${connection.where} answered.`);
  const send = async <T>(statement: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw ended();
    const cancel = (): void => void connection.driver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await statement();
    } catch (error) {
      throw signal.aborted ? ended() : error;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
  return {
    ...connection,
    query: (...given) => send(() => connection.query(...given)),
    execute: (sql) => send(() => connection.execute(sql)),
  };
}

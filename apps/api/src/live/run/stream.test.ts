import type { EventEmitter } from "node:events";
import { TestClock } from "@aglens/fixtures/clock";
import type { StreamRow } from "xel-parser/format";
import { expect, test, vi } from "vitest";
import type { Connection } from "../server/connection.ts";
import { STREAM } from "../server/sql.ts";
import { openStream } from "./stream.ts";

interface AskedRequest extends EventEmitter {
  readonly sqlTextOrProcedure: string;
  readonly timeout: number;
  readonly parameters: readonly object[];
  readonly callback: (error?: Error) => void;
  canceled: boolean;
}

/** A stream on a connection that only remembers. */
async function streamOf(clock: TestClock) {
  const asked: AskedRequest[] = [];
  const rows: StreamRow[] = [];
  const close = vi.fn<() => void>();
  const driver = { execSql: (request: AskedRequest) => asked.push(request) };
  const connection = { where: "sql1:1433", driver, close } as unknown as Connection;
  const stream = await openStream(connection, "AGLens_1", clock, (row) => rows.push(row));
  return { stream, request: asked[0]!, rows, close };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("asks for the session's stream and waits for its first row as long as it takes", async () => {
  const { request } = await streamOf(new TestClock());
  expect(request.sqlTextOrProcedure).toBe(STREAM);
  expect(request.timeout).toBe(0);
  expect(request.parameters).toMatchObject([{ name: "source", value: "AGLens_1", length: 260 }]);
});

test("hands on rows with bytes, and no others", async () => {
  const { request, rows } = await streamOf(new TestClock());
  const data = new Uint8Array([1, 2]);
  request.emit("row", [{ value: "1" }, { value: data }]);
  request.emit("row", [{ value: 0 }, { value: null }]);
  expect(rows).toEqual([{ type: 1, data }]);
});

test.each([
  ["without an error", undefined, "live-connection-lost"],
  ["with the server's error", Object.assign(new Error("stopped"), { number: 25727 }), "live-session-stopped"],
])("an end that was not asked for is a failure, %s", async (_, error, code) => {
  const { stream, request } = await streamOf(new TestClock());
  request.callback(error);
  await expect(stream.ended).rejects.toMatchObject({ code });
});

test("is not cancelled before the server can have begun it, then its connection is closed", async () => {
  const clock = new TestClock();
  const { stream, request, close } = await streamOf(clock);
  clock.move(20);
  const stopping = stream.stop();
  clock.move(39);
  await settled();
  expect(request.canceled).toBe(false);
  clock.move(1);
  await settled();
  expect(request.canceled).toBe(true);
  expect(close).not.toHaveBeenCalled();
  request.callback(new Error("Canceled."));
  await stopping;
  await stream.ended;
  expect(close).toHaveBeenCalledTimes(1);
});

test("is cancelled at once when it has been open for a while; a server that does not answer is left after 2 s", async () => {
  const clock = new TestClock();
  const { stream, request, close } = await streamOf(clock);
  clock.move(10_000);
  const stopping = stream.stop();
  clock.move(0);
  await settled();
  expect(request.canceled).toBe(true);
  clock.move(1_999);
  await settled();
  expect(close).not.toHaveBeenCalled();
  clock.move(1);
  await stopping;
  expect(close).toHaveBeenCalledTimes(1);
});

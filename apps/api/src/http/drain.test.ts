import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import pino from "pino";
import { Drain } from "./drain.ts";
import { problemHandler } from "./problem-handler.ts";
import { requestLog } from "./request-log.ts";
import { until } from "../../test/until.ts";

let clock: TestClock;
let drain: Drain;
let server: Server;
let address: string;
/** Sends the answers for requests under /slow. */
let answer: () => void;
let begun: number;

beforeEach(async () => {
  clock = new TestClock();
  drain = new Drain(clock);
  begun = 0;
  const app = express();
  app.use(requestLog(pino({ level: "silent" }), () => {}));
  app.use(drain.watch);
  app.get("/slow", (_request, response) => {
    begun += 1;
    answer = () => void response.send("whole");
  });
  app.get("/events", (_request, response) => {
    begun += 1;
    response.type("text/event-stream").write(": begun\n\n");
  });
  app.use(problemHandler);
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const hasBegun = (): Promise<void> => until(() => begun === 1);

/** Whether a promise has settled, once everything that could settle it had its turn. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise(setImmediate);
  return settled;
}

test("an answer under way comes whole, and what comes meanwhile is sent away", async () => {
  const slow = fetch(`${address}/slow`);
  await hasBegun();
  const ended = drain.end(10_000);
  const refused = await fetch(`${address}/slow`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ code: "ending" });
  expect(await isSettled(ended)).toBe(false);
  answer();
  expect(await (await slow).text()).toBe("whole");
  await ended;
  expect(clock.waiting).toBe(0);
});

test("before that all is answered as ever, while it says that it ends", async () => {
  const left = drain.leave(4_000);
  expect(drain.isEnding).toBe(true);
  const slow = fetch(`${address}/slow`);
  await hasBegun();
  answer();
  expect(await (await slow).text()).toBe("whole");
  clock.move(3_999);
  expect(await isSettled(left)).toBe(false);
  clock.move(1);
  await left;
});

test("nobody waits longer than the limit", async () => {
  const slow = fetch(`${address}/slow`).catch(() => "cut");
  await hasBegun();
  const ended = drain.end(10_000);
  clock.move(9_999);
  expect(await isSettled(ended)).toBe(false);
  clock.move(1);
  await ended;
  server.closeAllConnections();
  expect(await slow).toBe("cut");
});

test("streams of events, which never end, are not waited for", async () => {
  const stream = await fetch(`${address}/events`);
  await hasBegun();
  await drain.end(10_000);
  expect(drain.isEnding).toBe(true);
  await stream.body?.cancel();
});

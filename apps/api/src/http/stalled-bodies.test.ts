import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { TestClock } from "@aglens/fixtures/clock";
import type { Request, Response } from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { stalledBodies } from "./stalled-bodies.ts";
import { until } from "../../test/until.ts";

let clock: TestClock;
let service: TestService;
let server: Server;
let requests: number;
let connections: Socket[];
beforeEach(async () => {
  clock = new TestClock();
  service = await testService({}, stubAnalyzer(), { clock });
  requests = 0;
  connections = [];
  server = createServer((request, response) => {
    requests += 1;
    service.app(request, response);
  }).listen(0, "127.0.0.1");
  server.on("connection", (socket) => connections.push(socket));
  await once(server, "listening");
});
afterEach(async () => {
  server.close();
  await service.end();
});

/** A connection on which a text was sent, with the complete answer. */
async function sent(text: string): Promise<{ readonly socket: Socket; readonly answer: () => string }> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes: Buffer) => {
    answer += bytes.toString();
  });
  socket.write(text);
  await until(() => requests === 1);
  return { socket, answer: () => answer };
}

/** Waits for the state, for as long as a busy machine may need. */

const headers = (path: string, type: string): string =>
  `POST /api/v1${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 10\r\n\r\n`;
const upload = (id: string): string =>
  headers(`/captures/${id}/files?name=a.xel`, "application/octet-stream");
const incoming = (): Promise<string[]> => readdir(join(service.config.dataDirectory, "incoming"));

test("an upload that stops coming is ended after 60 s, with its reason, and leaves nothing", async () => {
  const { id } = await service.captures.create();
  const { socket, answer } = await sent(`${upload(id)}abc`);
  await until(async () => (await incoming()).length === 1);
  clock.move(60_000);
  // The first look may have been before the last bytes.
  clock.move(10_000);
  await once(socket, "close");
  expect(answer()).toContain("HTTP/1.1 408");
  expect(answer()).toContain('"code":"body-stalled"');
  expect(answer()).toContain("Nothing more of the body came for 60 seconds. Send the request again.");
  await until(async () => (await incoming()).length === 0);
  expect((await service.captures.get(id)).files).toEqual([]);
});

test("a JSON body that stops coming is ended too", async () => {
  const { socket, answer } = await sent(`${headers("/captures", "application/json")}{"`);
  clock.move(70_000);
  await once(socket, "close");
  expect(answer()).toContain("HTTP/1.1 408");
});

test("a body that comes slowly has all the time it needs", async () => {
  const { id } = await service.captures.create();
  const { socket, answer } = await sent(upload(id));
  await until(async () => (await incoming()).length === 1);
  for (let byte = 0; byte < 9; byte += 1) {
    const before = serverBytes();
    socket.write("a");
    await until(() => serverBytes() > before);
    clock.move(50_000);
  }
  expect(answer()).toBe("");
  socket.write("a");
  await until(() => answer().includes("HTTP/1.1 201"));
  socket.destroy();
});

test("what was sent whole may be answered late", async () => {
  const { socket, answer } = await sent("GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await until(() => answer().includes('{"status":"ok"}'));
  clock.move(200_000);
  expect(socket.closed).toBe(false);
  socket.destroy();
});

test("where the answer has begun already, the connection is closed without another", async () => {
  const { watch, end } = stalledBodies(clock);
  const begun = createServer((request, response) => {
    watch(request as Request, response as Response, () => response.write("begun"));
  }).listen(0, "127.0.0.1");
  await once(begun, "listening");
  const socket = connect((begun.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes: Buffer) => (answer += bytes.toString()));
  socket.on("error", () => {});
  socket.write(`${headers("/captures", "application/json")}{"`);
  await until(() => answer.includes("begun"));
  const closed = once(socket, "close");
  clock.move(70_000);
  await closed;
  expect(answer).not.toContain("body-stalled");
  end();
  begun.close();
});

/** Bytes that the server has got on all its connections. */
function serverBytes(): number {
  return connections.reduce((sum, socket) => sum + socket.bytesRead, 0);
}

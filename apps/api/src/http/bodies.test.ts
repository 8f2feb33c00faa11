import { once } from "node:events";
import { createServer, request as ask } from "node:http";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { piecesOf, usedUp } from "./bodies.ts";

const MIB = 1024 * 1024;
const KB = 1024;

let take: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const server = createServer({ highWaterMark: 64 * KB }, (request, response) => take(request, response));
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** A request whose body is still to be written, with its arrival. */
async function coming(): Promise<{
  readonly sender: ClientRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}> {
  const arrived = Promise.withResolvers<[IncomingMessage, ServerResponse]>();
  take = (...both) => arrived.resolve(both);
  const { port } = server.address() as AddressInfo;
  const sender = ask({ port, host: "127.0.0.1", method: "PUT" });
  sender.on("error", () => {});
  sender.flushHeaders();
  const [request, response] = await arrived.promise;
  return { sender, request, response };
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
}

const bytes = Buffer.from(Array.from({ length: 5 * MIB }, (_, i) => (i * 7 + (i >> 8)) & 255));

test("all bytes come, in their order", async () => {
  const { sender, request, response } = await coming();
  const all = collected(usedUp(piecesOf(request)));
  sender.end(bytes);
  expect((await all).equals(bytes)).toBe(true);
  response.end();
});

test("a body of no bytes has no piece, also when it has come before anybody asks", async () => {
  const { sender, request, response } = await coming();
  sender.end();
  await pause(20);
  expect(await collected(piecesOf(request))).toHaveLength(0);
  response.end();
});

test("the client has to wait while nobody asks, and what waited is one piece", async () => {
  const { sender, request, response } = await coming();
  const pieces = piecesOf(request);
  sender.write(bytes.subarray(0, 10));
  expect((await pieces.next()).value).toHaveLength(10);
  sender.write(bytes);
  await pause(100);
  const { value } = await pieces.next();
  expect(value?.byteLength).toBeGreaterThanOrEqual(256 * KB);
  expect(value?.byteLength).toBeLessThan(512 * KB);
  await pieces.return(undefined);
  response.end();
  sender.destroy();
});

test("of a body that breaks off what came is there, then it is said", async () => {
  const { sender, request } = await coming();
  const pieces = piecesOf(request);
  sender.write(bytes.subarray(0, 100));
  expect((await pieces.next()).value).toHaveLength(100);
  sender.destroy();
  await expect(pieces.next()).rejects.toThrow(/aborted|premature/iu);
});

test("a body that is left half-way can still be answered", async () => {
  const { sender, request, response } = await coming();
  const answered = once(sender, "response") as Promise<[IncomingMessage]>;
  sender.write(bytes);
  for await (const piece of piecesOf(request)) if (piece.byteLength > 0) break;
  response.writeHead(413).end();
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(413);
  sender.destroy();
});

test("memory is given back once the next piece is asked for, but not of pieces that lie in another's", async () => {
  const room = new Uint8Array(8);
  const [first, second] = [new Uint8Array(100_000).fill(1), room.subarray(2, 4)];
  const pieces = usedUp(Readable.from([first, second]));
  expect((await pieces.next()).value).toBe(first);
  expect(first).toHaveLength(100_000);
  await pieces.next();
  expect(first).toHaveLength(0);
  await pieces.next();
  expect(second).toHaveLength(2);
  expect(room).toHaveLength(8);
});

test("chunks that were put into one piece are given back at once", async () => {
  const { sender, request, response } = await coming();
  const chunks: Buffer[] = [];
  request.prependListener("data", (chunk: Buffer) => chunks.push(chunk));
  const pieces = piecesOf(request);
  sender.end(bytes);
  await pieces.next();
  await pause(50);
  const { value } = await pieces.next();
  expect(chunks.length).toBeGreaterThan(2);
  expect(value?.byteLength).toBeGreaterThan(0);
  expect(chunks.slice(1, 3).map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  await pieces.return(undefined);
  response.end();
  sender.destroy();
});

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openBucket } from "./bucket.ts";
import type { Bucket } from "./bucket.ts";

/** Accepts connections, and sends the result of `answer` on them. */
let answer: (socket: Socket, request: string) => void;
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket.on("error", () => {}));
  socket.once("data", (bytes) => answer(socket, bytes.toString()));
});
let bucket: Bucket;
beforeEach(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (const name of ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, "none");
  bucket = openBucket("s3://aglens/", pino({ level: "silent" }), { silentMs: 50 });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  bucket.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
});

const UNREACHABLE = { problem: { code: "bucket-unreachable" } };

test("a list of several pages is read to its end", async () => {
  answer = (socket, request) => {
    const isSecond = request.includes("continuation-token=next");
    const [key, next] = isSecond ? ["b", ""] : ["a", "<NextContinuationToken>next</NextContinuationToken>"];
    const page = `<ListBucketResult><Contents><Key>${key}</Key><Size>1</Size></Contents>${next}</ListBucketResult>`;
    socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
  };
  expect((await bucket.list("")).map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a server that takes a request and says nothing is given up", async () => {
  answer = () => {};
  await expect(bucket.check()).rejects.toMatchObject(UNREACHABLE);
});

test("a server that says nothing more in the middle of an object is given up by its reader", async () => {
  answer = (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabc");
  const bytes = await bucket.get("a");
  const read = async (): Promise<void> => {
    for await (const _ of bytes ?? []) continue;
  };
  await expect(read()).rejects.toMatchObject(UNREACHABLE);
});

test("of a range behind the end of an object there are no bytes: it is shorter than it was", async () => {
  answer = (socket) => {
    const refusal = "<Error><Code>InvalidRange</Code></Error>";
    socket.end(`HTTP/1.1 416 No\r\nconnection: close\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`);
  };
  const bytes = await bucket.get("a", { offset: 6, length: 1 });
  expect(bytes && (await buffer(bytes))).toHaveLength(0);
});

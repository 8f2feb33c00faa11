import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import { gone } from "./gone.ts";

test.each(["before", "after"])("a client that leaves %s it is looked for is gone", async (when) => {
  const found = Promise.withResolvers<boolean>();
  const app = express();
  app.get("/", (_, response) => {
    const early = when === "after" ? gone(response) : null;
    response.on("close", () => setImmediate(() => found.resolve((early ?? gone(response)).aborted)));
    client.destroy();
  });
  const server = createServer(app).listen(0);
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await found.promise).toBe(true);
  server.close();
});

/** A proxy that sends each request to the next of several servers, as one without "sticky" sessions does. */
import { createServer, request as send } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface RoundRobin {
  /** Such as http://127.0.0.1:4000 */
  readonly address: string;
  /** Requests that each server got. */
  readonly counts: readonly number[];
  end(): Promise<void>;
}

/** @param servers handlers of the servers */
export async function roundRobin(servers: readonly RequestListener[]): Promise<RoundRobin> {
  const counts = servers.map(() => 0);
  let next = 0;
  const server = createServer((request, response) => {
    const turn = next;
    next = (next + 1) % servers.length;
    counts[turn] = (counts[turn] ?? 0) + 1;
    servers[turn]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    end: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Forwards requests to a server of another process. @param address such as http://127.0.0.1:4000 */
export function serverAt(address: string): RequestListener {
  return (request, response) => {
    const { method, headers, url = "/" } = request;
    const sent = send(new URL(url, address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    request.pipe(sent);
  };
}

/** A proxy that gives each request to the next of several servers, as one without "sticky" sessions does. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";

export interface RoundRobin {
  /** Such as http://127.0.0.1:4000 */
  readonly address: string;
  /** Requests that each server got. */
  readonly counts: readonly number[];
  end(): Promise<void>;
}

export async function roundRobin(apps: readonly Express[]): Promise<RoundRobin> {
  const counts = apps.map(() => 0);
  let next = 0;
  const server = createServer((request, response) => {
    const turn = next;
    next = (next + 1) % apps.length;
    counts[turn] = (counts[turn] ?? 0) + 1;
    apps[turn]?.(request, response);
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

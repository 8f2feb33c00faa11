import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that a system assigns on request: so no other program gets the port before its own program has it, or
 * while that restarts.
 */
const [LOWEST, COUNT] = [12_000, 20_000];

/** A free port of this machine, for a program that needs to be told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, "listening").then(
    () => true,
    () => false,
  );
  server.listen(port, "127.0.0.1");
  if (!(await listening)) return false;
  server.close();
  await once(server, "close");
  return true;
}

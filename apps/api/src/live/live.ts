/** Everything that attaches to servers: checks, leftovers, runs. The allow-list is asked before any connection. */
import type {
  LeftoverRemoval,
  LiveAllowance,
  LiveCheck,
  LiveCheckRequest,
  LiveLogin,
  LiveServer,
} from "xel-parser/contract";
import type { z } from "zod";
import type { AllowList } from "./allow-list.ts";
import { checkServer, removeLeftovers } from "./check.ts";
import { connect, whereIs } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { LiveFailure } from "./failure.ts";

export class Live {
  readonly #allowList: AllowList;

  constructor(allowList: AllowList) {
    this.#allowList = allowList;
  }

  allowance(): z.infer<typeof LiveAllowance> {
    return this.#allowList.allowance;
  }

  /** What a server says; nothing is created on it. @throws LiveFailure */
  async check({ server, login }: LiveCheckRequest): Promise<z.infer<typeof LiveCheck>> {
    return this.#connected(server, login, checkServer);
  }

  /** Drops sessions that earlier runs left behind. @throws LiveFailure */
  async removeLeftovers({ server, login, names }: z.infer<typeof LeftoverRemoval>): Promise<string[]> {
    return this.#connected(server, login, (connection) => removeLeftovers(connection, names));
  }

  async #connected<T>(
    server: LiveServer,
    login: LiveLogin,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    this.#expectAllowed(server);
    const connection = await connect(server, login);
    try {
      return await use(connection);
    } finally {
      connection.close();
    }
  }

  #expectAllowed(server: LiveServer): void {
    if (this.#allowList.permits(server.host, server.port)) return;
    throw new LiveFailure(
      "live-not-allowed",
      `This API may not connect to ${whereIs(server)}. ${this.#allowList.allowance.reason}`,
    );
  }
}

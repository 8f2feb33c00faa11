/** All servers on one catalog keep the shared tables at rest, or none does. */
import { StartError } from "../../kernel/start-error.ts";
import type { Facts } from "../facts-of-server.ts";
import type { OtherServers } from "../other-servers.ts";

/** Name of the fact with AGLENS_TABLES of the catalog's servers. */
const TABLES = "tables at rest";

/**
 * Compares this server's AGLENS_TABLES with that of the others: `off` removes the shared tables.
 * @throws StartError where other servers run with another value
 */
export async function expectSameTables(
  facts: Facts,
  { list }: Pick<OtherServers, "list">,
  keepsTables: boolean,
): Promise<void> {
  const own = keepsTables ? "on" : "off";
  const before = await facts.fact(TABLES);
  if (before === own) return;
  const others = (await list()).filter(({ isRunning, isThis }) => isRunning && !isThis);
  if (before !== null && others.length > 0) {
    const names = others.map(({ name }) => name).join(", ");
    throw new StartError(
      "bad-setting",
      `AGLENS_TABLES is ${before} at the other servers (${names}). Set it to that, or end them all before the first one starts with ${own}: off removes the tables that all of them share.`,
    );
  }
  await facts.saveFact(TABLES, own);
}

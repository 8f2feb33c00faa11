/** Errors of a database that does not answer, apart from errors of queries. */
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { CatalogUnreachableError } from "../catalog.ts";

/** Classes 08 (connection), 57P (shut down, starting) and 53300 (too many connections), https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NOT_SERVING = /^(?:08|57P|53300)/u;
const NETWORK = /^E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND|NOENT)/u;
/** Messages of the driver for errors without a code. */
const BROKEN =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable/iu;

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === "string") return NOT_SERVING.test(code) || NETWORK.test(code);
  return BROKEN.test(error.message);
}

/** The same connections. An error of a broken connection, or of a failed connect, is `CatalogUnreachableError`. */
export function reachablePool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await answered(pool.connect());
      const query = (text: string, values: unknown[]) => answered(client.query(text, values));
      const release = (isBroken?: boolean) => client.release(isBroken);
      // The type has another form of `query`, with a cursor, that Kysely calls only if it has the cursor's class.
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}

async function answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw isUnreachable(error) ? new CatalogUnreachableError(error) : error;
  }
}

/** Errors of a database that does not answer, apart from those of what it was asked. */
import { CatalogueUnreachableError } from "../catalogue.ts";

/** Classes 08 (connection), 57P (shut down, starting) and 53300 (too many connections), https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NOT_SERVING = /^(?:08|57P|53300)/u;
const NETWORK = /^E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND|NOENT)/u;
/** What the driver says without a code. */
const BROKEN =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable/iu;

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === "string") return NOT_SERVING.test(code) || NETWORK.test(code);
  return BROKEN.test(error.message);
}

/** The same calls; what breaks the connection is `CatalogueUnreachableError`. */
export function withUnreachable<Calls extends object>(calls: Calls): Calls {
  const entries = Object.entries({ ...calls } as Readonly<Record<string, unknown>>).map(([name, call]) => {
    if (typeof call !== "function") return [name, call];
    const guarded = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await (call as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        throw isUnreachable(error) ? new CatalogueUnreachableError(error) : error;
      }
    };
    return [name, guarded];
  });
  return Object.fromEntries(entries) as Calls;
}

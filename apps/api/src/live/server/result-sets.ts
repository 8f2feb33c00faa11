/** The answer of a SQL Server to one statement, as tedious reads it. */
import type { Request } from "tedious";

/** A row by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** A column as the server describes it (MS-TDS 2.2.7.4). */
export interface ColumnMetadata {
  readonly colName: string;
  readonly type: { readonly name: string };
  /** Bytes; 65,535 for a type of any length. */
  readonly dataLength?: number | undefined;
}

export interface ResultSet {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: Row[];
}

interface Cell {
  readonly value: unknown;
  readonly metadata: ColumnMetadata;
}

/**
 * Sends a statement and reads its answer.
 * @param send passes the request to the driver
 * @param patienceMs after which it fails
 * @throws the driver's error
 */
export async function resultSets(
  sql: string,
  send: (request: Request) => void,
  parameters: Readonly<Record<string, string>>,
  patienceMs: number,
): Promise<ResultSet[]> {
  const { Request, TYPES } = await import("tedious");
  const { promise, resolve, reject } = Promise.withResolvers<ResultSet[]>();
  const sets: ResultSet[] = [];
  const request = new Request(sql, (error) => (error ? reject(error) : resolve(sets)));
  request.setTimeout(patienceMs);
  for (const [name, value] of Object.entries(parameters)) {
    request.addParameter(name, TYPES.NVarChar, value, { length: 260 });
  }
  request.on("columnMetadata", (columns) => sets.push({ columns: Object.values(columns), rows: [] }));
  request.on("row", (cells: Cell[]) => {
    sets.at(-1)?.rows.push(Object.fromEntries(cells.map(({ metadata, value }) => [metadata.colName, value])));
  });
  send(request);
  return promise;
}

/**
 * Clients of events: session, application and statement, from actions that few sessions collect
 * (docs/contribute/model/events.md 1.5). Columns exist only where an event has such an action.
 */
import { gatherUint16 } from "../numbers/index.ts";

/** Columns of clients; row i is of event i. */
export interface ClientColumns {
  /** session_id; 0 when absent. */
  readonly session: Uint16Array;
  /** Indexes into `texts`; 0 when absent. */
  readonly application: Uint16Array;
  readonly statement: Uint16Array;
  /** Names of applications and texts of statements; texts[0] is empty. */
  readonly texts: readonly string[];
}

/** Columns with numbers of texts. */
export const CLIENT_TEXT_COLUMNS = ["application", "statement"] as const;

/** Text of all values for which a list of 16-bit numbers has no room, as the reader has it. */
const OTHER_VALUES = "(other values)";
const MOST_TEXTS = 0xffff;

/** Numbers texts of several parts in one list. */
export class ClientTexts {
  readonly texts: string[] = [""];
  readonly #numbers = new Map<string, number>([["", 0]]);

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (this.texts.length >= MOST_TEXTS && text !== OTHER_VALUES) return this.numberOf(OTHER_VALUES);
    const added = this.texts.push(text) - 1;
    this.#numbers.set(text, added);
    return added;
  }

  /** Numbers in this list of the texts of a part. */
  renumber(texts: readonly string[]): Uint16Array {
    return Uint16Array.from(texts, (text) => this.numberOf(text));
  }
}

/** Clients of several parts as one; undefined where no part has any. */
export function joinClients(
  parts: readonly { readonly length: number; readonly clients?: ClientColumns }[],
): ClientColumns | undefined {
  if (parts.every(({ clients }) => clients === undefined)) return undefined;
  const joined = new ClientTexts();
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const columns = {
    session: new Uint16Array(length),
    application: new Uint16Array(length),
    statement: new Uint16Array(length),
  };
  let at = 0;
  for (const { length: own, clients } of parts) {
    if (clients !== undefined) {
      const renumber = joined.renumber(clients.texts);
      columns.session.set(clients.session, at);
      columns.application.set(clients.application.map((text) => renumber[text]), at); // prettier-ignore
      columns.statement.set(clients.statement.map((text) => renumber[text]), at); // prettier-ignore
    }
    at += own;
  }
  return { ...columns, texts: joined.texts };
}

/** Clients of some rows, in their order. */
export const gatherClients = (clients: ClientColumns, rows: Uint32Array): ClientColumns => ({
  session: gatherUint16(clients.session, rows),
  application: gatherUint16(clients.application, rows),
  statement: gatherUint16(clients.statement, rows),
  texts: clients.texts,
});

/** Clients of the rows from `from` up to `end`, without a copy. */
export const clientsBetween = (clients: ClientColumns, from: number, end: number): ClientColumns => ({
  session: clients.session.subarray(from, end),
  application: clients.application.subarray(from, end),
  statement: clients.statement.subarray(from, end),
  texts: clients.texts,
});

/** As a part of columns of events; empty without clients. */
export const withClients = (clients: ClientColumns | undefined): { readonly clients?: ClientColumns } =>
  clients === undefined ? {} : { clients };

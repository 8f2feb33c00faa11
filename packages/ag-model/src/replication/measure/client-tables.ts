/** Columns and texts of the commits' clients, of those that any commit has. */
import { DROPPED_TEXT } from "xel-parser/format";
import { CLIENT_TEXT_COLUMNS, type ClientColumns } from "../../events/index.ts";
import type { CommitClients, CommitTable } from "../shapes/tables.ts";

interface ClientTables {
  readonly columns: Pick<CommitTable, "session" | "application" | "statement">;
  readonly clients: CommitClients;
}

/** A column with its own list of texts, numbered as they first occur. */
interface TextColumn {
  readonly column: Uint16Array;
  readonly texts: readonly string[];
}

/** @param clients by row of the commit table */
export function clientTables(clients: ClientColumns | undefined): ClientTables | null {
  if (clients === undefined) return null;
  const [application, statement] = CLIENT_TEXT_COLUMNS.map((name) => textColumn(clients, name));
  const session = clients.session.some((id) => id > 0) ? { session: clients.session } : {};
  const kept = (name: string, { column, texts }: TextColumn) =>
    texts.length > 1 && !isDropped(texts) ? { [name]: column } : {};
  const textsOf = ({ texts }: TextColumn): readonly string[] => (isDropped(texts) ? [""] : texts);
  return {
    columns: { ...session, ...kept("application", application), ...kept("statement", statement) },
    clients: {
      applications: textsOf(application),
      statements: textsOf(statement),
      dropped: CLIENT_TEXT_COLUMNS.filter((_, i) => isDropped([application, statement][i].texts)),
    },
  };
}

const isDropped = (texts: readonly string[]): boolean => texts.length === 2 && texts[1] === DROPPED_TEXT;

function textColumn(clients: ClientColumns, name: "application" | "statement"): TextColumn {
  const texts = [""];
  const own = new Uint16Array(clients.texts.length);
  const column = clients[name].map((text) => {
    if (text !== 0 && own[text] === 0) own[text] = texts.push(clients.texts[text]) - 1;
    return own[text];
  });
  return { column, texts };
}

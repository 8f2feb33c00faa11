/** Formats queries. Import it on demand: the formatter is a separate script. */
import { duckdb, formatDialect } from "sql-formatter";
import { sqlTexts as texts } from "../../messages/sql.ts";

/** Maximum length of a bracket's content on one line, in characters. */
const WIDTH = 80;

/**
 * The query in several lines, with keywords in capitals; nothing else of it changes. @throws Error, a sentence, where
 * it cannot be read
 */
export function formattedQuery(sql: string): string {
  try {
    return formatDialect(sql, { dialect: duckdb, keywordCase: "upper", expressionWidth: WIDTH });
  } catch (error) {
    const [, line = "", column = ""] = /at line (\d+) column (\d+)/u.exec(String(error)) ?? [];
    const place = line === "" ? "" : texts.fromLineColumnOn(line, column);
    throw new Error(`The query cannot be laid out: it cannot be read${place}.`, { cause: error });
  }
}

/** Facts and lines of a first contact: asks one statement after the other, and never throws. */
import type { ContactLine, ContactProgress } from "@aglens/contract";
import type { Clock } from "../../kernel/clock.ts";
import { eventsOf } from "../server/check.ts";
import type { Connection, Patience, Row } from "../server/connection.ts";
import { fromBeginning, healthFileIn } from "../server/health-file.ts";
import type { HealthFile } from "../server/health-file.ts";
import { STATEMENTS } from "../server/statements.ts";
import type { LiveStatement, StatementFacts, StatementName } from "../server/statements.ts";
import { Asker } from "./asker.ts";
import type { Asked } from "./asker.ts";
import { compare } from "./compare.ts";
import { EXPECTATIONS } from "./expectations.ts";
import type { Expectation } from "./expectations.ts";
import { reportText, setText } from "./report-text.ts";
import type { LineDetail } from "./report-text.ts";

export interface ContactParts {
  /** Connects to the server, which was asked who it is. @throws LiveFailure */
  readonly open: () => Promise<Connection>;
  readonly clock: Clock;
  readonly patience: Patience;
  /** Ends it early; a created session is dropped in any case. */
  readonly signal: AbortSignal;
  /** The answer to WHO. */
  readonly who: Row;
  /** Name of the event session to create; null creates none. */
  readonly session: string | null;
  readonly onProgress: (progress: ContactProgress) => void;
  /** Takes over a session that could not be dropped. @returns a sentence about it */
  readonly leave: (failure: unknown) => string;
}

/** Number of log files whose counters are read: more would show nothing new. */
const MOST_LOG_FILES = 10;

/** Follows the name of a statement that is asked again. */
export const WHILE_READ = ", while the session is read";
export const END_LINE = "End of the stream";

/** Statements that are asked again while the session is read: each returns one row about it then. */
export const ASKED_AGAIN = ["SESSION_STATE", "ALL_SESSIONS", "POLL_SESSION"] as const;

/**
 * Lines in addition to those of the statements: lines of the stream, which one statement opens, and of statements that
 * are asked again.
 */
const MORE_LINES: readonly string[] = [
  ...ASKED_AGAIN.map((name) => `${STATEMENTS[name].title}${WHILE_READ}`),
  "Rows of the stream",
  "Age of rows",
  "Bytes of the events",
  END_LINE,
];

/** Statements with one line each, in their order; those of the stream have lines of their own. */
const NAMES = (Object.keys(STATEMENTS) as StatementName[]).filter((name) => name !== "STREAM");

/** Facts about the server so far, and the lines about it. */
export class ContactRun {
  readonly asker: Asker;
  readonly #parts: ContactParts;
  readonly #details: LineDetail[] = [];
  facts: StatementFacts;
  #about: Row | undefined;
  #healthFile: HealthFile | null = null;

  constructor(parts: ContactParts) {
    this.#parts = parts;
    this.asker = new Asker(parts.open, parts.clock);
    this.facts = {
      major: Number(parts.who["major_version"]),
      session: parts.session ?? "aglens",
      logFiles: [],
      events: [],
      databases: [],
    };
  }

  get lines(): ContactLine[] {
    return this.#details.map(({ line }) => line);
  }

  get text(): string {
    return reportText(this.#parts.who, this.#about, this.#details);
  }

  /** All statements that change nothing. */
  async read(): Promise<void> {
    for (const name of NAMES.filter((each) => STATEMENTS[each].kind === "read")) {
      if (this.#parts.signal.aborted) return;
      const { rows } = await this.tell(name);
      this.#learn(name, rows);
    }
  }

  /**
   * Sends a statement and adds its line. @param least rows that it should have, where the run has better facts @param
   * when text for a statement that is sent again
   */
  async tell(name: StatementName, least?: number, when = ""): Promise<Asked> {
    const expected = expectationOf(name, this.facts, least);
    const statement = `${STATEMENTS[name].title}${when}`;
    if (name === "pollLogFiles" && this.facts.logFiles.length === 0) {
      this.skip(statement, STATEMENTS[name], "no log file is known");
      return NOTHING;
    }
    if (name === "HEALTH_EVENTS" && this.#healthFile === null) {
      this.skip(statement, STATEMENTS[name], "AlwaysOn_health does not run");
      return NOTHING;
    }
    const asked = await this.ask(name, expected);
    const comparison = compare(expected, asked.seen, this.#parts.who["view_def"] === 1);
    const { section } = STATEMENTS[name];
    const line = { statement, section, ms: asked.seen.ms, ...comparison };
    this.add({
      line: { ...line, differences: [...line.differences] },
      rests: expected.rests,
      text: setText(asked.seen.sets),
    });
    return asked;
  }

  /** Asks a statement without a line. */
  ask(name: StatementName, expected: Expectation = EXPECTATIONS[name]): Promise<Asked> {
    const { kind, section, text } = STATEMENTS[name];
    const { pollMs, queryMs } = this.#parts.patience;
    const sql = text(this.facts);
    return this.asker.ask(
      {
        sql,
        parameters: this.#parametersOf(name, sql),
        isBatch: kind === "change",
        patienceMs: section.startsWith("7.") ? pollMs : queryMs,
      },
      expected,
    );
  }

  #parametersOf(name: StatementName, sql: string): Readonly<Record<string, string>> {
    if (name === "LAST_STATEMENT") return { session: String(Number(this.#about?.["session_id"] ?? 0)) };
    if (name === "HEALTH_EVENTS" && this.#healthFile !== null)
      return fromBeginning(this.#healthFile, this.#parts.clock.now());
    return sql.includes("@session") ? { session: this.facts.session } : {};
  }

  add(detail: LineDetail): void {
    this.#details.push(detail);
    this.#parts.onProgress({ line: detail.line, done: this.#details.length, of: this.#total });
  }

  /** Adds a line for a statement that is not tried. */
  skip(statement: string, { section }: Pick<LiveStatement, "section">, why: string): void {
    this.add({
      line: { statement, section, state: "notTried", ms: null, answer: why, differences: [] },
      rests: "",
      text: [],
    });
  }

  /** Adds lines for all statements without one. */
  skipRest(why: string): void {
    const told = new Set(this.lines.map(({ statement }) => statement));
    for (const name of NAMES) {
      const { title } = STATEMENTS[name];
      if (!told.has(title)) this.skip(title, STATEMENTS[name], why);
    }
    for (const name of MORE_LINES) if (!told.has(name)) this.skip(name, STATEMENTS.STREAM, why);
  }

  get #total(): number {
    return NAMES.length + MORE_LINES.length;
  }

  /** Stores the parts of an answer that later statements need. */
  #learn(name: StatementName, [first = [], second = []]: Asked["rows"]): void {
    if (name === "ABOUT") [this.#about] = first;
    if (name === "HEALTH_FILE") this.#healthFile = healthFileIn(first[0]?.["target_data"]);
    if (name === "AVAILABLE_EVENTS") this.facts = { ...this.facts, events: eventsOf(first, second) };
    if (name !== "localDatabases") return;
    this.facts = {
      ...this.facts,
      databases: first.map((row) => Number(row["database_id"])),
      logFiles: second
        .slice(0, MOST_LOG_FILES)
        .map((row) => ({ databaseId: Number(row["database_id"]), fileId: Number(row["file_id"]) })),
    };
  }
}

const NOTHING: Asked = { seen: { ms: 0, sets: [], errors: [], end: "answered" }, rows: [] };

/** The expectation of a statement as it is sent now. */
function expectationOf(
  name: StatementName,
  { logFiles }: StatementFacts,
  least: number | undefined,
): Expectation {
  const expected = EXPECTATIONS[name];
  const [first, ...others] = expected.sets;
  const { length: files } = logFiles;
  if (name === "pollLogFiles" && first !== undefined)
    return { ...expected, sets: [{ ...first, least: files, most: files }] };
  if (least === undefined || first === undefined) return expected;
  return { ...expected, sets: [{ ...first, least }, ...others] };
}

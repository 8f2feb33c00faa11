/** Sends statements to one server, one after the other: one that fails, or takes the connection along, doesn't end the rest. */
import type { Clock } from "../../kernel/clock.ts";
import type { Connection, Row } from "../server/connection.ts";
import { resultSets } from "../server/result-sets.ts";
import type { ResultSet } from "../server/result-sets.ts";
import type { Expectation } from "./expectations.ts";
import { seenSet } from "./seen.ts";
import type { Seen, SeenError } from "./seen.ts";

/** Severity from which a server ends the connection after the error (docs/contribute/live-protocol.md 9.2). */
const FATAL_SEVERITY = 20;

/** An answer: the parts that may be written down, and its rows for later statements. */
export interface Asked {
  readonly seen: Seen;
  readonly rows: readonly (readonly Row[])[];
}

export interface Question {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** DDL is sent as a batch: a procedure call doesn't take it. */
  readonly isBatch: boolean;
  /** ms */
  readonly patienceMs: number;
}

export class Asker {
  readonly #open: () => Promise<Connection>;
  readonly #clock: Clock;
  #connection: Connection | null = null;

  /** @param open connects again after a loss */
  constructor(open: () => Promise<Connection>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** The connection that statements are sent on. @throws LiveFailure */
  async connection(): Promise<Connection> {
    if (this.#connection !== null) return this.#connection;
    const connection = await this.#open();
    this.#connection = connection;
    connection.onEnd(() => {
      if (this.#connection === connection) this.#connection = null;
    });
    return connection;
  }

  /** Never throws: a failure is an answer too. */
  async ask(question: Question, expected: Expectation): Promise<Asked> {
    const errors: SeenError[] = [];
    let begin = this.#clock.now();
    const after = (end: Seen["end"], sets: readonly ResultSet[]): Asked => ({
      seen: {
        ms: this.#clock.now() - begin,
        sets: sets.map((set, i) => seenSet(set, expected.sets[i])),
        errors,
        end,
      },
      rows: sets.map(({ rows }) => rows),
    });
    try {
      const connection = await this.connection();
      // Connecting is no part of the statement's time.
      begin = this.#clock.now();
      return after("answered", await this.#send(connection, question, errors));
    } catch (error) {
      const end = errors.length > 0 ? "refused" : endOf(error);
      // The driver doesn't report each end: a connection that may be dead must not affect other statements.
      if (end !== "refused" || errors.some(({ severity }) => severity >= FATAL_SEVERITY)) this.close();
      return after(end, []);
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  async #send(
    { driver }: Connection,
    { sql, parameters, isBatch, patienceMs }: Question,
    errors: SeenError[],
  ): Promise<ResultSet[]> {
    const take = ({ number, state, class: severity }: SeenMessage): void => {
      errors.push({ number, state, severity });
    };
    driver.on("errorMessage", take);
    try {
      return await resultSets(
        sql,
        (request) => (isBatch ? driver.execSqlBatch(request) : driver.execSql(request)),
        parameters,
        patienceMs,
      );
    } finally {
      driver.off("errorMessage", take);
    }
  }
}

interface SeenMessage {
  readonly number: number;
  readonly state: number;
  /** Severity. */
  readonly class: number;
}

const endOf = (error: unknown): Seen["end"] =>
  (error as { readonly code?: unknown }).code === "ETIMEOUT" ? "late" : "lost";

/**
 * Messages between the servers on one catalog: NOTIFY in the transaction that stores the change, LISTEN on a connection
 * of its own.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import pg from "pg";
import { newId } from "../../kernel/identity.ts";
import { CatalogUnreachableError } from "../catalog.ts";
import { connectionTo } from "./database.ts";
import type { PostgresPlace } from "./database.ts";

export interface News {
  readonly topic: string;
  /** Id of the changed object. */
  readonly id: string;
  /** JSON. Absent where PostgreSQL would refuse it (8,000 bytes): the listener then reads the change itself. */
  readonly details?: unknown;
}

export interface Feed {
  /** For a query of the transaction that stores the change: other servers get the message once it is committed. */
  telling(news: News): RawBuilder<unknown>;
  /** Calls the listener for messages of other servers, in the order of their transactions. */
  on(topic: string, listener: (id: string, details: unknown) => void): void;
  /** Calls back when news may have been missed. */
  onMissed(listener: () => void): void;
  /** Resolves when all messages from before the call have arrived. @throws CatalogueUnreachableError */
  heard(): Promise<void>;
  close(): Promise<void>;
}

/** PostgreSQL refuses 8,000. */
const MOST_BYTES = 7_900;
/** A connection that a firewall dropped is silent forever: it is checked this often, and has so long to answer. */
const CHECK_MS = 15_000;
const ANSWER_MS = 10_000;
/** Between two tries to connect, growing. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

/**
 * Connects. After a break it connects again, and listeners learn that news may have been missed.
 * @param onLost called for a connection that broke, and for each try that fails
 */
export async function openFeed(place: PostgresPlace, onLost: (error: Error) => void): Promise<Feed> {
  const feed = new PostgresFeed(place, onLost);
  try {
    await feed.connected();
    return feed;
  } catch (error) {
    await feed.close();
    throw error;
  }
}

class PostgresFeed implements Feed {
  readonly #place: PostgresPlace;
  readonly #onLost: (error: Error) => void;
  /** Identifies this server's own messages. */
  readonly #self = newId();
  readonly #listeners = new Map<string, ((id: string, details: unknown) => void)[]>();
  readonly #missedListeners: (() => void)[] = [];
  readonly #closing = new AbortController();
  #channel = "";
  /** The one that is there, or the try to make it. */
  #client: Promise<pg.Client>;

  constructor(place: PostgresPlace, onLost: (error: Error) => void) {
    this.#place = place;
    this.#onLost = onLost;
    this.#client = this.#connect(0);
  }

  async connected(): Promise<void> {
    await this.#client;
  }

  telling({ details, ...news }: News): RawBuilder<unknown> {
    const from = this.#self;
    const whole = JSON.stringify({ from, ...news, details });
    const text = Buffer.byteLength(whole) > MOST_BYTES ? JSON.stringify({ from, ...news }) : whole;
    return sql`pg_notify(${this.#channel}, ${text})`;
  }

  on(topic: string, listener: (id: string, details: unknown) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  onMissed(listener: () => void): void {
    this.#missedListeners.push(listener);
  }

  async heard(): Promise<void> {
    try {
      // News that was committed before is delivered before the answer to a query on the listening connection.
      await (await this.#client).query("SELECT 1");
    } catch (error) {
      throw new CatalogUnreachableError(error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client.then(
      (client) => client.end(),
      () => {},
    );
  }

  async #connect(waitMs: number): Promise<pg.Client> {
    await pause(waitMs, undefined, { signal: this.#closing.signal });
    const client = new pg.Client({ ...(await connectionTo(this.#place)), query_timeout: ANSWER_MS });
    client.on("error", this.#onLost);
    client.on("notification", ({ payload = "" }) => this.#hear(payload));
    try {
      await client.connect();
      // Channels belong to the entire database, and several of its schemas may have tables of this name.
      const { rows } = await client.query<{ channel: string }>(
        "SELECT 'aglens_' || 'captures'::regclass::oid AS channel",
      );
      this.#channel = rows[0]?.channel ?? "";
      await client.query(`LISTEN ${this.#channel}`);
    } catch (error) {
      void client.end().catch(this.#onLost);
      throw error;
    }
    const check = setInterval(() => {
      client.query("SELECT 1").catch(() => void client.end().catch(this.#onLost));
    }, CHECK_MS);
    client.once("end", () => {
      clearInterval(check);
      if (!this.#closing.signal.aborted) this.#connectAgain(FIRST_RETRY_MS);
    });
    return client;
  }

  #connectAgain(waitMs: number): void {
    this.#client = this.#connect(waitMs);
    this.#client.then(
      () => this.#missedListeners.forEach((listener) => listener()),
      (error: Error) => {
        if (this.#closing.signal.aborted) return;
        this.#onLost(error);
        this.#connectAgain(Math.min(waitMs * 2, LAST_RETRY_MS));
      },
    );
  }

  #hear(payload: string): void {
    const { from, topic, id, details } = JSON.parse(payload) as News & { readonly from: string };
    if (from === this.#self) return;
    for (const listener of this.#listeners.get(topic) ?? []) listener(id, details);
  }
}

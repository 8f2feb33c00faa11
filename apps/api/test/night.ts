/** A watch of one group of stand-ins with a service, receivers of HTTP and e-mail, and a clock that a test moves. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Watch, WatchEpisodes, WatchSeries } from "@aglens/contract";
import type { WatchDefinition, WatchEpisode, WatchRecording, WatchTriggers } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { WAIT_MS } from "@aglens/fixtures/patience";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandInGroup } from "@aglens/fixtures/replica-standin";
import type { Patience } from "../src/live/server/connection.ts";
import { attach } from "./live-run.ts";
import { testService } from "./service.ts";
import type { TestService } from "./service.ts";
import { definitionOf } from "./watch.ts";
import { hookServer, mailServer } from "./watch-message.ts";
import type { Hook, MailServer } from "./watch-message.ts";

const PATIENCE = { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 };
const LOGIN = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;
const HOUR_MS = 3_600_000;
const WATCH_FILE = "watch.json";
/** Bytes of the disk: more than a test writes. */
const DISK_BYTES = 1e12;
const KEPT_FREE_BYTES = 1e6;

export interface NightOptions {
  readonly group?: GroupOptions;
  readonly everySeconds?: number;
  readonly triggers?: Partial<WatchTriggers>;
  readonly recording?: Partial<WatchRecording>;
  readonly patience?: Partial<Patience>;
}

/** A message as a receiver has it. */
export interface Told {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
}

/** Settings of receivers in the watch file. */
export function watchFileOf(login: object, hook: Hook, mail: MailServer | null): string {
  return JSON.stringify({
    logins: { sales: login },
    receivers: {
      tickets: { kind: "webhook", url: { value: hook.url } },
      ...(mail && { "on call": { kind: "email", to: ["dba@example.com"] } }),
    },
    ...(mail && {
      mail: { host: "127.0.0.1", port: mail.port, security: "none", from: "aglens@example.com" },
    }),
  });
}

/** Messages of watches that a receiver got, in their order. */
export const toldTo = (hook: Hook): Told[] =>
  hook.requests.map(({ headers, body }) => {
    const { id, kind, text } = JSON.parse(body) as Told;
    if (headers["x-aglens-delivery"] !== id) throw new Error("The header has another id.");
    return { id, kind, text };
  });

export class Night {
  readonly clock: TestClock;
  readonly group: StandInGroup;
  readonly hook: Hook;
  readonly mail: MailServer;
  /** Id of the watch. */
  id = "";
  /** Whether the disk of the service has no room. */
  isDiskFull = false;
  readonly #directory: string;
  readonly #patience: Patience;
  #service: TestService | null = null;

  static async begin({
    group: more,
    everySeconds = 5,
    triggers,
    recording,
    patience,
  }: NightOptions = {}): Promise<Night> {
    const directory = await mkdtemp(join(tmpdir(), "aglens-night-"));
    const hook = await hookServer();
    const mail = await mailServer({ disabledCommands: ["STARTTLS"], authOptional: true });
    const login = { ...LOGIN, password: { value: LOGIN.password } };
    await writeFile(join(directory, WATCH_FILE), watchFileOf(login, hook, mail));
    const clock = new TestClock();
    const group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250, clock, login: LOGIN, ...more });
    const night = new Night(directory, clock, group, hook, mail, { ...PATIENCE, ...patience });
    const servers = group.replicas.map((replica) => attach(replica).server);
    const usual = definitionOf(servers, { group: "TestAG", everySeconds, receivers: ["tickets", "on call"] });
    await night.#begin({
      ...usual,
      triggers: { ...usual.triggers, ...triggers },
      recording: { ...usual.recording, ...recording },
    });
    return night;
  }

  private constructor(
    directory: string,
    clock: TestClock,
    group: StandInGroup,
    hook: Hook,
    mail: MailServer,
    patience: Patience,
  ) {
    this.#patience = patience;
    this.#directory = directory;
    this.clock = clock;
    this.group = group;
    this.hook = hook;
    this.mail = mail;
  }

  get service(): TestService {
    if (this.#service === null) throw new Error("The service isn't open.");
    return this.#service;
  }

  async #begin(definition: WatchDefinition): Promise<void> {
    this.#service = await this.#open();
    const { body } = await request(this.service.app).post("/api/v1/watches").send(definition).expect(201);
    this.id = Watch.parse(body).id;
    await this.until(
      () => this.watch(),
      ({ replicas }) => replicas.every(({ polled }) => polled !== null),
    );
  }

  #open(): Promise<TestService> {
    const config = {
      dataDirectory: this.#directory,
      watchFile: join(this.#directory, WATCH_FILE),
      keepFreeBytes: KEPT_FREE_BYTES,
    };
    const disk = (): { free: number; total: number } => ({
      free: this.isDiskFull ? 0 : DISK_BYTES,
      total: DISK_BYTES,
    });
    return testService(config, undefined, { clock: this.clock, patience: this.#patience, disk });
  }

  /** Ends the service as the system's stop does, and begins it again. */
  async restart(): Promise<void> {
    await this.clock.during(this.service.close());
    this.#service = await this.#open();
  }

  async end(): Promise<void> {
    await this.clock.during(this.service.close());
    await this.group.close();
    await this.hook[Symbol.asyncDispose]();
    await this.mail[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async watch(): Promise<Watch> {
    const { body } = await request(this.service.app).get(`/api/v1/watches/${this.id}`).expect(200);
    return Watch.parse(body);
  }

  /** The newest first. */
  async episodes(): Promise<WatchEpisode[]> {
    const { body } = await request(this.service.app).get(`/api/v1/watches/${this.id}/episodes`).expect(200);
    return WatchEpisodes.parse(body).episodes;
  }

  /** Moves the clock until it is so. @throws Error with the last finding */
  async until<T>(look: () => Promise<T>, is: (found: T) => boolean, stepMs = 250): Promise<T> {
    const end = performance.now() + 2 * WAIT_MS;
    for (;;) {
      const found = await look();
      if (is(found)) return found;
      if (performance.now() > end) throw new Error(`It never came to that: ${JSON.stringify(found)}`);
      await this.clock.pass(stepMs, 50);
    }
  }

  /** Columns of about a minute of the last hours. */
  async series(hours: number): Promise<WatchSeries> {
    const to = this.clock.now();
    const range = `from=${to - hours * HOUR_MS}&to=${to}&bins=${Math.min(4_000, 60 * hours)}`;
    const { body } = await request(this.service.app).get(`/api/v1/watches/${this.id}/series?${range}`);
    return WatchSeries.parse(body);
  }

  /** Waits until so many episodes are over, with their verdicts. @returns the newest first */
  untilOver(count: number): Promise<WatchEpisode[]> {
    return this.until(
      () => this.episodes(),
      (found) => found.length >= count && found.every(isOver),
      // An analysis takes real time, in which little of the clock's has to pass.
      100,
    );
  }

  /** Names of sessions on servers, with the server. */
  sessions(): string[] {
    return this.group.replicas.flatMap((replica) =>
      replica.sessions().map(({ name }) => `${replica.name} ${name}`),
    );
  }

  /** Messages to the receiver of HTTP. */
  told(): Told[] {
    return toldTo(this.hook);
  }
}

/** Whether an episode has its end, and a result. */
export const isOver = ({ state, ended }: WatchEpisode): boolean =>
  ended !== null && state !== "recording" && state !== "analyzing";

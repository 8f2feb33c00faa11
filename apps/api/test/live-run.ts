/** A run over stand-ins, controlled through the API as by a client. */
import request from "supertest";
import type { TestClock } from "@aglens/fixtures/clock";
import { WAIT_MS } from "@aglens/fixtures/patience";
import type { StandIn } from "@aglens/fixtures/replica-standin";
import { LiveLogin, LivePicture, LiveServer } from "@aglens/contract";
import { connect, PATIENCE } from "../src/live/server/connection.ts";
import type { TestService } from "./service.ts";

/** Data with which a client attaches to a stand-in; it makes its own certificate, which no authority has signed. */
export function attach(standIn: StandIn): { server: object; login: object } {
  return {
    server: { host: standIn.host, port: standIn.port, trustCertificate: true },
    login: { kind: "sql", user: standIn.user, password: standIn.password },
  };
}

/** A run whose service and stand-ins share one clock; waiting advances it. */
export class RunUnderTest {
  readonly #service: TestService;
  readonly #clock: TestClock;
  readonly id: string;
  readonly control: string;

  constructor(service: TestService, clock: TestClock, id: string, control: string) {
    this.#service = service;
    this.#clock = clock;
    this.id = id;
    this.control = control;
  }

  /** Begins a run on these replicas; `more` is added to each one's server and login. */
  static async begin(
    service: TestService,
    clock: TestClock,
    replicas: readonly StandIn[],
    more: object = {},
    options: object = {},
  ): Promise<RunUnderTest> {
    const { body } = await request(service.app)
      .post("/api/v1/live/runs")
      .send({
        title: "Test",
        replicas: replicas.map((replica) => ({ ...attach(replica), ...more })),
        ...options,
      })
      .expect(201);
    return new RunUnderTest(service, clock, body.id, body.control);
  }

  /** The complete picture, checked with its schema. */
  async picture(): Promise<LivePicture> {
    const { body } = await request(this.#service.app)
      .get(`/api/v1/live/runs/${this.id}`)
      // Packing and unpacking each of some thousand pictures took a tenth of the time of these tests.
      .set("accept-encoding", "identity")
      .expect(200);
    return LivePicture.parse(body);
  }

  /**
   * The first picture for which `is` is true, while the clock advances and a client watches the run: steps that take
   * real time, such as connecting, may take more than the minute of the clock after which it would stop automatically.
   * @throws Error after a minute of real time, with the last picture
   */
  async until(is: (picture: LivePicture) => boolean): Promise<LivePicture> {
    const end = performance.now() + WAIT_MS;
    for (let steps = 0; ; steps++) {
      if (steps % STEPS_WATCHED === 0) await this.#beWatched();
      const picture = await this.picture();
      if (is(picture)) return picture;
      if (performance.now() > end) throw new Error(`It never came to that: ${stateOf(picture)}`);
      await this.#clock.pass(STEP_MS);
    }
  }

  async #beWatched(): Promise<void> {
    await request(this.#service.app)
      .post(`/api/v1/live/runs/${this.id}/presence`)
      .set("x-aglens-control", this.control)
      .expect(204);
  }

  /** Attaches one more replica. */
  async add(replica: StandIn, status: number, body: object = attach(replica)): Promise<void> {
    await request(this.#service.app)
      .post(`/api/v1/live/runs/${this.id}/replicas`)
      .set("x-aglens-control", this.control)
      .send(body)
      .expect(status);
  }

  /** Asks to attach a replica again. */
  async tryAgain(index: number, status = 204): Promise<void> {
    await request(this.#service.app)
      .post(`/api/v1/live/runs/${this.id}/replicas/${index}/retry`)
      .set("x-aglens-control", this.control)
      .expect(status);
  }

  async stop(keep = true): Promise<string | null> {
    const stopping = request(this.#service.app)
      .post(`/api/v1/live/runs/${this.id}/stop`)
      .set("x-aglens-control", this.control)
      .send({ keep })
      .expect(200);
    const { body } = await this.#clock.during(stopping.then((answer) => answer));
    return body.captureId;
  }
}

/** A statement of another tool on a server. */
export async function executeOn(standIn: StandIn, sql: string): Promise<void> {
  const { server, login } = attach(standIn);
  const connection = await connect(LiveServer.parse(server), LiveLogin.parse(login), PATIENCE);
  await connection.execute(sql);
  connection.close();
}

/** A quarter of a second of the clock between two looks: a look costs a hundred times as much as the clock's steps. */
const STEP_MS = 250;
/** 30 s of the clock. */
const STEPS_WATCHED = 120;

/** Whether all replicas are read and each has sent events. */
export function isFlowing({ replicas }: LivePicture): boolean {
  return replicas.every(({ state, events }) => state === "reading" && events > 0);
}

function stateOf({ state, replicas, gaps, endings }: LivePicture): string {
  return JSON.stringify({ state, replicas, gaps, endings });
}

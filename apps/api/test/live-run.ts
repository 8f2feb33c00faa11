/** A run over stand-ins, driven through the API as a client would. */
import request from "supertest";
import type { StandIn } from "@aglens/fixtures/replica-standin";
import { LivePicture } from "@aglens/contract";
import type { TestService } from "./service.ts";

/** What a client gives to attach to a stand-in; it makes its own certificate, which nobody vouches for. */
export function attach(standIn: StandIn): { server: object; login: object } {
  return {
    server: { host: standIn.host, port: standIn.port, trustCertificate: true },
    login: { kind: "sql", user: standIn.user, password: standIn.password },
  };
}

export class RunUnderTest {
  readonly #service: TestService;
  readonly id: string;
  readonly control: string;

  constructor(service: TestService, id: string, control: string) {
    this.#service = service;
    this.id = id;
    this.control = control;
  }

  /** Begins a run on these replicas; `more` is put beside each one's server and login. */
  static async begin(
    service: TestService,
    replicas: readonly StandIn[],
    more: object = {},
  ): Promise<RunUnderTest> {
    const { body } = await request(service.app)
      .post("/api/v1/live/runs")
      .send({ title: "Test", replicas: replicas.map((replica) => ({ ...attach(replica), ...more })) })
      .expect(201);
    return new RunUnderTest(service, body.id, body.control);
  }

  /** The whole picture, held against its schema. */
  async picture(): Promise<LivePicture> {
    const { body } = await request(this.#service.app).get(`/api/v1/live/runs/${this.id}`).expect(200);
    return LivePicture.parse(body);
  }

  /** The first picture for which `is` holds. @throws Error after ten seconds, with what `shown` tells of the last one */
  async until(is: (picture: LivePicture) => boolean, seconds = 10): Promise<LivePicture> {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const picture = await this.picture();
      if (is(picture)) return picture;
      if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${told(picture)}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }

  async stop(keep = true): Promise<string | null> {
    const { body } = await request(this.#service.app)
      .post(`/api/v1/live/runs/${this.id}/stop`)
      .set("x-aglens-control", this.control)
      .send({ keep })
      .expect(200);
    return body.captureId;
  }
}

/** Whether all replicas are read and events came of each. */
export function isFlowing({ replicas }: LivePicture): boolean {
  return replicas.every(({ state, events }) => state === "reading" && events > 0);
}

function told({ state, replicas, gaps, endings }: LivePicture): string {
  return JSON.stringify({ state, replicas, gaps, endings });
}

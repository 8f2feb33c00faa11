import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { Watch, Watches } from "@aglens/contract";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandInGroup } from "@aglens/fixtures/replica-standin";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attach } from "../../test/live-run.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { sharedPlace } from "../../test/two-servers.ts";
import type { SharedPlace, TestServer } from "../../test/two-servers.ts";
import { until } from "../../test/until.ts";
import { definitionOf } from "../../test/watch.ts";

const LOGIN = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))(
  "a watch of two servers, with PostgreSQL's programs in /usr/lib/postgresql",
  () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres(POSTGRES_PROGRAMS);
    });
    afterAll(() => postgres.end());

    let group: StandInGroup;
    let place: SharedPlace;
    let north: TestServer;
    let south: TestServer;
    beforeEach(async () => {
      group = await startGroup({ secondaries: 0, login: LOGIN });
      place = await sharedPlace(await postgres.newPlace());
      const watchFile = join(place.directory, "watch.json");
      const sales = { ...LOGIN, password: { value: LOGIN.password } };
      await writeFile(watchFile, JSON.stringify({ logins: { sales } }));
      [north, south] = [await place.open("north", { watchFile }), await place.open("south", { watchFile })];
    });
    afterEach(async () => {
      await place.end();
      await group.close();
    });

    const watchAt = async ({ app }: TestServer): Promise<Watch | undefined> =>
      Watches.parse((await request(app).get("/api/v1/watches").expect(200)).body).watches[0];
    const post = ({ app }: TestServer, path: string, body: object) =>
      request(app).post(`/api/v1/watches${path}`).send(body);
    const made = async (): Promise<string> => {
      const servers = group.replicas.map((replica) => attach(replica).server);
      const body = definitionOf(servers, { group: "TestAG", everySeconds: 1 });
      return Watch.parse((await post(north, "", body).expect(201)).body).id;
    };
    /** Logins, each of which begins with this statement. */
    const connections = (): number =>
      group.replicas[0]?.statements().filter((sql) => sql.includes("HAS_PERMS_BY_NAME")).length ?? 0;
    const isPolledBy = (server: TestServer, name: string | null) =>
      until(async () => {
        const watch = await watchAt(server);
        return watch?.state === "watching" && watch.replicas[0]?.polled !== null && watch.onServer === name;
      });

    test("is run by one of them, shown by both, and taken over by the other", async () => {
      const id = await made();
      await isPolledBy(north, null);
      await isPolledBy(south, "north");
      expect(connections()).toBe(1);
      await north.close();
      await isPolledBy(south, null);
      expect(connections()).toBe(2);
      expect((await watchAt(south))?.id).toBe(id);
    });

    test("is recorded, paused and deleted at the other one", async () => {
      const id = await made();
      await isPolledBy(south, "north");
      const { body } = await post(south, `/${id}/record`, {}).expect(201);
      expect(body).toMatchObject({ trigger: { rule: "hand" } });
      await post(south, `/${id}/pause`, { isPaused: true }).expect(200);
      await until(async () => (await watchAt(north))?.state === "paused");
      await until(() => group.replicas[0]?.sessions().length === 0);
      await request(south.app).delete(`/api/v1/watches/${id}`).expect(204);
      await until(async () => (await watchAt(north)) === undefined);
    });
  },
);

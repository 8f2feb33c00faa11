import type { LiveLeftSession as LeftSession, StatusServer } from "@aglens/contract";
import { sql } from "kysely";
import request from "supertest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { z } from "zod";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { sharedPlace } from "../../test/two-servers.ts";
import type { SharedPlace, TestServer } from "../../test/two-servers.ts";
import { until } from "../../test/until.ts";
import { openPostgres } from "../store/postgres/database.ts";

type LiveLeftSession = z.infer<typeof LeftSession>;

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))(
  "what one of two servers stores, with PostgreSQL's programs in /usr/lib/postgresql,",
  () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres(POSTGRES_PROGRAMS);
    });
    afterAll(() => postgres.end());

    let url: string;
    let place: SharedPlace;
    let north: TestServer;
    let south: TestServer;
    beforeEach(async () => {
      url = await postgres.newPlace();
      place = await sharedPlace(url);
      north = await place.open("north");
      south = await place.open("south");
    });
    afterEach(() => place.end());

    /** A capture with a file. @returns its id */
    async function captureAt({ app }: TestServer, name: string): Promise<string> {
      const { body } = await request(app).post("/api/v1/captures").send({ name }).expect(201);
      await request(app)
        .post(`/api/v1/captures/${body.id}/files?name=a.xel`)
        .type("application/octet-stream")
        .send("abc")
        .expect(201);
      return body.id;
    }
    const namesAt = async ({ app }: TestServer, view = "all"): Promise<string[]> => {
      const { body } = await request(app).get(`/api/v1/library?view=${view}`).expect(200);
      return body.captures.map(({ name }: { readonly name: string }) => name);
    };

    test("the other lists at once: captures that are made, named, deleted and restored", async () => {
      expect(await namesAt(south)).toEqual([]);
      const id = await captureAt(north, "Night");
      expect(await namesAt(south)).toEqual(["Night"]);
      for (let turn = 0; turn < 20; turn++) {
        const [here, there] = turn % 2 === 0 ? [north, south] : [south, north];
        await request(here.app)
          .patch(`/api/v1/captures/${id}`)
          .send({ name: `Night ${turn}` })
          .expect(200);
        expect(await namesAt(there)).toEqual([`Night ${turn}`]);
      }
      await request(north.app).delete(`/api/v1/captures/${id}`).expect(204);
      expect(await namesAt(south)).toEqual([]);
      expect(await namesAt(south, "trash")).toEqual(["Night 19"]);
      await request(south.app).post(`/api/v1/captures/${id}/restore`).expect(200);
      expect(await namesAt(north)).toEqual(["Night 19"]);
      await request(south.app).delete(`/api/v1/captures/${id}?forGood=true`).expect(204);
      expect(await namesAt(north)).toEqual([]);
    });

    test("both say in their status which servers there are, and which of them answers", async () => {
      const answers = await Promise.all([north, south].map(({ app }) => request(app).get("/api/v1/status")));
      const seen = answers.map(({ body }) =>
        body.server.servers.map(({ name, isRunning, isThis }: StatusServer) => [name, isRunning, isThis]),
      );
      expect(seen).toEqual([
        [
          ["north", true, true],
          ["south", true, false],
        ],
        [
          ["north", true, false],
          ["south", true, true],
        ],
      ]);
    });

    test("a live run's address begins with its server's name, and the other names that server", async () => {
      const replica = {
        server: { host: "127.0.0.1", port: 1 },
        login: { kind: "sql", user: "x", password: "x" },
      };
      const { body: run } = await request(north.app)
        .post("/api/v1/live/runs")
        .send({ title: "Test", replicas: [replica] })
        .expect(201);
      expect(run.id).toMatch(/^north~[\w-]{22}$/u);
      await request(north.app).get(`/api/v1/live/runs/${run.id}`).expect(200);
      const { body } = await request(south.app).get(`/api/v1/live/runs/${run.id}`).expect(421);
      expect(body).toMatchObject({
        code: "live-run-elsewhere",
        detail: expect.stringContaining("This run is at the server north"),
      });
      await request(south.app).get("/api/v1/live/runs/south~gone").expect(404);
    });

    test("all list the sessions that a run of any of them left on a SQL Server; of one that has died any forgets them", async () => {
      const database = await openPostgres({ url, passwordFile: null }, () => {});
      onTestFinished(() => database.destroy());
      await sql`INSERT INTO servers (name, home, process, version, seen)
        VALUES ('west', 'w', 'w', '1', now() - interval '1 hour')`.execute(database);
      for (const server of ["north", "west"]) {
        const session = {
          id: `${server}~1`,
          name: "SQL1",
          session: `aglens_${server}`,
          problem: "It was lost.",
        };
        await sql`INSERT INTO facts (name, value) VALUES
          (${`sessions left on servers, server ${server}`}, ${JSON.stringify({ sessions: [session] })})`.execute(
          database,
        );
      }
      const leftAt = async ({ app }: TestServer): Promise<string[]> => {
        const { body } = await request(app).get("/api/v1/live/leftovers").expect(200);
        return body.sessions.map(({ session, problem }: LiveLeftSession) => `${session}: ${problem}`);
      };
      const ofNorth = "aglens_north: It was lost. Its run was at north.";
      expect(await leftAt(south)).toEqual([ofNorth, "aglens_west: It was lost. Its run was at west."]);
      const refused = await request(south.app).delete("/api/v1/live/leftovers/north~1").expect(421);
      expect(refused.body.detail).toContain("This session is at the server north");
      await request(south.app).delete("/api/v1/live/leftovers/west~1").expect(204);
      expect(await leftAt(south)).toEqual([ofNorth]);
      // Its own are known to it again when it starts.
      await north.close();
      north = await place.open("north");
      expect(await leftAt(north)).toEqual(["aglens_north: It was lost."]);
      await request(north.app).delete("/api/v1/live/leftovers/north~1").expect(204);
      expect([await leftAt(north), await leftAt(south)]).toEqual([[], []]);
    });

    test("the other lists too where it could not hear of it: after the database was away everything is read again", async () => {
      const kept = await captureAt(north, "Kept");
      const gone = await captureAt(north, "Gone");
      expect(await namesAt(south)).toEqual(expect.arrayContaining(["Kept", "Gone"]));
      await postgres.restart();
      await until(async () => {
        const renamed = await request(north.app)
          .patch(`/api/v1/captures/${kept}`)
          .send({ name: "Still here" });
        return renamed.status === 200;
      });
      await request(north.app).delete(`/api/v1/captures/${gone}?forGood=true`).expect(204);
      await until(async () => (await request(south.app).get("/api/v1/library")).status === 200);
      expect(await namesAt(south)).toEqual(["Still here"]);
    });
  },
);

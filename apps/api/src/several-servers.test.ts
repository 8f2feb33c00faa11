import request from "supertest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POSTGRES_PROGRAMS, startPostgres } from "../test/postgres.ts";
import type { TestPostgres } from "../test/postgres.ts";
import { sharedPlace } from "../test/two-servers.ts";
import type { SharedPlace, TestServer } from "../test/two-servers.ts";

describe.skipIf(POSTGRES_PROGRAMS === null)(
  "two servers, with PostgreSQL's programs in /usr/lib/postgresql",
  () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres(POSTGRES_PROGRAMS ?? "");
    });
    afterAll(() => postgres.end());

    let place: SharedPlace;
    let north: TestServer;
    let south: TestServer;
    beforeEach(async () => {
      place = await sharedPlace(await postgres.newPlace());
      north = await place.open("north");
      south = await place.open("south");
    });
    afterEach(() => place.end());

    test("have the same captures and files, and both change them", async () => {
      const { body: capture } = await request(north.app)
        .post("/api/v1/captures")
        .send({ name: "Night" })
        .expect(201);
      await request(south.app)
        .post(`/api/v1/captures/${capture.id}/files?name=a.xel`)
        .type("application/octet-stream")
        .send("abc")
        .expect(201);
      const { body } = await request(north.app).get(`/api/v1/captures/${capture.id}`).expect(200);
      expect(body).toMatchObject({ name: "Night", files: [{ name: "a.xel", size: 3 }] });
    });
  },
);

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import type { CaptureFile } from "@aglens/contract";
import { filetimeText, readXelBytes, type XelEvent } from "xel-parser/format";
import { describeReference } from "@aglens/reference-data";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT, testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;
let id: string;

beforeEach(async () => {
  service = await testService();
  id = (await request(service.app).post("/api/v1/captures").send({})).body.id;
});
afterEach(() => service.end());

async function upload(name: string, bytes: Uint8Array): Promise<CaptureFile> {
  const { body } = await request(service.app)
    .post(`/api/v1/captures/${id}/files`)
    .query({ name })
    .type("application/octet-stream")
    .send(Buffer.from(bytes))
    .expect(201);
  return body.files[0];
}

/** An event as sys.fn_xe_file_target_read_file prints it, with all decimals of its time. */
function eventXml({ name, ticks, fields }: XelEvent): string {
  const data = Object.entries(fields).map(
    ([field, value]) => `<data name="${field}"><value>${String(value)}</value></data>`,
  );
  return `<event name="${name}" package="sqlserver" timestamp="${filetimeText(ticks)}">${data.join("")}</event>`;
}

describe("recognition", () => {
  test("says which file is unreadable, where, and what follows", async () => {
    const file = await upload("notes.xel", new TextEncoder().encode("not an event file"));
    expect(file).toMatchObject({ kind: "unreadable", role: "ignored", events: 0 });
    expect(file.message).toMatch(/^notes\.xel, byte 0: .*The analysis skips the file\.$/u);
  });

  test("an empty file is unreadable", async () => {
    expect(await upload("empty.xel", new Uint8Array(0))).toMatchObject({ kind: "unreadable" });
  });

  test.each([
    ["utf-8", (text: string) => new TextEncoder().encode(text)],
    ["UTF-16", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ])("a topology XML is known by its root, in %s", async (_, encode) => {
    expect(await upload("ag.xml", encode("<AGInfoRoot><AGs/></AGInfoRoot>"))).toMatchObject({
      kind: "topology",
    });
  });

  test("a topology of a size that none has is left out", async () => {
    const xml = (bytes: number): Uint8Array => Buffer.from("<AGInfoRoot></AGInfoRoot>".padEnd(bytes));
    const most = 4 * 1024 * 1024;
    expect((await upload("ag.xml", xml(most))).kind).toBe("topology");
    const file = await upload("ag.xml", xml(most + 1));
    expect(file).toMatchObject({ kind: "unreadable", message: expect.stringContaining("4,194,305 bytes") });
  });

  test("other XML is not a topology", async () => {
    const file = await upload("config.xml", new TextEncoder().encode("<configuration/>"));
    expect(file).toMatchObject({ kind: "evidence", role: "ignored", evidenceFile: { state: "notUsed" } });
  });

  test("events saved as XML or CSV take part like the file they came from", async () => {
    const folder = join(ROOT, "fixtures/captures/slow-secondary-disk/primary");
    const original = elementAt(await readdir(folder), 0);
    const bytes = await readFile(join(folder, original));
    const file = await upload(original, bytes);
    const events = readXelBytes(bytes).events.map(eventXml);
    const xml = await upload("events.xml", new TextEncoder().encode(events.join("\n")));
    const rows = events.map((event) => `"${event.replaceAll('"', '""')}"`);
    const csv = await upload("events.csv", new TextEncoder().encode(`event_data\r\n${rows.join("\r\n")}`));
    for (const text of [xml, csv]) {
      expect(text).toMatchObject({
        kind: "xel",
        gaps: [],
        events: file.events,
        from: file.from,
        to: file.to,
        detectedRole: "primary",
        evidence: file.evidence,
        replicaId: file.replicaId,
        partnerIds: file.partnerIds,
      });
    }
    await request(service.app).delete(`/api/v1/captures/${id}/files/${file.id}`).expect(204);
    await request(service.app).delete(`/api/v1/captures/${id}/files/${csv.id}`).expect(204);
    await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
  });

  test("rows of a CSV without an event are reported, at the upload and by the analysis", async () => {
    const folder = join(ROOT, "fixtures/captures/slow-secondary-disk/primary");
    const original = elementAt(await readdir(folder), 0);
    const events = readXelBytes(await readFile(join(folder, original))).events.map(eventXml);
    events[20] = '<event name="log_flush_start" package="sqlserver" timestamp="once"></event>';
    const rows = events.map((event) => `"${event.replaceAll('"', '""')}"`);
    const file = await upload("events.csv", new TextEncoder().encode(`event_data\r\n${rows.join("\r\n")}`));
    const gap = {
      code: "bad-event",
      message: expect.stringMatching(/^Row 22 of the CSV contains no event/u),
    };
    expect(file).toMatchObject({ events: events.length - 1, gaps: [gap] });
    await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
    await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200);
    const { body } = await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(200);
    expect(body.files).toMatchObject([{ name: "events.csv", gaps: [gap] }]);
    expect(body.warnings).toContainEqual(expect.stringContaining("could not be read"));
  });

  test("a topology gives the names of replicas, the primary's events name the others", async () => {
    const folder = join(ROOT, "fixtures/captures/two-secondaries");
    const topology = await upload("ag.xml", await readFile(join(folder, "topology.xml")));
    expect(Object.values(topology.replicaNames).toSorted()).toEqual(["SQL1", "SQL2", "SQL3"]);
    const name = elementAt(await readdir(join(folder, "primary")), 0);
    const primary = await upload(name, await readFile(join(folder, "primary", name)));
    const others = primary.partnerIds.filter((partner) => partner !== primary.replicaId);
    expect(others.map((partner) => topology.replicaNames[partner] ?? "").toSorted()).toEqual([
      "SQL2",
      "SQL3",
    ]);
  });

  test("a gap names the last event before it", async () => {
    const folder = join(ROOT, "fixtures/captures/slow-secondary-disk/primary");
    const name = elementAt(await readdir(folder), 0);
    const bytes = await readFile(join(folder, name));
    const file = await upload("cut.xel", bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const gap = file.gaps.at(-1);
    expect(gap?.before?.name).toMatch(/^(?:hadr|log|ucs|recovery)_/u);
    expect(gap?.before?.at).toBe(file.to);
    expect(gap?.after).toBeNull();
  });

  // Roles as in the names of the reference captures' folders; replica ids as in docs/contribute/model/events.md 1.1.
  describeReference(
    {
      folder: "captures",
      tests: 1,
      prove: "the roles of files with exported rows of real servers are known from their events",
    },
    (captures) => {
      test("roles are known from the exported events of real servers", async () => {
        for (const role of ["primary", "secondary"] as const) {
          const folder = join(captures, "2017-two-secondaries", role);
          for (const name of await readdir(folder)) {
            const file = await upload(name, await readFile(join(folder, name)));
            expect(file).toMatchObject({ kind: "xel", role, detectedRole: role, gaps: [] });
            expect(file.from).toMatch(/^2017-10-23T20:12:\d\d\.\d{7}Z$/u);
          }
        }
      });
    },
  );
});

/** Events of availability groups that were saved as text go to the same columns as those of .xel files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filetimeText, readXelBytes, type XelEvent } from "xel-parser/format";
import { xelOfText } from "xel-parser/text-events";
import { agTypeOf, idsIn, readEvents } from "./index.ts";

const GUID = "60AA9FBF-673B-4553-B7ED-71DCA7F5E972";
const TEXT =
  '<event name="hadr_capture_log_block" package="sqlserver" timestamp="2026-01-02T03:04:05.006Z">' +
  '<data name="log_block_id"><value>206158430211</value></data><data name="log_block_size"><value>3</value></data>' +
  `<data name="availability_replica_id"><value>${GUID}</value></data>` +
  '<data name="start_timestamp"><value>1000</value></data><data name="processing_time"><value>5</value></data>' +
  '<data name="mode"><value>2</value></data><action name="event_sequence" package="package0"><value>7</value></action></event>' +
  '<event name="hadr_database_flow_control_action" package="sqlserver" timestamp="2026-01-02T03:04:04.006Z">' +
  '<data name="control_action"><value>1</value><text>Set</text></data><data name="duration"><value>9</value></data></event>';

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test("the data movement events go to their columns", async () => {
  const columns = await readEvents(
    xelOfText(() => once(new TextEncoder().encode(TEXT)), "xml", { typeOf: agTypeOf }),
    "events.xml",
  );
  expect(columns.length).toBe(2);
  // Rows are in publish order: the flow control event fired first.
  expect([...columns.blockId]).toEqual([0n, 206158430211n]);
  expect(columns.size[1]).toBe(1536);
  expect(columns.mode[1]).toBe(2);
  expect(columns.texts[columns.partner[1]]).toBe(GUID.toLowerCase());
  expect(columns.texts[columns.action[0]]).toBe("Set");
  expect(columns.processing[0]).toBe(9);
});

test("an id of zeros is no id", async () => {
  const zeros = TEXT.replace(GUID, "00000000-0000-0000-0000-000000000000");
  const columns = await readEvents(
    xelOfText(() => once(new TextEncoder().encode(zeros)), "xml", { typeOf: agTypeOf }),
    "events.xml",
  );
  expect(columns.texts[columns.partner[1]]).toBe("");
  expect(idsIn(columns, "partner")).toEqual([]);
});

/** An event as sys.fn_xe_file_target_read_file prints it, with all decimals of its time. */
function printed({ name, ticks, fields }: XelEvent): string {
  const data = Object.entries(fields).map(([field, value]) => {
    const isMap = field === "control_action" || field === "commit_policy";
    const shown = isMap ? `<value>0</value><text>${String(value)}</text>` : `<value>${String(value)}</value>`;
    return `<data name="${field}">${shown}</data>`;
  });
  return `<event name="${name}" package="sqlserver" timestamp="${filetimeText(ticks)}">${data.join("")}</event>`;
}

const CAPTURE = join(import.meta.dirname, "../../../../fixtures/captures/slow-secondary-disk");

describe.each(["primary", "secondary"])("a whole capture, %s", (role) => {
  const [name] = readdirSync(join(CAPTURE, role));
  const bytes = readFileSync(join(CAPTURE, role, name));

  test("has the same columns when it comes from XML", async () => {
    const expected = await readEvents(once(bytes), name);
    const xml = new TextEncoder().encode(readXelBytes(bytes).events.map(printed).join("\r\n"));
    const columns = await readEvents(
      xelOfText(() => once(xml), "xml", { typeOf: agTypeOf }),
      name,
    );
    expect(columns.length).toBe(expected.length);
    for (const column of [
      "kind",
      "ticks",
      "start",
      "processing",
      "blockId",
      "mode",
      "size",
      "databaseId",
    ] as const)
      expect(columns[column], column).toEqual(expected[column]);
    for (const column of ["database", "self", "partner", "action"] as const)
      expect(
        Array.from(columns[column], (i) => columns.texts[i]),
        column,
      ).toEqual(Array.from(expected[column], (i) => expected.texts[i]));
  });
});

test("a file of another format version is read with force, and refused without", async () => {
  const folder = join(CAPTURE, "primary");
  const sound = readFileSync(join(folder, readdirSync(folder)[0]));
  const other = Uint8Array.from(sound);
  new DataView(other.buffer).setUint16(4, 11, true);
  const columns = await readEvents(once(other), "other.xel", { force: true });
  expect(columns).toEqual(await readEvents(once(sound), "other.xel"));
  await expect(readEvents(once(other), "other.xel")).rejects.toMatchObject({ code: "unsupported-version" });
});

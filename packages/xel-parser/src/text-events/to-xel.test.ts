import { expect, test } from "vitest";
import { readXel, type XelEvent } from "../format/index.ts";
import { readEventXml, xelOfText, type TypeOf } from "./index.ts";

const GUID = "60AA9FBF-673B-4553-B7ED-71DCA7F5E972";
const TEXT =
  '<event name="hadr_capture_log_block" package="sqlserver" timestamp="2026-01-02T03:04:05.006Z">' +
  '<data name="log_block_id"><value>206158430211</value></data><data name="log_block_size"><value>3</value></data>' +
  `<data name="availability_replica_id"><value>${GUID}</value></data>` +
  '<data name="start_timestamp"><value>1000</value></data><data name="processing_time"><value>5</value></data>' +
  '<data name="mode"><value>2</value></data><action name="event_sequence" package="package0"><value>7</value></action></event>' +
  '<event name="hadr_database_flow_control_action" package="sqlserver" timestamp="2026-01-02T03:04:04.006Z">' +
  '<data name="control_action"><value>1</value><text>Set</text></data><data name="duration"><value>9</value></data></event>' +
  '<event name="wait_info" package="sqlos" timestamp="2026-01-02T03:04:06Z"><data name="mixed"><value>1</value></data>' +
  '<data name="ratio"><value>0.5</value></data><data name="done"><value>true</value></data></event>' +
  '<event name="wait_info" package="sqlos" timestamp="2026-01-02T03:04:06Z"><data name="mixed"><value>one</value></data>' +
  '<data name="ratio"><value>2</value></data><data name="later"><value>18446744073709551615</value></data></event>';

async function* text(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(TEXT);
}

async function eventsOf(source: AsyncIterable<XelEvent>): Promise<XelEvent[]> {
  const events: XelEvent[] = [];
  for await (const event of source) events.push(event);
  return events;
}

/** Types of the first two events; the types of `wait_info` have to be recognized. */
const TYPES: Readonly<Record<string, string>> = {
  log_block_id: "uint64",
  log_block_size: "uint32",
  availability_replica_id: "guid",
  start_timestamp: "int64",
  processing_time: "int64",
  mode: "uint32",
  event_sequence: "uint64",
  control_action: "map",
  duration: "int64",
};
const typeOf: TypeOf = (_, field) => TYPES[field];

const asFile = () => xelOfText(text, "xml", { typeOf });

test("the file holds the same events, values that do not agree in type as text", async () => {
  const printed = await eventsOf(readEventXml(text(), { typeOf }));
  const written = await eventsOf(readXel(asFile()));
  expect(written.map(({ name, package: owner, ticks }) => [name, owner, ticks])).toEqual(
    printed.map(({ name, package: owner, ticks }) => [name, owner, ticks]),
  );
  expect(written[0].fields).toEqual(printed[0].fields);
  expect(written[0].actions).toEqual({ event_sequence: 7n });
  expect(written[1].fields).toEqual(printed[1].fields);
  // .xel files have no null: a missing value of an event is zero or empty (docs/reference/xel-format.md 4.1).
  expect(written[2].fields).toEqual({ mixed: "1", ratio: "0.5", done: true, later: 0n });
  expect(written[3].fields).toEqual({ mixed: "one", ratio: "2", done: false, later: 18446744073709551615n });
});

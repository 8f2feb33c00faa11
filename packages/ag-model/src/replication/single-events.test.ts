import { expect, it } from "vitest";
import { eventColumns } from "../../test/events.ts";
import { placesOf } from "../../test/servers.ts";
import { EVENTS } from "../events/index.ts";
import { prepareEvents } from "./prepared-events.ts";

it("are those that joins look at one by one, and those of which it is not known when they fired", () => {
  const { single, places } = prepareEvents(
    eventColumns([
      { kind: "flushStart", at: 1 },
      { kind: "commit", at: 2, took: 3, block: 2n ** 40n + 7n, partner: "b" },
      { kind: "capture", at: 6, took: 0 },
      { kind: "flushStart", published: 7 },
      { kind: "databaseFlowControl", published: 8, action: "Set" },
    ]),
  );
  expect(placesOf(places).isSingle).toEqual([0, 1, 0, 1, 1]);
  expect(places.length).toBe(5);
  const { columns } = single;
  expect(Array.from(columns.kind, (kind) => EVENTS[kind].name)).toEqual([
    "recovery_unit_harden_log_timestamps",
    "log_flush_start",
    "hadr_database_flow_control_action",
  ]);
  expect(columns.blockId[0]).toBe(2n ** 40n + 7n);
  expect([columns.texts[columns.partner[0]], columns.texts[columns.action[2]]]).toEqual(["b", "Set"]);
  expect([...single.fire]).toEqual([5, Number.NaN, Number.NaN]);
  expect([...single.late]).toEqual([1, 2]);
});

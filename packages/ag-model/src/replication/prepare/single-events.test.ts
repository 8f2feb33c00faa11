import { expect, it } from "vitest";
import { eventColumns } from "../../../test/events.ts";
import { placesOf } from "../../../test/servers.ts";
import { EVENTS } from "../../events/index.ts";
import { PackedColumn } from "../../numbers/index.ts";
import { prepareEvents } from "./prepared-events.ts";

it("are those that joins look at one by one, and those of which it is not known when they fired", () => {
  const { blocks, examples, ids, single, places } = prepareEvents(
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
  const id = blocks.id[single.blockOf[0]];
  expect([ids.high[id], ids.low[id]]).toEqual([256, 7]);
  expect(examples.texts[examples.partner[single.shapeOf[0]]]).toBe("b");
  expect(columns.texts[new PackedColumn(single.action).at(2)]).toBe("Set");
  expect([0, 1, 2].map((event) => new PackedColumn(single.published).at(event))).toEqual([40, 60, 70]);
  expect([...single.late]).toEqual([1, 2]);
});

import { expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { placesOf } from "../../../test/servers.ts";
import { NO_DATABASE } from "./own-databases.ts";
import { prepareEvents } from "./prepared-events.ts";

const received = (database: string, block: bigint): EventSpec => ({
  kind: "transportReceive",
  mode: 2,
  took: 0,
  database,
  block,
});
const written = (local: number, block: bigint): EventSpec => ({ kind: "flushStart", local, block });
const sent = (block: bigint): EventSpec => ({ kind: "ackSendComplete", took: 0, block });

function prepared(...events: EventSpec[]) {
  const { ids, databases, blocks, places } = prepareEvents(
    eventColumns(events.map((event, at) => ({ ...event, at }))),
  );
  return {
    guids: databases.guids,
    localIds: databases.localIds,
    ofEvents: [...placesOf(places).block],
    blocks: Array.from({ length: blocks.length }, (_, block) => [
      databases.guids[blocks.database[block]] ?? blocks.database[block],
      ids.low[blocks.id[block]],
    ]),
  };
}

it("are numbered as events name them, one of each id in each database and one for events that name none", () => {
  const found = prepared(
    received("sales", 20n),
    received("orders", 10n),
    received("orders", 20n),
    sent(20n),
    written(5, 20n),
    written(5, 10n),
    sent(20n),
  );
  expect(found.guids).toEqual(["sales", "orders"]);
  // Both are named with 20, sales alone is not named with 10.
  expect(found.localIds).toEqual([-1, 5]);
  expect(found.ofEvents).toEqual([0, 1, 2, 3, 2, 1, 3]);
  expect(found.blocks).toEqual([
    ["sales", 20],
    ["orders", 10],
    ["orders", 20],
    [NO_DATABASE, 20],
  ]);
});

it("leave out the events of a foreign database", () => {
  const master = [31n, 32n, 33n, 34n, 20n].map((block) => written(1, block));
  const { ofEvents, blocks } = prepared(received("sales", 20n), written(5, 20n), ...master);
  expect(ofEvents).toEqual([0, 0, -1, -1, -1, -1, -1]);
  expect(blocks).toEqual([["sales", 20]]);
});

import { expect, test } from "vitest";
import { UTC } from "../ui/zone.ts";
import { placedNote, placeText, ticksOfPlace, writtenText } from "./placed-note.ts";

const ORIGIN = "131069746155000000";

test("a place is sent as instants that do not depend on time 0, and comes back", () => {
  const place = { from: 68_177_504.3, to: 68_616_672, lsn: "00000022:000001f7" };
  const sent = ticksOfPlace(place, ORIGIN);
  // 100 ns each.
  expect(sent).toEqual({
    fromTicks: "131069746836775043",
    toTicks: "131069746841166720",
    lsn: place.lsn,
  });
  const rest = { id: "n", text: "SAN snapshot?", written: "2026-11-21T14:32:00.000Z" };
  expect(placedNote({ ...sent, ...rest }, ORIGIN)).toEqual({ ...place, ...rest });
  // A file that was added moves time 0 one second back.
  const earlier = String(BigInt(ORIGIN) - 10_000_000n);
  expect(placedNote({ ...sent, ...rest }, earlier).to).toBe(69_616_672);
});

test("a note says what it is on and when it was written", () => {
  expect(placeText({ from: 32e6, to: 67.6e6, lsn: null })).toBe("on a range, 35.6\u2009s");
  expect(placeText({ from: 0, to: 1, lsn: "00000022:000001f7" })).toBe("on block …1f7");
  expect(writtenText("2026-11-21T14:32:59.999Z", UTC)).toBe("21 Nov 14:32");
});

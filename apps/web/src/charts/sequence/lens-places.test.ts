import { describe, expect, it } from "vitest";
import { frameOf, sequenceEvent, EVEN_BLOCK } from "../../../test/sequence.ts";
import { LENS_WIDTH, placedLenses } from "./lens-places.ts";
import { typicalPlace } from "./typical-place.ts";

/** Events for all four lenses: the send at 2 ms, the secondary's at 30 and 62 ms, the acknowledgment at 91 ms. */
const EVENTS = [
  sequenceEvent(0, "hadr_log_block_send_complete", 2_000),
  sequenceEvent(1, "hadr_transport_receive_log_block_message", 30_000),
  sequenceEvent(1, "log_flush_complete", 61_000),
  sequenceEvent(1, "hadr_lsn_send_complete", 62_000),
  sequenceEvent(0, "hadr_receive_harden_lsn_message", 91_000, { secondary: 0 }),
];
const SEQUENCE = { ...EVEN_BLOCK, events: EVENTS };

const keysAndLefts = (more: Parameters<typeof frameOf>[0], place: "primary" | "secondary") =>
  placedLenses(frameOf({ sequence: SEQUENCE, ...more }), place).map(({ lens, left }) => [lens.key, left]);

describe("lenses", () => {
  it("stand over what they magnify, inside the picture", () => {
    // The first would reach from -14 px; the last ends 10 px into the right margin, at 1,162.
    expect(keysAndLefts({}, "primary")).toEqual([
      ["send", 148],
      ["release", 1_162 - LENS_WIDTH],
    ]);
  });

  it("of the secondary stand in its own row, moved apart where they would touch", () => {
    // Over 45.2 px and 61.5 ms: 452 and 767 px in their middle; the second follows 12 px after the first.
    const lefts = keysAndLefts({}, "secondary");
    expect(lefts).toEqual([
      ["receive", 452 - LENS_WIDTH / 2],
      ["acknowledge", 452 + LENS_WIDTH / 2 + 12],
    ]);
  });

  it("have the acknowledgment in place of the release where something else let the commits go", () => {
    expect(keysAndLefts({ sequence: { ...SEQUENCE, gate: 1 } }, "primary").map(([key]) => key)).toEqual([
      "send",
      "ack",
    ]);
  });

  it("are none where there is no room for them", () => {
    expect(keysAndLefts({ lenses: false }, "primary")).toEqual([]);
  });

  it("keep to the stretch that the picture shows", () => {
    const late = [
      ...EVENTS,
      sequenceEvent(0, "recovery_unit_harden_log_timestamps", 900_000, { secondary: 0 }),
    ];
    const [, [, left]] = keysAndLefts({ sequence: { ...SEQUENCE, events: late } }, "primary");
    expect(left).toBe(1_162 - LENS_WIDTH);
  });
});

describe("the place of a typical block", () => {
  const slow = (typical: number | null, more: Parameters<typeof frameOf>[0] = {}) => {
    const [hop] = SEQUENCE.hops;
    const own = { ...hop, typical: { ...hop.typical, remoteHarden: typical } };
    return typicalPlace(frameOf({ sequence: { ...SEQUENCE, hops: [own] }, ...more }));
  };

  it("is left of the lenses where they leave enough room", () => {
    // From 148 to the first lens at 266 less 24 px are 94 px: too few for its title. After the second, at 650 + 372 +
    // 24 = 1,046, 106 px.
    expect(slow(10_000)).toEqual({ left: 148, extra: 40 });
    expect(slow(10_000, { lenses: false })).toEqual({ left: 148, extra: 0 });
  });

  it("is behind the lenses where that has room for the bar and its figure", () => {
    const wide = (width: number) => slow(10_000, { width });
    // The bar needs 100 px and its figure 76, from 1,046 px on.
    expect(wide(1_046 + 176 + 34)).toEqual({ left: 1_046, extra: 0 });
    expect(wide(1_046 + 175 + 34)).toEqual({ left: 148, extra: 40 });
    // A short bar still needs the room of its title.
    const short = (width: number) => slow(1_000, { width });
    expect(short(1_046 + 160 + 34)).toEqual({ left: 1_046, extra: 0 });
    expect(short(1_046 + 159 + 34)).toEqual({ left: 148, extra: 40 });
  });

  it("is none for a block that took less than twice as long, in even steps, and where nothing is typical", () => {
    expect(slow(45_000)).not.toBeNull();
    expect(slow(45_001)).toBeNull();
    expect(slow(10_000, { even: true })).toBeNull();
    expect(slow(null)).toBeNull();
    expect(slow(10_000, { hop: undefined })).toBeNull();
  });
});

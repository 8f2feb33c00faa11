import { expect, test } from "vitest";
import { end, leave, restore, trash } from "./capture-state.ts";
import type { CaptureLife } from "./capture-state.ts";

const [SINCE, NOW] = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
const FIGURES = { group: "SALES-AG", from: "2026-10-31T00:00:00.0000000Z" };

const LIVES = {
  listed: { is: "listed" },
  deleted: { is: "trashed", since: SINCE, because: "deleted" },
  expired: { is: "trashed", since: SINCE, because: "expired" },
  leaving: { is: "leaving", since: SINCE, because: "deleted" },
  "leaving, expired": { is: "leaving", since: SINCE, because: "expired" },
  ended: { is: "ended", since: SINCE, ...FIGURES },
} as const satisfies Record<string, CaptureLife>;
type Life = keyof typeof LIVES;

/** By function, what becomes of a life that it leads on from; it leaves all others as they are. */
const LED_ON: readonly (readonly [
  name: string,
  (record: { readonly life: CaptureLife }) => { readonly life: CaptureLife },
  Partial<Record<Life, CaptureLife>>,
])[] = [
  [
    "trash, deleted",
    (record) => trash(record, NOW, "deleted"),
    { listed: { is: "trashed", since: NOW, because: "deleted" } },
  ],
  [
    "trash, expired",
    (record) => trash(record, NOW, "expired"),
    { listed: { is: "trashed", since: NOW, because: "expired" } },
  ],
  ["restore", restore, { deleted: LIVES.listed, expired: LIVES.listed }],
  [
    "leave",
    (record) => leave(record, NOW, false),
    {
      listed: { is: "leaving", since: NOW, because: "deleted" },
      deleted: LIVES.leaving,
      expired: LIVES["leaving, expired"],
    },
  ],
  [
    "leave by somebody's wish",
    (record) => leave(record, NOW, true),
    {
      listed: { is: "leaving", since: NOW, because: "deleted" },
      deleted: LIVES.leaving,
      expired: LIVES.leaving,
      "leaving, expired": LIVES.leaving,
      ended: LIVES.leaving,
    },
  ],
  ["end", (record) => end(record, FIGURES), { "leaving, expired": LIVES.ended }],
];

test.each(
  LED_ON.flatMap(([name, lead, becomes]) =>
    Object.entries(LIVES).map(([from, life]) => [name, from, lead, life, becomes[from as Life]] as const),
  ),
)("%s leads on from %s, or leaves it as it is", (_name, _from, lead, life, becomes) => {
  const record = { id: "a", life };
  const after = lead(record);
  if (becomes === undefined) expect(after).toBe(record);
  else expect(after).toEqual({ id: "a", life: becomes });
});

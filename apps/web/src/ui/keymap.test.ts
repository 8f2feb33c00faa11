import { describe, expect, it } from "vitest";
import { KEYMAP, type KeyEntry } from "./keymap.ts";

const entries: readonly KeyEntry[] = KEYMAP;

/** How a key of the browser is printed on the `?` dialog. */
function printed(key: string): string {
  const names: Readonly<Record<string, string>> = {
    Escape: "Esc",
    " ": "Space",
    Delete: "Del",
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
  };
  return names[key] ?? key;
}

describe("the table of keys", () => {
  it("names each action once and says what it does", () => {
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { does } of entries) expect(does).toMatch(/^\w[\w ,'0-9]+$/u);
  });

  it("prints every action by a key that triggers it", () => {
    for (const { id, keys, shown } of entries) {
      const chords = keys.map((key) =>
        key
          .split("+")
          .filter((part) => part !== "")
          .map(printed),
      );
      const words = shown.map((word) => word.toLowerCase());
      const isPrinted = chords.some((chord) => chord.every((part) => words.includes(part.toLowerCase())));
      // "+" itself is not split above.
      expect([id, isPrinted || shown.includes("+")]).toEqual([id, true]);
      expect(shown.filter((word) => word === "")).toEqual([]);
    }
  });

  it("gives a key one meaning on each screen", () => {
    // Screens without a capture have none of its keys.
    const isOfCapture = (group: string): boolean => group !== "Watches";
    for (const group of new Set(entries.map((entry) => entry.group))) {
      const keys = entries
        .filter(
          (entry) =>
            entry.group === group ||
            entry.group === "Everywhere" ||
            (entry.group === "A capture" && isOfCapture(group)),
        )
        .flatMap((entry) => entry.keys);
      expect([group, keys.filter((key, i) => keys.indexOf(key) !== i)]).toEqual([group, []]);
    }
  });

  it("has no letter with Shift besides the ones that the design lists", () => {
    const shifted = entries.flatMap(({ keys }) => keys).filter((key) => /^Shift\+[A-Z]$/u.test(key));
    expect(shifted.toSorted()).toEqual(["Shift+B", "Shift+J", "Shift+K", "Shift+Y"]);
  });

  it("has the keys that the design names", () => {
    const keysOf = (id: string): readonly string[] => entries.find((entry) => entry.id === id)!.keys;
    expect(keysOf("back")).toEqual(["Escape"]);
    expect(keysOf("zoomIn")).toEqual(["w", "+", "="]);
    expect(keysOf("zoomOut")).toEqual(["s", "-"]);
    expect(keysOf("panLeft")).toEqual(["a", "ArrowLeft"]);
    expect(keysOf("panRight")).toEqual(["d", "ArrowRight"]);
    expect(keysOf("lane")).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    expect(keysOf("group")).toEqual(keysOf("lane").map((digit) => `Shift+${digit}`));
    expect(keysOf("search")).toEqual(["/", "Ctrl+k"]);
  });
});

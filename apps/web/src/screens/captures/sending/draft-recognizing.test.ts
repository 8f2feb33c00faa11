import { expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { createDraft } from "./draft.ts";
import type { DraftClient } from "./draft-types.ts";
import { pickedOf } from "./picked-files.ts";

vi.mock("./recognized-files.ts", () => ({
  beginningOf: null,
  recognizePicked: () => Promise.reject(new Error("Failed to fetch dynamically imported module")),
}));

test("code that can't be loaded to recognize files is a notice, and nothing is sent", async () => {
  const draft = createStore(createDraft({} as unknown as DraftClient));
  await draft.getState().add(pickedOf([new File(["x"], "ERRORLOG")]));
  expect(draft.getState().notice).not.toBeNull();
  expect(draft.getState().notice).not.toContain("recognized");
  expect(draft.getState().uploads).toEqual([]);
});

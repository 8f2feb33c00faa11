import { expect, test } from "vitest";
import { PANE_STAGES, paneStages } from "./stage-names.ts";

test("capture lag is listed before the send, where blocks waited for their capture", () => {
  const listed = paneStages(221_000);
  expect(listed.slice(0, 4)).toEqual(["commitQueue", "localFlush", "captureLag", "send"]);
});

test("a lag that is as ever, negative or not known is no stage", () => {
  for (const us of [72, -37, null, undefined]) expect(paneStages(us)).toEqual(PANE_STAGES);
});

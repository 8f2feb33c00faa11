import { expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { checkCapture } from "./index.ts";
import { checkReport } from "./report.ts";

it("counts blocks that one side has alone, by whether the other side's files cover their time", () => {
  const model = modelOf([{ at: 0 }]);
  const counts = {
    ...model.counts,
    onBoth: 4_378,
    primaryOnly: 821,
    secondaryOnly: 3_946,
    common: { primaryOnly: 21, secondaryOnly: 0, withoutAcknowledgement: 0 },
  };
  const lines = checkReport(checkCapture(model), [], { ...model, counts }).split("\n");
  expect(lines).toContain(
    "821 log blocks only on the primary: 21 in time that both sides cover, 800 outside of it",
  );
  expect(lines).toContain(
    "3,946 log blocks only on secondaries: 0 in time that both sides cover, 3,946 outside of it",
  );
});

it("says nothing of one side where both sides have every block", () => {
  const model = modelOf([{ at: 0 }]);
  expect(checkReport(checkCapture(model), [], model)).not.toContain("only on");
});

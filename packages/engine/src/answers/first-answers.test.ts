import { modelOf } from "@aglens/ag-model/model-for-tests";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { summarise } from "@aglens/ag-model/query";
import { keptAddresses } from "@aglens/contract";
import { expect, test } from "vitest";
import { answer } from "./answer.ts";
import { firstAnswers, questionAt, questionKey } from "./first-answers.ts";

const model = modelOf(
  Array.from({ length: 20 }, (_, block) => ({ at: 1_000 * block })),
  { duration: 20_000 },
);
const summary = summarise(model, "", "", diagnose(model));
const asked = keptAddresses(summary).map(questionAt);

test("the answers of the overview are worked out ahead, but for predictions, and are found again by their questions", async () => {
  const found = await firstAnswers(model, summary);
  const ahead = asked.filter(({ ask }) => ask !== "whatIf" && ask !== "waiting");
  expect(asked.filter(({ ask }) => ask === "whatIf").length).toBeGreaterThan(0);
  expect(found.map(({ key }) => key)).toEqual(ahead.map(questionKey));
  const alone = await Promise.all(
    ahead.map((question) => answer(model, question, () => Promise.resolve(null))),
  );
  expect(found.map(({ type, bytes }) => ({ type, bytes }))).toEqual(alone);
});

test("an address of no question is an error", () => {
  expect(questionAt("waiting")).toEqual({ ask: "waiting" });
  expect(() => questionAt("wait?for=1")).toThrow("No question is asked at wait.");
});

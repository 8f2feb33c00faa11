import { expect, it } from "vitest";
import { decodeLiveView, encodeLiveView, type LiveView } from "./live-view.ts";

const USUAL: LiveView = { database: null, gaugeChoice: {} };

it("is empty for the usual view", () => {
  expect(encodeLiveView(USUAL)).toBe("");
  expect(decodeLiveView("")).toEqual(USUAL);
});

it.each<LiveView>([
  { database: "Sales", gaugeChoice: {} },
  { database: "Sales & Co=1", gaugeChoice: { "sent.NODE1\\AG": true, delay: false } },
  { database: null, gaugeChoice: { "waits.LOGBUFFER": true } },
])("comes back from its query string: %j", (view) => {
  expect(decodeLiveView(`?${encodeLiveView(view)}`)).toEqual(view);
});

it("reads what makes no sense as the usual view", () => {
  expect(decodeLiveView(`?db=${"x".repeat(129)}&lanes=,!,`)).toEqual(USUAL);
  expect(decodeLiveView("?db=&hold=1")).toEqual(USUAL);
});

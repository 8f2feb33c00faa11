import { expect, it } from "vitest";
import { decodeLiveView, encodeLiveView, type LiveView } from "./live-view.ts";

const USUAL: LiveView = { database: null, gaugeChoice: {}, time: null };

it("is empty for the usual view", () => {
  expect(encodeLiveView(USUAL)).toBe("");
  expect(decodeLiveView("")).toEqual(USUAL);
});

it.each<LiveView>([
  { ...USUAL, database: "Sales" },
  { ...USUAL, time: "server" },
  { ...USUAL, database: "Sales & Co=1", gaugeChoice: { "sent.NODE1\\AG": true, delay: false } },
  { ...USUAL, gaugeChoice: { "waits.LOGBUFFER": true } },
])("comes back from its query string: %j", (view) => {
  expect(decodeLiveView(`?${encodeLiveView(view)}`)).toEqual(view);
});

it("reads what makes no sense as the usual view", () => {
  expect(decodeLiveView(`?db=${"x".repeat(129)}&lanes=,!,`)).toEqual(USUAL);
  expect(decodeLiveView("?db=&hold=1&time=moon")).toEqual(USUAL);
});

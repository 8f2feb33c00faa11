import { expect, test, vi } from "vitest";
import { summaryOf } from "../../test/summary.ts";
import type { OpenCapture } from "../screens/capture-view/capture-context.ts";
import { DEFAULT_VIEW } from "../state/view.ts";
import { type Command, commandsOf, matchingCommands } from "./commands.ts";

const OPEN = { summary: summaryOf(), view: DEFAULT_VIEW, source: { id: "c1", beside: () => null } };
const command = (words: string): Command => ({ key: words, words, note: "", run: () => undefined });
const commands = [
  "timeline",
  "raw or aligned clock",
  "slowest by Network out",
  "slowest by Network back",
  "slowest by SQL2 log write",
].map(command);
const found = (text: string): string[] => matchingCommands(commands, text).map(({ words }) => words);

test("a command is found by the beginnings of its words, in any order", () => {
  expect(found("time")).toEqual(["timeline"]);
  expect(found("clock raw")).toEqual(["raw or aligned clock"]);
  expect(found("slow net")).toEqual(["slowest by Network out", "slowest by Network back"]);
  expect(found("sql2 write")).toEqual(["slowest by SQL2 log write"]);
});

test("what begins no word, or is one letter, finds none", () => {
  expect(found("line")).toEqual([]);
  expect(found("t")).toEqual([]);
  expect(found("00000022:00000167")).toEqual([]);
});

test("before anything is typed all are there, and one word that many begin with hides none of them", () => {
  expect(found("")).toEqual(commands.map(({ words }) => words));
  const stages = Array.from({ length: 19 }, (_, i) => command(`slowest by stage ${i}`));
  expect(matchingCommands(stages, "slow")).toHaveLength(19);
});

test("the slowest commits are found by their words, beside the orders of the slowest blocks", () => {
  const open = vi.fn<OpenCapture["open"]>();
  const capture = { ...OPEN, open } as unknown as OpenCapture;
  const [first, second] = matchingCommands(commandsOf(capture, {}), "slow commit");
  expect([first?.words, second?.words]).toEqual(["slowest commits", "slowest by commit"]);
  first?.run();
  expect(open).toHaveBeenCalledExactlyOnceWith("raw-events", { rows: "commits" });
});

test("a capture without data-movement events has no commands about blocks and commits", () => {
  const replicas = summaryOf().replicas.map((replica) => ({ ...replica, hasCapture: false }));
  const summary = summaryOf({ replicas });
  const capture = { ...OPEN, summary, open: vi.fn() } as unknown as OpenCapture;
  const addEvidence = vi.fn();
  expect(commandsOf({ ...capture, addEvidence }, {}).map(({ key }) => key)).toEqual(["add-evidence"]);
});

test("evidence is added by a command, where the capture may be changed", () => {
  const addEvidence = vi.fn();
  const capture = { ...OPEN, open: vi.fn() } as unknown as OpenCapture;
  expect(matchingCommands(commandsOf(capture, {}), "add evid")).toEqual([]);
  const [found] = matchingCommands(commandsOf({ ...capture, addEvidence }, {}), "add evid");
  found?.run();
  expect(addEvidence).toHaveBeenCalledOnce();
});

test("watches are a command on a server, and not for a visitor with a link", () => {
  const capture = { ...OPEN, open: vi.fn() } as unknown as OpenCapture;
  expect(matchingCommands(commandsOf(capture, {}), "watches")).toEqual([]);
  const source = { id: "c1", beside: () => ({}) };
  const [first] = matchingCommands(
    commandsOf({ ...capture, source } as unknown as OpenCapture, {}),
    "watches",
  );
  expect(first?.words).toBe("watches");
});

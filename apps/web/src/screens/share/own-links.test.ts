import { expect, test } from "vitest";
import type { Link } from "@aglens/contract";
import { forgetLink, keepLink, ownLinks } from "./own-links.ts";

function store(content: string | null = null): Pick<Storage, "getItem" | "setItem"> {
  let kept = content;
  return {
    getItem: () => kept,
    setItem: (_, value) => {
      kept = value;
    },
  };
}

const link = (id: string, change: Partial<Link> = {}): Link => ({
  id,
  captureId: "capture",
  path: "/",
  view: "",
  title: id,
  created: "2026-11-21T00:00:00.000Z",
  expires: null,
  deleteToken: `token of ${id}`,
  ...change,
});

const NOW = new Date("2026-11-21T12:00:00Z");

test("links of the capture come newest first, until they expire or are deleted", () => {
  const kept = store();
  keepLink(link("a"), kept, NOW);
  keepLink(link("b", { expires: "2026-11-22T00:00:00.000Z" }), kept, NOW);
  keepLink(link("other", { captureId: "another" }), kept, NOW);
  expect(ownLinks("capture", kept, NOW).map(({ id }) => id)).toEqual(["b", "a"]);
  expect(ownLinks("capture", kept, new Date("2026-11-23T00:00:00Z")).map(({ id }) => id)).toEqual(["a"]);
  forgetLink("a", kept);
  expect(ownLinks("capture", kept, NOW).map(({ deleteToken }) => deleteToken)).toEqual(["token of b"]);
});

test("whatever else lies in the store is no link, and a link without a token is not kept", () => {
  expect(ownLinks("capture", store("{"), NOW)).toEqual([]);
  expect(ownLinks("capture", store("{}"), NOW)).toEqual([]);
  const kept = store();
  const { deleteToken: _, ...bare } = link("a");
  keepLink(bare, kept, NOW);
  expect(ownLinks("capture", kept, NOW)).toEqual([]);
});

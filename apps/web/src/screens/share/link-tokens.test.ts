import { expect, test } from "vitest";
import { keepLinkToken, linkToken } from "./link-tokens.ts";

function store(content: string | null = null): Pick<Storage, "getItem" | "setItem"> {
  let kept = content;
  return {
    getItem: () => kept,
    setItem: (_, value) => {
      kept = value;
    },
  };
}

test("each link made here has its token, others have none", () => {
  const kept = store();
  keepLinkToken("a", "token of a", kept);
  keepLinkToken("b", "token of b", kept);
  keepLinkToken("c", undefined, kept);
  expect(["a", "b", "c", "d"].map((id) => linkToken(id, kept))).toEqual([
    "token of a",
    "token of b",
    null,
    null,
  ]);
});

test("whatever else lies in the store is no token", () => {
  for (const content of ["{", "{}", "[]"]) expect(linkToken("a", store(content))).toBeNull();
});

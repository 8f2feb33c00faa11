import { expect, test } from "vitest";
import { addressOfLocalLink, localLink } from "./local-link.ts";

const LINK = { digest: "d".repeat(32), files: "aaaaaaaaaaaa.5.SQL1 0.xel" };
const FILES = "files=aaaaaaaaaaaa.5.SQL1+0.xel";

test.each([
  [
    "https://ag/base/captures/local-x1/timeline?range=1_2",
    `https://ag/base/captures/local-${LINK.digest}/timeline?range=1_2&${FILES}`,
  ],
  [
    "file:///C:/t/ag-lens.html?range=1_2#/captures/local-x1/timeline",
    `file:///C:/t/ag-lens.html?range=1_2&${FILES}#/captures/local-${LINK.digest}/timeline`,
  ],
])("a link names the content of the files, and them: %s", (address, link) => {
  expect(localLink(address, LINK)).toBe(link);
  // A link opens on the page where it is pasted, independent of its origin.
  expect(addressOfLocalLink(` ${link}\n`)).toBe(`/captures/local-${LINK.digest}/timeline?range=1_2&${FILES}`);
});

test.each([
  "",
  "SQL1",
  "https://ag/captures/abc/timeline",
  "file:///C:/t/ag-lens.html",
  "javascript:alert(1)",
])("what is no such link opens nothing: %s", (text) => expect(addressOfLocalLink(text)).toBeNull());

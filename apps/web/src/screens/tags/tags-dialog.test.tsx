import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { libraryPageOf } from "../../../test/library.ts";
import { TagsDialog } from "./tags-dialog.tsx";

const REFUSAL = {
  type: "about:blank",
  title: "The capture has too many tags",
  status: 422,
  code: "too-many-tags",
  detail: "A capture has up to 20 tags.",
};

/** Tags of each capture of a server that accepts every tag except "refused". */
let tags: Record<string, string[]>;
let writes: string[];

beforeEach(() => {
  tags = {};
  writes = [];
});

function answered(path: string, { method = "GET", body }: RequestInit = {}): Response {
  const { pathname } = new URL(path, "http://localhost");
  if (pathname === "/api/v1/library") {
    const known = [{ value: "nightly", name: "nightly", count: 1 }];
    return Response.json(libraryPageOf([], { facets: { group: [], wait: [], owner: [], tag: known } }));
  }
  const [, id = "", , tag = ""] = /captures\/([^/]+)(\/tags\/?(.*))?$/u.exec(pathname) ?? [];
  if (method !== "GET") writes.push(`${method} ${pathname}`);
  if (method === "POST") {
    const { tag: given } = JSON.parse(body as string) as { tag: string };
    if (given === "refused") return Response.json(REFUSAL, { status: 422 });
    tags[id] = [...(tags[id] ?? []), given.toLowerCase()];
  }
  if (method === "DELETE") tags[id] = (tags[id] ?? []).filter((each) => each !== decodeURIComponent(tag));
  return Response.json({ tags: tags[id] });
}

async function open(ids: readonly string[], onChanged = () => {}) {
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => Promise.resolve(answered(path, init)));
  render(<TagsDialog open onOpenChange={() => {}} ids={ids} onChanged={onChanged} />, {
    wrapper: withAnswers(),
  });
  await settled();
}
const shown = () =>
  within(screen.getByRole("list", { name: "Tags" }))
    .queryAllByRole("listitem")
    .map(({ textContent }) => textContent);
const field = () => screen.getByLabelText<HTMLInputElement>("Add a tag");
const add = async (tag: string) => {
  await settled(() => fireEvent.change(field(), { target: { value: tag } }));
  await settled(() => fireEvent.submit(field()));
};

test("a tag is set by Enter and taken off by its button; both are said, and the field keeps the focus", async () => {
  const onChanged = vi.fn<() => void>();
  await open(["a"], onChanged);
  expect(document.activeElement).toBe(field());
  expect(screen.getByText("No tag yet.")).toBeTruthy();
  await add(" Nightly ");
  expect(shown()).toEqual(["nightly"]);
  expect(field().value).toBe("");
  expect(screen.getByRole("status").textContent).toBe("Nightly was set.");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Take nightly off" })));
  expect(shown()).toEqual([]);
  expect(document.activeElement).toBe(field());
  expect(screen.getByRole("status").textContent).toBe("nightly was taken off.");
  expect(onChanged).toHaveBeenCalledTimes(2);
});

test("of several captures a tag says how many have it, and is taken off all of them", async () => {
  tags = { a: ["drill", "q3/2026"], b: ["drill"] };
  await open(["a", "b"]);
  expect(shown()).toEqual(["drill", "q3/2026on 1 of 2"]);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Take q3/2026 off" })));
  expect(writes).toEqual([
    "DELETE /api/v1/captures/a/tags/q3%2F2026",
    "DELETE /api/v1/captures/b/tags/q3%2F2026",
  ]);
  await add("load test");
  expect(shown()).toEqual(["drill", "load test"]);
});

test("tags of other captures are offered, those that are there are not", async () => {
  await open(["a"]);
  const offered = () =>
    [...document.querySelectorAll("datalist option")].map((each) => each.getAttribute("value"));
  expect(offered()).toEqual(["nightly"]);
  await add("nightly");
  expect(offered()).toEqual([]);
});

test("a refusal is shown as the server's sentence, and what was typed stays", async () => {
  await open(["a"]);
  await add("refused");
  expect(screen.getByRole("alert").textContent).toContain("A capture has up to 20 tags.");
  expect(field().value).toBe("refused");
});

import type { Person } from "@aglens/contract";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { AccountContext } from "../../state/account.ts";
import { LostCaptures } from "./lost-captures.tsx";

afterEach(() => vi.unstubAllGlobals());

const LOST = { id: "l1", name: "Night", created: "2026-05-06T02:00:00.000Z", files: 2, bytes: 5_000_000 };

/** @param role null where users don't sign in @returns requested paths */
async function open(role: Person["role"]): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json({ captures: [LOST] }));
  });
  const person = { id: "p1", name: "Ada", role };
  const account = role === null ? null : { person, signOut: () => {} };
  render(
    <AccountContext value={account}>
      <LostCaptures />
    </AccountContext>,
    { wrapper: withAnswers() },
  );
  await settled();
  return asked;
}

test.each([null, "admin"] as const)("files without a record are shown to %s", async (role) => {
  expect(await open(role)).toHaveLength(1);
  expect(screen.getByRole("region", { name: "Files that are not in the catalog" }).textContent).toContain(
    "Files of 1 capture are not in this server's catalog.",
  );
});

test("who may not take them back does not ask for them", async () => {
  expect(await open("contributor")).toEqual([]);
  expect(screen.queryByRole("region")).toBeNull();
});

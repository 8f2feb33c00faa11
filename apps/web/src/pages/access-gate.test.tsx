import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AccessState, Person } from "@aglens/contract";
import { createAnswers } from "../data/answers.ts";
import { reportSignedOut } from "../data/request.ts";
import { AccessGate } from "./access-gate.tsx";

const ANN: Person = { id: "token:Ann", name: "Ann", role: "contributor" };
const stateOf = (person: Person | null, directory: string | null = null): AccessState => ({
  person,
  ways: { directory, token: true, proxy: false },
  failure: null,
  keepDays: 90,
});
const fetched = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>();
const WANTED = "/captures/abc/timeline?v=1&from=0";

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
  window.history.replaceState(null, "", WANTED);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
  document.head.replaceChildren();
});

/** The server marks its page where it requires sign-in. */
function mark(): void {
  const meta = document.createElement("meta");
  meta.name = "aglens-access";
  document.head.append(meta);
}

const open = () =>
  render(
    <QueryClientProvider client={createAnswers()}>
      <AccessGate>
        <input aria-label="Inside" />
      </AccessGate>
    </QueryClientProvider>,
  );

test("without the mark nothing is asked of the server, and what is inside is there at once", () => {
  open();
  expect(screen.getByLabelText("Inside")).toBeDefined();
  expect(fetched).not.toHaveBeenCalled();
});

test("a token signs in, and the address that was asked for opens", async () => {
  mark();
  fetched.mockImplementation((_, init) =>
    Promise.resolve(Response.json(stateOf(init?.method === "POST" ? ANN : null))),
  );
  open();
  const field = await screen.findByLabelText("Access token");
  expect(screen.queryByLabelText("Inside")).toBeNull();
  fireEvent.change(field, { target: { value: "a token" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByLabelText("Inside")).toBeDefined();
  expect(window.location.pathname + window.location.search).toBe(WANTED);
});

test("a wrong token is said with its tries, and what was typed stays", async () => {
  mark();
  const refusal = {
    type: "urn:aglens:problem:wrong-token",
    title: "Unknown token",
    status: 401,
    detail: "4 tries left in this minute.",
    code: "wrong-token",
  };
  fetched.mockImplementation((_, init) =>
    Promise.resolve(
      init?.method === "POST" ? Response.json(refusal, { status: 401 }) : Response.json(stateOf(null)),
    ),
  );
  open();
  const field = await screen.findByLabelText("Access token");
  fireEvent.change(field, { target: { value: "wrong" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("4 tries left"));
  expect((field as HTMLInputElement).value).toBe("wrong");
});

test("who has no role reads it, with the way out", async () => {
  mark();
  fetched.mockImplementation(() => Promise.resolve(Response.json(stateOf({ ...ANN, role: null }))));
  open();
  expect(await screen.findByText(/signed in as Ann, without a role/u)).toBeDefined();
  expect(document.body.textContent).toContain("Your id here is token:Ann.");
  expect(screen.queryByLabelText("Inside")).toBeNull();
});

test("when the session ends the page stays with what was typed, but takes nothing more", async () => {
  mark();
  fetched.mockImplementation(() => Promise.resolve(Response.json(stateOf(ANN))));
  open();
  const inside = await screen.findByLabelText<HTMLInputElement>("Inside");
  fireEvent.change(inside, { target: { value: "half a title" } });
  act(() => reportSignedOut());
  expect(await screen.findByText(/^Signed out at/u)).toBeDefined();
  expect(inside.value).toBe("half a title");
  expect(inside.closest("[inert]")).not.toBeNull();
});

test.each([
  [{ leaveAt: "https://login.example/logout?x=1", staysAt: null }, "https://login.example/logout?x=1"],
  [{ leaveAt: null, staysAt: null }, "/"],
])("signing out with %o goes to %s", async (left, address) => {
  mark();
  const went = vi.spyOn(window.location, "assign").mockImplementation(() => {});
  fetched.mockImplementation((_, init) =>
    Promise.resolve(Response.json(init?.method === "DELETE" ? left : stateOf({ ...ANN, role: null }))),
  );
  open();
  fireEvent.click(await screen.findByRole("button", { name: "Sign out" }));
  await waitFor(() => expect(went).toHaveBeenCalledExactlyOnceWith(address));
});

test("who is still known to the directory reads it after signing out", async () => {
  mark();
  fetched.mockImplementation((_, init) =>
    Promise.resolve(
      Response.json(
        init?.method === "DELETE" ? { leaveAt: null, staysAt: "Contoso" } : stateOf({ ...ANN, role: null }),
      ),
    ),
  );
  open();
  fireEvent.click(await screen.findByRole("button", { name: "Sign out" }));
  expect(await screen.findByText("You are signed out of AG Lens.")).toBeDefined();
  expect(document.body.textContent).toContain("Contoso may still know you in this browser.");
  expect(screen.queryByLabelText("Inside")).toBeNull();
});

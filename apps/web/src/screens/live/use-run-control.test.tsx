import { renderHook } from "@testing-library/react";
import type { LiveReplica } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { livePicture, liveReplica } from "../../../test/live.ts";
import { openPath } from "../../state/navigate.ts";
import { controlOf, keepControl } from "./control.ts";
import { useRunControl } from "./use-run-control.ts";

const onKept = vi.fn<(captureId: string | null) => void>();
let sent: string[];

/** A server whose run has these replicas and becomes the capture `kept`; refuses with another status. */
function serve(replicas: readonly LiveReplica[], status = 200): void {
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    const method = init?.method ?? "GET";
    sent.push(
      `${method} ${path.replace(/^.*\/live/u, "")} ${(init?.body as string | undefined) ?? ""}`.trim(),
    );
    if (status !== 200) return Promise.resolve(new Response("", { status }));
    const answer = method === "GET" ? livePicture({ replicas: [...replicas] }) : { captureId: "kept" };
    return Promise.resolve(Response.json(answer));
  });
}

function control() {
  keepControl("run", "secret");
  return renderHook(() => useRunControl("run", onKept), { wrapper: withAnswers() }).result;
}

beforeEach(() => {
  sent = [];
  onKept.mockClear();
  window.history.replaceState(null, "", "/live/run");
});
afterEach(() => vi.unstubAllGlobals());

test("a run that dropped its sessions opens its capture when it stops", async () => {
  serve([liveReplica({ state: "dropped" }), liveReplica({ index: 1, state: "failed" })]);
  const run = control();
  await settled(() => run.current.stop(true));
  expect(sent[0]).toBe('POST /runs/run/stop {"keep":true}');
  expect(openPath()).toBe("/captures/kept");
  expect(controlOf("run")).toBeNull();
});

test("it stays where one of two sessions is left, so that its last picture is read first", async () => {
  serve([liveReplica({ state: "dropped" }), liveReplica({ index: 1, state: "reading" })]);
  const run = control();
  await settled(() => run.current.stop(true));
  expect(openPath()).toBe("/live/run");
  // A session that the user named is never dropped.
  serve([liveReplica({ state: "dropped" }), liveReplica({ index: 1, state: "reading", ownSession: false })]);
  keepControl("run", "secret");
  await settled(() => run.current.stop(true));
  expect(openPath()).toBe("/captures/kept");
});

test("a stop that is refused can be asked for again", async () => {
  serve([], 503);
  const run = control();
  await settled(() => run.current.stop(true));
  expect(run.current.isEnding).toBe(false);
  expect(run.current.error).toContain("503");
  expect(controlOf("run")).toBe("secret");
});

test("the last five minutes become a capture, whose id the page is told", async () => {
  serve([]);
  const run = control();
  await settled(() => run.current.keepLast());
  expect(sent).toEqual(['POST /runs/run/captures {"minutes":5}']);
  expect(onKept.mock.calls).toEqual([["kept"]]);
});

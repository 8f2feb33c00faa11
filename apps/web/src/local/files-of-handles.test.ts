import { describe, expect, test, vi } from "vitest";
import { filesOfHandles } from "./files-of-handles.ts";
import type { KeptHandle } from "./kept-store.ts";

const BEFORE_MS = 1_700_000_000_000;

interface FakeHandle {
  /** Answers of the browser to the permission query and to the later permission request. */
  readonly query?: PermissionState;
  readonly request?: PermissionState;
  readonly changedMs?: number;
  readonly text?: string;
  readonly isGone?: boolean;
}

/** A kept file of five bytes, as the File System Access API returns it later. */
function kept(
  name: string,
  {
    query = "granted",
    request = "denied",
    changedMs = BEFORE_MS,
    text = "12345",
    isGone = false,
  }: FakeHandle = {},
) {
  const requestPermission = vi.fn(() => Promise.resolve(request));
  const getFile = vi.fn(() =>
    isGone
      ? Promise.reject(new DOMException("gone", "NotFoundError"))
      : Promise.resolve(new File([text], name, { lastModified: changedMs })),
  );
  const handle = { queryPermission: () => Promise.resolve(query), requestPermission, getFile };
  const all = { handle, name, size: 5, lastModified: BEFORE_MS } as unknown as KeptHandle;
  return { all, requestPermission, getFile };
}

const namesOf = async (handles: readonly { readonly all: KeptHandle }[]): Promise<string[]> =>
  (await filesOfHandles(handles.map(({ all }) => all))).map(({ name }) => name);

describe("files of before", () => {
  test("that the browser may read open without a question, others once the user allows it", async () => {
    const granted = kept("granted.xel");
    const allowed = kept("allowed.xel", { query: "prompt", request: "granted" });
    const denied = kept("denied.xel", { query: "prompt", request: "denied" });
    expect(await namesOf([granted, allowed, denied])).toEqual(["granted.xel", "allowed.xel"]);
    expect(granted.requestPermission).not.toHaveBeenCalled();
    expect(denied.getFile).not.toHaveBeenCalled();
  });

  test("that were changed, replaced or are gone are skipped, and the others open", async () => {
    const changed = kept("changed.xel", { changedMs: BEFORE_MS + 1 });
    const longer = kept("longer.xel", { text: "123456" });
    const gone = kept("gone.xel", { isGone: true });
    expect(await namesOf([changed, longer, gone, kept("same.xel")])).toEqual(["same.xel"]);
  });
});

import { realpath } from "node:fs/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { AllowedPaths } from "./allowed-paths.ts";

// As on Windows, where a path of a share leads to another computer.
vi.mock(import("node:path"), async (load) => {
  const { win32 } = await load();
  return { ...win32, default: win32 };
});
vi.mock(import("node:fs/promises"), async (load) => ({
  ...(await load()),
  realpath: vi.fn<(path: string) => Promise<string>>((path) => Promise.resolve(path)) as never,
}));

beforeEach(() => vi.mocked(realpath).mockClear());

test.each([
  "\\\\stranger\\share\\a.xel",
  "//stranger/share/a.xel",
  "\\\\?\\UNC\\stranger\\share\\a.xel",
  "\\\\.\\pipe\\a",
])("a share outside of the folders isn't even looked up: %s", async (path) => {
  const allowed = new AllowedPaths(["D:\\Captures"]);
  await expect(allowed.filesOf([path])).rejects.toThrow("outside of the folders");
  expect(realpath).not.toHaveBeenCalled();
});

test.each(["..\\a.xel", "C:a.xel", "D:\\Captures2\\a.xel", "D:\\Captures\\..\\a.xel", "E:\\Captures\\a.xel"])(
  "a path outside of the folders is refused: %s",
  async (path) => {
    await expect(new AllowedPaths(["D:\\Captures"]).filesOf([path])).rejects.toThrow(
      "outside of the folders",
    );
  },
);

test.each([
  ["D:\\Captures", "d:/captures/SQL1/a.xel"],
  ["\\\\files\\captures", "\\\\FILES\\Captures\\a.xel"],
])("with %s, %s may be read", async (folder, path) => {
  expect(await new AllowedPaths([folder]).isAllowed(path)).toBe(true);
});

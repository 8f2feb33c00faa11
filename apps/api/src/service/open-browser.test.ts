import { expect, test } from "vitest";
import { browserCommand } from "./open-browser.ts";

test.each([
  ["win32", "cmd", ["/c", "start", '""', "http://localhost:4700"]],
  ["darwin", "open", ["http://localhost:4700"]],
  ["linux", "xdg-open", ["http://localhost:4700"]],
])("on %s the address is opened by %s", (platform, command, args) => {
  expect(browserCommand(platform, "http://localhost:4700")).toEqual({ command, args });
});

import { expect, test } from "vitest";
import { hostOfSession, hostPart, newSessionName, timeOfSession } from "./session-name.ts";

test("a session's name has the host and the time", () => {
  const name = newSessionName("Web-01.corp.example", new Date("2026-11-21T02:44:31Z"));
  expect(name).toMatch(/^aglens_web01_20261121T0244Z_[0-9a-f]{4}$/u);
  expect(hostOfSession(name)).toBe("web01");
  expect(timeOfSession(name)).toBe("2026-11-21T02:44:00Z");
});

test("other names are nobody's", () => {
  for (const name of ["AlwaysOn_health", "aglens_", "aglens_x_y_z", "AGLens"])
    expect(hostOfSession(name)).toBeNull();
});

test("of a host its first part counts, in letters and digits, up to 40 of them", () => {
  expect(hostPart(`${"x".repeat(20)}-${"y".repeat(21)}.corp.example`)).toBe("x".repeat(20) + "y".repeat(20));
  expect(hostPart("---.corp.example")).toBe("host");
});

import { expect, test } from "vitest";
import { failureOf, isPassing } from "./failure.ts";

test("a refused connection inside a bundle inside a driver's error", () => {
  const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("failed"), { code: "ESOCKET", cause: new AggregateError([refused]) });
  const failure = failureOf(error, "sql1:1433");
  expect(failure.code).toBe("live-unreachable");
  expect(failure.message).toContain("sql1:1433 cannot be reached: nothing listens there.");
  expect(isPassing(failure)).toBe(true);
});

test("a refused login is shown without its text and not tried again", () => {
  const error = Object.assign(new Error("Login failed for user 'sa' with hunter2."), { code: "ELOGIN" });
  const failure = failureOf(error, "sql1:1433");
  expect(failure.code).toBe("live-login-refused");
  expect(failure.message).not.toContain("hunter2");
  expect(isPassing(failure)).toBe(false);
});

test.each([
  [25726, "live-disconnected"],
  [25727, "live-session-stopped"],
  [25728, "live-session-stopped"],
  [297, "live-permission"],
  [25631, "live-session-exists"],
  [8134, "live-statement-failed"],
])("error %i is %s", (number, code) => {
  expect(failureOf(Object.assign(new Error("text"), { code: "EREQUEST", number }), "sql1").code).toBe(code);
});

test("the first of several errors of one reply counts", () => {
  const inner = Object.assign(new Error("The session exists."), { number: 25631 });
  expect(failureOf(new AggregateError([inner, new Error("second")]), "sql1").code).toBe(
    "live-session-exists",
  );
});

test("a certificate that nobody vouches for", () => {
  const cause = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  const failure = failureOf(Object.assign(new Error("failed"), { code: "ESOCKET", cause }), "sql1:1433");
  expect(failure.code).toBe("live-certificate");
});

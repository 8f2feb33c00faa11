import { describe, expect, test } from "vitest";
import { failureOf, isPassing, loginFailureOf } from "./failure.ts";
import type { LiveFailure } from "./failure.ts";

test("a refused connection inside a bundle inside a driver's error", () => {
  const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("failed"), { code: "ESOCKET", cause: new AggregateError([refused]) });
  const failure = failureOf(error, "sql1:1433");
  expect(failure.code).toBe("live-unreachable");
  expect(failure.message).toContain("sql1:1433 cannot be reached: no program listens on the port.");
  expect(isPassing(failure)).toBe(true);
});

test("a refused login is shown without its text and not tried again", () => {
  const error = Object.assign(new Error("Login failed for user 'sa' with hunter2."), { code: "ELOGIN" });
  const failure = failureOf(error, "sql1:1433");
  expect(failure.code).toBe("live-login-refused");
  expect(failure.message).not.toContain("hunter2");
  expect(isPassing(failure)).toBe(false);
});

const numbered = (number: number, severity = 16): LiveFailure =>
  failureOf(Object.assign(new Error("text"), { code: "EREQUEST", number, class: severity }), "sql1");

test.each([
  [25726, "live-disconnected", true],
  [25729, "live-disconnected", true],
  [25727, "live-session-stopped", false],
  [25728, "live-session-stopped", false],
  [229, "live-permission", false],
  [297, "live-permission", false],
  [300, "live-permission", false],
  [15247, "live-permission", false],
  [15151, "live-permission", false],
  [25631, "live-session-exists", false],
  [8134, "live-statement-failed", false],
])("error %i is %s", (number, code, passes) => {
  const failure = numbered(number);
  expect([failure.code, isPassing(failure)]).toEqual([code, passes]);
});

test.each([
  [921, "sql1 is recovering a database (error 921)."],
  [4060, "sql1 does not open master yet (error 4060)."],
  [6005, "sql1 is shutting down (error 6005)."],
  [17142, "sql1 is paused (error 17142)."],
  [17187, "sql1 is starting (error 17187)."],
  [18401, "sql1 is being upgraded (error 18401)."],
  [18451, "sql1 accepts only administrators, as while it starts or shuts down (error 18451)."],
  [18461, "sql1 is in single user mode (error 18461)."],
])("error %i is of a server that is not ready, with what it does", (number, message) => {
  const failure = numbered(number);
  expect([failure.code, failure.message, isPassing(failure)]).toEqual(["live-starting", message, true]);
});

test.each([701, 802, 1204, 1205, 1222, 8645, 8651, 17809])("error %i passes by itself", (number) => {
  const failure = numbered(number);
  expect([failure.code, failure.message]).toEqual(["live-busy", `sql1 answers: text. (error ${number})`]);
  expect(isPassing(failure)).toBe(true);
});

test.each([
  [18452, "domain"],
  [18456, "Check the user and the password, or the token."],
  [18470, "ENABLE"],
  [18486, "UNLOCK"],
  [18487, "has expired"],
  [18488, "must be changed"],
])("error %i is a refused login, with what helps, and not tried again", (number, words) => {
  const failure = numbered(number, 14);
  expect([failure.code, isPassing(failure)]).toEqual(["live-login-refused", false]);
  expect(failure.message).toContain(`sql1 refused the login (error ${number}). `);
  expect(failure.message).toContain(words);
  expect(failure.message).not.toContain("text");
});

test("from severity 20 on the server has closed the connection", () => {
  expect(numbered(596, 19).code).toBe("live-statement-failed");
  const fatal = numbered(596, 20);
  expect([fatal.code, fatal.message]).toEqual([
    "live-connection-lost",
    "sql1 ended the connection: text. (error 596)",
  ]);
});

describe("the end of a login", () => {
  const refused = Object.assign(new Error("Login failed."), { code: "ELOGIN" });
  const reported = (number: number) => ({ number, message: "text", class: 14 });
  test("is what the server reported before it", () => {
    expect(loginFailureOf(refused, reported(18486), "sql1").message).toContain("UNLOCK");
    expect(loginFailureOf(refused, reported(4060), "sql1").code).toBe("live-starting");
    expect(loginFailureOf(refused, reported(17809), "sql1").code).toBe("live-busy");
    expect(loginFailureOf(refused, reported(50000), "sql1").message).toBe(
      "sql1 refused the login (error 50000). The server's error log has the reason. AG Lens doesn't retry automatically.",
    );
  });
  test("is a refusal without a number where it reported nothing, and anything else where it was no login", () => {
    expect(loginFailureOf(refused, null, "sql1").message).toContain("AG Lens tried nothing else");
    const lost = Object.assign(new Error("x"), { code: "ECONNRESET" });
    expect(loginFailureOf(lost, reported(18456), "sql1").code).toBe("live-unreachable");
  });
});

test.each([
  ["EENCRYPT", "live-encryption", "don't agree on encryption"],
  ["EINSTLOOKUP", "live-unreachable", "SQL Server Browser of sql1 doesn't have the instance"],
  ["ECONNREFUSED", "live-unreachable", "cannot be reached: no program listens on the port."],
  ["ENOTFOUND", "live-unreachable", "cannot be reached: the host name is unknown."],
  ["EAI_AGAIN", "live-unreachable", "cannot be reached: the name could not be looked up."],
  ["EHOSTUNREACH", "live-unreachable", "cannot be reached: there is no route to it."],
  ["ENETUNREACH", "live-unreachable", "cannot be reached: there is no route to it."],
  ["ETIMEOUT", "live-unreachable", "cannot be reached: it did not answer in time."],
  ["ETIMEDOUT", "live-unreachable", "cannot be reached: it did not answer in time."],
  ["ECONNRESET", "live-unreachable", "cannot be reached: it closed the connection."],
  ["ESOCKET", "live-unreachable", "cannot be reached: the connection failed."],
])("a driver's %s is %s", (reason, code, words) => {
  const failure = failureOf(Object.assign(new Error("failed"), { code: reason }), "sql1");
  expect(failure.code).toBe(code);
  expect(failure.message).toContain(words);
});

test("the reason inside counts before the one around it, which counts before none", () => {
  const around = (cause: object) =>
    failureOf(Object.assign(new Error("failed"), { code: "ETIMEOUT", cause }), "sql1").message;
  expect(around({ code: "ENOTFOUND" })).toContain("the host name is unknown");
  expect(around({ code: "EOTHER" })).toContain("it did not answer in time");
});

test.each([
  "CERT_HAS_EXPIRED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])("%s is a certificate that is not trusted", (reason) => {
  const cause = Object.assign(new Error("x"), { code: reason });
  const failure = failureOf(Object.assign(new Error("failed"), { code: "ESOCKET", cause }), "sql1");
  expect([failure.code, failure.message.includes(`(${reason})`)]).toEqual(["live-certificate", true]);
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

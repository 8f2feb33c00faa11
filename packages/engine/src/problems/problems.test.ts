import { describe, expect, it } from "vitest";
import { asSentence, problem, problemDocument, ProblemError, type ProblemCode } from "./problems.ts";

const statusOf = (code: ProblemCode): number => problemDocument(code, "x").status;

describe("a problem", () => {
  it("has the status of its kind", () => {
    const codes = (...of: ProblemCode[]): number[] => of.map(statusOf);
    // A named object that does not exist.
    expect(
      new Set(
        codes(
          "not-found",
          "capture-not-found",
          "file-not-found",
          "block-not-found",
          "table-not-found",
          "sample-not-found",
          "link-not-found",
          "note-not-found",
          "live-run-not-found",
          "live-no-replica",
        ),
      ),
    ).toEqual(new Set([404]));
    // A missing or wrong key, and an action that is never allowed.
    expect([codes("unauthorised", "live-control"), codes("cross-site", "live-not-allowed")]).toEqual([
      [401, 401],
      [403, 403],
    ]);
    // A request that does not fit the current state, and may fit later.
    expect(
      new Set(
        codes(
          "wrong-state",
          "several-captures",
          "live-session-exists",
          "live-session-stopped",
          "live-run-ending",
          "live-run-over",
          "live-too-many-runs",
          "files-missing",
          "files-overwritten",
          "files-misread",
        ),
      ),
    ).toEqual(new Set([409]));
    // A SQL Server that the API cannot reach, or whose answer is not as expected.
    expect(
      new Set(
        codes(
          "live-unreachable",
          "live-encryption",
          "live-certificate",
          "live-statement-failed",
          "live-connection-lost",
          "live-disconnected",
          "live-other-server",
        ),
      ),
    ).toEqual(new Set([502]));
    // A server that will be ready after a while.
    expect(
      new Set(codes("live-starting", "live-busy", "catalogue-unreachable", "bucket-unreachable")),
    ).toEqual(new Set([503]));
    // A request that was understood and cannot be done with its input.
    expect(
      new Set(
        codes(
          "bad-change",
          "too-many-files",
          "too-many-notes",
          "too-many-tags",
          "bad-zip",
          "bad-aglens-file",
          "newer-aglens-file",
          "other-file",
          "not-a-replacement",
          "undecided-server",
          "nothing-to-analyse",
          "analysis-failed",
          "live-login-refused",
          "live-permission",
          "live-unsupported",
          "live-no-session",
          "live-same-server",
          "live-too-many-databases",
          "live-too-many-replicas",
        ),
      ),
    ).toEqual(new Set([422]));
    expect(
      codes(
        "bad-request",
        "bad-file-name",
        "link-expired",
        "too-big",
        "wrong-type",
        "other-host",
        "live-run-elsewhere",
        "too-many-requests",
      ),
    ).toEqual([400, 400, 410, 413, 415, 421, 421, 429]);
    expect(codes("other-version", "bad-range")).toEqual([412, 416]);
    expect(codes("cancelled", "internal", "disk-full", "over-quota")).toEqual([499, 500, 507, 507]);
    expect(codes("table-too-large", "no-picture")).toEqual([413, 501]);
    // A missing or wrong sign-in or passphrase, and actions that the user may not do.
    expect(new Set(codes("sign-in-needed", "wrong-token", "passphrase-needed", "wrong-passphrase"))).toEqual(
      new Set([401]),
    );
    expect(codes("no-role", "not-allowed", "too-many-tries", "directory-unreachable")).toEqual([
      403, 403, 429, 502,
    ]);
    // A body that stalled, a file that changed on the disk, or a link that has ended.
    expect(codes("body-stalled", "capture-damaged", "link-taken-back", "ending")).toEqual([
      408, 409, 410, 503,
    ]);
    expect(codes("live-old-certificate", "live-every-database")).toEqual([422, 422]);
    // A query: of the asker's making, of the server's.
    expect(codes("sql-wrong", "sql-refused", "sql-failed")).toEqual([422, 422, 422]);
    expect(codes("sql-no-tables", "sql-busy", "sql-unavailable")).toEqual([409, 503, 501]);
    expect(codes("tus-version", "upload-not-found", "upload-offset", "upload-expired")).toEqual([
      412, 404, 409, 410,
    ]);
  });

  it("is thrown with its sentence as the message", () => {
    const error = problem("bad-zip", "Give the files themselves.");
    expect(error).toBeInstanceOf(ProblemError);
    expect(error.message).toBe("Give the files themselves.");
    expect(error.problem).toMatchObject({ code: "bad-zip", type: "urn:aglens:problem:bad-zip" });
  });
});

describe("a text of another program", () => {
  it("becomes one sentence on one line", () => {
    expect(asSentence("  Login failed\r\n for\tuser ")).toBe("Login failed for user.");
    expect(["Done.", "Why?", "No!"].map(asSentence)).toEqual(["Done.", "Why?", "No!"]);
    expect(asSentence("")).toBe(".");
  });

  it("is cut at four hundred characters", () => {
    expect(asSentence("x".repeat(400))).toBe(`${"x".repeat(400)}.`);
    expect(asSentence("x".repeat(401))).toBe(`${"x".repeat(400)}.`);
    expect(asSentence(`${"x".repeat(399)}.y`)).toBe(`${"x".repeat(399)}.`);
  });
});

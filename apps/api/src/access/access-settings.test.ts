import { expect, test } from "vitest";
import { readAccess, readPublicUrl, readTrustedProxies } from "./access-settings.ts";

const OPEN_ID = {
  AGLENS_OIDC_ISSUER: "https://login.example/tenant",
  AGLENS_OIDC_CLIENT: "aglens",
  AGLENS_PUBLIC_URL: "https://aglens.example",
  AGLENS_ADMINS: "dba-leads",
};
const HEADER = {
  AGLENS_USER_HEADER: "X-User",
  AGLENS_TRUSTED_PROXIES: "10.4.0.10",
  AGLENS_CONTRIBUTORS: "*",
};

test("nothing set is no access control", () => {
  expect(readAccess({})).toBeNull();
  expect(readAccess({ AGLENS_ADMINS: "me", AGLENS_TOKEN_FILE: " " })).toBeNull();
});

test("each way is read", () => {
  expect(readAccess({ AGLENS_TOKEN_FILE: "/token" })).toMatchObject({
    tokenFile: "/token",
    openId: null,
    userHeader: null,
    sessionHours: 12,
  });
  expect(readAccess({ ...OPEN_ID, AGLENS_OIDC_NAME: "Entra ID", AGLENS_SESSION_HOURS: "8" })).toMatchObject({
    openId: {
      issuer: "https://login.example/tenant",
      client: "aglens",
      secretFile: null,
      name: "Entra ID",
      groupsClaim: "groups",
    },
    members: { viewer: [], contributor: [], admin: ["dba-leads"] },
    sessionHours: 8,
  });
  expect(readAccess({ ...HEADER, AGLENS_GROUPS_HEADER: "X-Groups" })?.userHeader).toEqual({
    header: "x-user",
    groupsHeader: "x-groups",
  });
});

test.each([
  [{ AGLENS_OIDC_ISSUER: "https://login.example" }, "AGLENS_OIDC_CLIENT"],
  [{ AGLENS_OIDC_CLIENT: "aglens" }, "AGLENS_OIDC_ISSUER"],
  [{ ...OPEN_ID, AGLENS_OIDC_ISSUER: "http://login.example" }, "https"],
  [{ ...OPEN_ID, AGLENS_ADMINS: "" }, "Nobody has a role"],
  [{ ...HEADER, AGLENS_CONTRIBUTORS: "" }, "Nobody has a role"],
  [{ ...HEADER, AGLENS_TRUSTED_PROXIES: "" }, "whoever else reaches the server"],
  [{ ...HEADER, AGLENS_USER_HEADER: "X User" }, "not the name of a header"],
  [{ AGLENS_TOKEN_FILE: "/token", AGLENS_SESSION_HOURS: "0" }, "AGLENS_SESSION_HOURS"],
  [{ AGLENS_TOKEN_FILE: "/token", AGLENS_SESSION_HOURS: "721" }, "AGLENS_SESSION_HOURS"],
])("%j is refused with the reason", (environment, words) => {
  expect(() => readAccess(environment)).toThrow(
    expect.objectContaining({ code: "bad-setting", message: expect.stringContaining(words) }),
  );
});

test("the public address has no slash at its end, may have a path, and OpenID Connect needs it", () => {
  expect(readPublicUrl({})).toBeNull();
  expect(readPublicUrl({ AGLENS_PUBLIC_URL: "https://tools.example/aglens/" })).toBe(
    "https://tools.example/aglens",
  );
  for (const text of ["aglens.example", "ftp://aglens.example", "https://aglens.example/?a=1"]) {
    expect(() => readPublicUrl({ AGLENS_PUBLIC_URL: text })).toThrow(
      expect.objectContaining({ code: "bad-setting" }),
    );
  }
  expect(() => readPublicUrl({ ...OPEN_ID, AGLENS_PUBLIC_URL: "" })).toThrow(/sends people back/u);
});

test("proxies are addresses or networks", () => {
  const read = (list: string): readonly string[] => readTrustedProxies({ AGLENS_TRUSTED_PROXIES: list });
  expect(read("10.4.0.10, 10.5.0.0/16,fd00::/8")).toEqual(["10.4.0.10", "10.5.0.0/16", "fd00::/8"]);
  for (const entry of ["proxy.example", "10.0.0.0/33", "fd00::/129", "*", "10.0.0.1/"]) {
    expect(() => read(entry)).toThrow(expect.objectContaining({ code: "bad-setting" }));
  }
});

import { expect, test } from "vitest";
import { readConfig } from "../settings/config.ts";
import { accessSettings } from "./access-settings.ts";

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
const read = (environment: Record<string, string>) => accessSettings(readConfig(environment, ""));

test("nothing set is no access control", () => {
  expect(read({})).toBeNull();
  expect(read({ AGLENS_ADMINS: "me", AGLENS_TRUSTED_PROXIES: "10.4.0.10" })).toBeNull();
});

test("each way is read", () => {
  expect(read({ AGLENS_TOKEN_FILE: "/token" })).toMatchObject({
    tokenFile: "/token",
    openId: null,
    userHeader: null,
  });
  expect(read(OPEN_ID)).toMatchObject({
    openId: {
      issuer: "https://login.example/tenant",
      client: "aglens",
      secretFile: null,
      name: "login.example",
      groupsClaim: "groups",
    },
    members: { viewer: [], contributor: [], admin: ["dba-leads"] },
  });
  expect(read(HEADER)).toMatchObject({ userHeader: "x-user", groupsHeader: null });
});

test("people alone may have roles", () => {
  const people = read({ ...HEADER, AGLENS_CONTRIBUTORS: "", AGLENS_PEOPLE: "viewer:ann" })?.people;
  expect(people).toEqual({ viewer: ["ann"], contributor: [], admin: [] });
});

test.each([
  [{ AGLENS_PEOPLE: "ann" }, "AGLENS_PEOPLE must have entries such as admin:PERSON"],
  [{ AGLENS_PEOPLE: "root:ann" }, `"root:ann" isn't valid`],
  [{ AGLENS_PEOPLE: "admin: " }, `"admin:" isn't valid`],
  [{ AGLENS_OIDC_PERSON_CLAIM: "preferred_username" }, "people cannot change themselves"],
  [{ AGLENS_OIDC_SCOPES: "profile" }, "must have the scope openid"],
])("%j is a wrong setting", (environment, words) => {
  expect(() => read(environment)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(words) }),
  );
});

test.each([
  [{ ...OPEN_ID, AGLENS_OIDC_CLIENT: "" }, "AGLENS_OIDC_CLIENT"],
  [{ AGLENS_OIDC_CLIENT: "aglens" }, "AGLENS_OIDC_ISSUER"],
  [{ ...OPEN_ID, AGLENS_PUBLIC_URL: "" }, "sends people back"],
  [{ ...OPEN_ID, AGLENS_ADMINS: "" }, "no user has a role"],
  [{ ...HEADER, AGLENS_CONTRIBUTORS: "" }, "no user has a role"],
  [{ ...HEADER, AGLENS_TRUSTED_PROXIES: "" }, "anyone who can reach the server"],
])("%j is refused with the reason", (environment, words) => {
  expect(() => read(environment)).toThrow(
    expect.objectContaining({ code: "bad-setting", message: expect.stringContaining(words) }),
  );
});
